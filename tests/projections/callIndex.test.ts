import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { RecordedCallEntry } from '../../src/contracts/calls.ts';
import type { CallFlush, RecordedCall } from '../../src/domain/apiCalls/events.ts';
import type { CustomerId, IntegratorId } from '../../src/domain/ids.ts';
import type { CallFilter } from '../../src/projections/calls/finding.ts';
import type { CallScope } from '../../src/projections/calls/search.ts';
import { apiCallBatch, apiCallsJoined, recordedCall } from '../support/builders/activity.ts';
import { customerDeleted } from '../support/builders/customer.ts';
import { userIdOf } from '../support/builders/ids.ts';
import { createRandom } from '../support/random.ts';
import { appendEvents, openFixture, runGroups, settled } from './fixture.ts';
import { newCustomer } from './tenants.ts';

const fixture = openFixture();
runGroups(fixture);

const DAYS = ['2026-01-31', '2026-01-30', '2025-12-24'] as const;
const USERS = ['ada', 'bob', 'cyd'] as const;
const OPERATIONS = ['GET:/issue', 'POST:/issue', 'GET:/board'] as const;
const STATUSES = [200, 404, null] as const;

const random = createRandom(7);
const oneOf = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
const two = (value: number): string => String(value).padStart(2, '0');

/** Mostly close together, so that flushes overlap in time; some are a day or a month late. */
const randomCall = (): RecordedCall => {
  const status = oneOf(STATUSES);
  return recordedCall({
    at: `${random(10) === 0 ? oneOf(DAYS) : DAYS[0]}T${two(8 + random(3))}:${two(random(4) * 15)}:${two(random(60))}.${two(random(100))}0Z`,
    operation: oneOf(OPERATIONS),
    service: oneOf(['jira', 'azdo', 'confluence'] as const),
    instanceUrl: `https://team-${random(3)}.example`,
    status,
    ok: status === 200,
    durationMs: random(500),
  });
};

type Known = { customerId: CustomerId; user: string; sourceId: string; sequence: number; call: RecordedCall };

/** Appends events of flushes that overlap, repeat each other and have rejected calls, and returns each call that counts. */
const recordRandomly = async (customerId: CustomerId, events: number): Promise<Known[]> => {
  const sent = new Map<string, RecordedCall | null>();
  const counted = new Map<string, Known>();
  for (let event = 0; event < events; event++) {
    const flushes = Array.from({ length: 1 + random(3) }, () => {
      const user = oneOf(USERS);
      const sourceId = `${user}-laptop`;
      const firstSequence = 1 + random(60);
      const calls = Array.from({ length: 1 + random(12) }, (_, index) => {
        const id = `${sourceId} ${firstSequence + index}`;
        const before = sent.get(id);
        // The same call is the same whenever it is sent again; a rejected one may come corrected.
        const call = before ?? (random(12) === 0 ? null : randomCall());
        sent.set(id, call);
        if (call && !counted.has(id)) counted.set(id, { customerId, user, sourceId, sequence: firstSequence + index, call });
        return call;
      });
      return apiCallBatch({ customerId, userId: userIdOf(user), sourceId, firstSequence, calls });
    });
    const [first, ...more] = flushes;
    if (first) await appendEvents(fixture, streams.apiCalls(customerId, oneOf(DAYS.slice(0, 2))), [apiCallsJoined(first, ...more)]);
  }
  return [...counted.values()];
};

let one: CustomerId;
let other: CustomerId;
let integratorId: IntegratorId;
let known: Known[];

beforeAll(async () => {
  const created = await newCustomer(fixture);
  one = created.customerId;
  ({ integratorId } = created);
  other = (await newCustomer(fixture, { integratorId })).customerId;
  known = [...(await recordRandomly(one, 60)), ...(await recordRandomly(other, 20))];
  const last = { customerId: other, userId: userIdOf('ada'), sourceId: 'last', calls: [recordedCall()] };
  const position = await appendEvents(fixture, streams.apiCalls(other, DAYS[0]), [apiCallsJoined(apiCallBatch(last))]);
  known.push({ customerId: other, user: 'ada', sourceId: 'last', sequence: 1, call: recordedCall() });
  await settled(fixture, 'usage', position);
  await settled(fixture, 'read', created.position);
});

const nameOf = (call: { customerId: string; sourceId: string; sequence: number }): string =>
  `${call.customerId} ${call.sourceId} ${call.sequence}`;
const namesOf = (calls: readonly RecordedCallEntry[]): string[] =>
  calls.map(({ customer, ...call }) => nameOf({ ...call, customerId: customer.customerId }));

const everything = async (scope: CallScope, filter: CallFilter, limit: number): Promise<RecordedCallEntry[]> => {
  const all: RecordedCallEntry[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await fixture.queries.calls.page(scope, { ...filter, limit, cursor });
    all.push(...page.calls);
    if (page.nextCursor === null) return all;
    expect(page.nextCursor).not.toBe(cursor);
    cursor = page.nextCursor;
  }
};

const expectOnly = (calls: readonly RecordedCallEntry[], fits: (call: Known) => boolean): void => {
  expect(namesOf(calls).sort()).toEqual(known.filter(fits).map(nameOf).sort());
  const seconds = calls.map(({ at }) => at.slice(0, 19));
  expect(seconds).toEqual(seconds.toSorted().reverse());
};

describe('the list of recorded calls', () => {
  it('has each call once, newest first, on pages of any size', async () => {
    const ofOne = (call: Known) => call.customerId === one;
    const large = await everything({ customerId: one }, {}, 500);
    expectOnly(large, ofOne);
    for (const limit of [7, 50]) {
      const small = await everything({ customerId: one }, {}, limit);
      expect(small.map(({ id }) => id)).toEqual(large.map(({ id }) => id));
    }
    const exported: RecordedCallEntry[] = [];
    for await (const call of fixture.queries.calls.export({ customerId: one }, {})) exported.push(call);
    expect(exported).toEqual(large);
    const some = known.find(
      ({ customerId, sourceId, sequence }) => nameOf({ customerId, sourceId, sequence }) === namesOf(large)[0],
    );
    const { ok, ...call } = some?.call ?? recordedCall();
    expect(large[0]).toMatchObject({ ...call, isSuccessful: ok, user: { userId: userIdOf(some?.user ?? '') } });
  });

  it('of an integrator and of the administration has the calls of all customers', async () => {
    expectOnly(await everything({ integratorId }, {}, 40), () => true);
    const all = await everything('all', { from: `${DAYS[2]}T00:00:00Z` }, 60);
    const own = all.filter(({ customer }) => [one, other].includes(customer.customerId as CustomerId));
    expectOnly(own, () => true);
  });

  it('is filtered by each property', async () => {
    const at = `${DAYS[0]}T08:45:20.500Z`;
    const filters: [CallFilter, (call: Known) => boolean][] = [
      [{ userId: userIdOf('bob') }, ({ user }) => user === 'bob'],
      [{ service: 'azdo' }, ({ call }) => call.service === 'azdo'],
      [{ operation: 'GET:/board' }, ({ call }) => call.operation === 'GET:/board'],
      [{ instanceUrl: 'https://team-1.example' }, ({ call }) => call.instanceUrl === 'https://team-1.example'],
      [{ outcome: 'failed' }, ({ call }) => !call.ok],
      [{ outcome: 'successful' }, ({ call }) => call.ok],
      [{ status: 404 }, ({ call }) => call.status === 404],
      [{ status: 'none' }, ({ call }) => call.status === null],
      [{ minDurationMs: 100, maxDurationMs: 200 }, ({ call }) => call.durationMs >= 100 && call.durationMs <= 200],
      [{ sourceId: 'cyd-laptop' }, ({ sourceId }) => sourceId === 'cyd-laptop'],
      [{ from: at }, ({ call }) => call.at >= at],
      [{ to: at }, ({ call }) => call.at <= at],
      [{ from: `${DAYS[2]}T00:00:00Z`, to: `${DAYS[2]}T23:59:59.999Z` }, ({ call }) => call.at.startsWith(DAYS[2])],
      [
        { userId: userIdOf('ada'), outcome: 'failed', service: 'jira', operation: 'GET:/issue' },
        ({ user, call }) => user === 'ada' && !call.ok && call.service === 'jira' && call.operation === 'GET:/issue',
      ],
      [{ operation: 'DELETE:/nothing' }, () => false],
    ];
    for (const [filter, fits] of filters) {
      const calls = await everything({ customerId: one }, filter, 20);
      expectOnly(calls, (call) => call.customerId === one && fits(call));
    }
  });

  it('refuses a cursor of another list', async () => {
    const page = fixture.queries.calls.page({ customerId: one }, { limit: 5, cursor: 'bm90IGEgY3Vyc29y' });
    await expect(page).rejects.toThrow('Not a cursor of this list');
  });

  it('loses the calls of a deleted customer, and takes no later ones', async () => {
    const { customerId } = await newCustomer(fixture);
    const flush = (firstSequence: number): CallFlush => apiCallBatch({ customerId, firstSequence, calls: [recordedCall()] });
    const stream = streams.apiCalls(customerId, DAYS[0]);
    const append = (firstSequence: number) =>
      appendEvents(fixture, stream, [apiCallsJoined({ ...flush(firstSequence), customerId })]);
    await settled(fixture, 'usage', await append(1));
    expect((await everything({ customerId }, {}, 10)).length).toBe(1);
    await appendEvents(fixture, streams.customer(customerId), [customerDeleted()]);
    await settled(fixture, 'usage', await append(2));
    expect(await everything({ customerId }, {}, 10)).toEqual([]);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int4 as n from usage.call_chunk where customer_id = ${customerId}`.execute(fixture.db);
    expect(rows[0]?.n).toBe(0);
  });

  it('skips calls whose stream is gone', async () => {
    const { customerId } = await newCustomer(fixture);
    const stream = streams.apiCalls(customerId, DAYS[0]);
    const batch = apiCallBatch({ customerId, calls: [recordedCall()] });
    await settled(fixture, 'usage', await appendEvents(fixture, stream, [apiCallsJoined(batch)]));
    await fixture.events.deleteStream(stream);
    expect(await fixture.queries.calls.page({ customerId }, { limit: 10 })).toEqual({
      calls: [],
      nextCursor: null,
      searchedTo: null,
    });
  });
});
