import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { RecordedCall } from '../../src/domain/apiCalls/events.ts';
import type { ApiCallsVoided } from '../../src/domain/customer/events.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import type { Position } from '../../src/eventstore/port.ts';
import type { CallFilter } from '../../src/projections/calls/finding.ts';
import { verify } from '../../src/projections/engine/verify.ts';
import { apiCallBatch, apiCallsJoined, recordedCall } from '../support/builders/activity.ts';
import { apiCallsVoided, customerDeleted, licenseEntitlementsSet } from '../support/builders/customer.ts';
import { callVoidIdOf, userIdOf } from '../support/builders/ids.ts';
import { createMemoryEventStore } from '../support/memoryEventStore.ts';
import { createRandom } from '../support/random.ts';
import { IS_AT_LENGTH } from '../support/tiers.ts';
import { record } from './calls.ts';
import { appendEvents, openFixture, plans, runGroups, runnerDeps, settled } from './fixture.ts';
import { newCustomer } from './tenants.ts';

const fixture = openFixture(createMemoryEventStore);
runGroups(fixture);

const DAYS = ['2026-01-31', '2026-01-30', '2025-12-24'] as const;
const USERS = ['ada', 'bob'] as const;
const SOURCES = ['laptop', 'build'] as const;
const MAX_SEQUENCE = 40;

type Known = { user: string; sourceId: string; sequence: number; call: RecordedCall };

const two = (value: number): string => String(value).padStart(2, '0');

/** Events of a customer, and what they should come to: the calls that count, in the order in which they were counted. */
const openCustomer = (customerId: CustomerId, random: (below: number) => number) => {
  const oneOf = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  let counted: Known[] = [];
  let voided = 0;

  const randomCall = (): RecordedCall => {
    const ok = random(4) > 0;
    const at = `${oneOf(DAYS)}T${two(8 + random(2))}:${two(random(4) * 15)}:${two(random(60))}.${two(random(100))}0Z`;
    const service = oneOf(['jira', 'azdo'] as const);
    const operation = oneOf(['GET:/issue', 'POST:/issue']);
    const instanceUrl = `https://team-${random(3)}.example`;
    return recordedCall({ at, service, operation, instanceUrl, ok, status: ok ? 200 : 500, durationMs: random(300) });
  };

  return {
    recordCalls: (): Promise<Position> => {
      const flushes = Array.from({ length: 1 + random(2) }, () => {
        const [user, sourceId, firstSequence] = [oneOf(USERS), oneOf(SOURCES), 1 + random(MAX_SEQUENCE)];
        const calls = Array.from({ length: 1 + random(8) }, () => (random(10) === 0 ? null : randomCall()));
        for (const [index, call] of calls.entries()) {
          const sequence = firstSequence + index;
          const isKnown = counted.some((one) => one.sourceId === sourceId && one.sequence === sequence);
          if (call && !isKnown) counted.push({ user, sourceId, sequence, call });
        }
        return apiCallBatch({ customerId, userId: userIdOf(user), sourceId, firstSequence, calls });
      });
      const [first = apiCallBatch({ customerId }), ...more] = flushes;
      return appendEvents(fixture, streams.apiCalls(customerId, oneOf(DAYS.slice(0, 2))), [apiCallsJoined(first, ...more)]);
    },
    voidCalls: (): Promise<Position> => {
      const range: Partial<ApiCallsVoided['data']> = {
        sourceId: oneOf(SOURCES),
        ...(random(2) === 0 && { firstSequence: 1 + random(20), lastSequence: 20 + random(20) }),
        ...(random(2) === 0 && { from: '2026-01-30T08:10:00.000Z', until: '2026-01-31T08:40:00.000Z' }),
      };
      const { firstSequence, lastSequence, from, until, sourceId } = apiCallsVoided(range).data;
      const before = counted.length;
      counted = counted.filter(
        ({ call, sequence, ...one }) =>
          one.sourceId !== sourceId ||
          sequence < (firstSequence ?? 0) ||
          sequence > (lastSequence ?? MAX_SEQUENCE * 2) ||
          (from !== null && call.at < from) ||
          (until !== null && call.at >= until),
      );
      voided += before - counted.length;
      const event = apiCallsVoided({ ...range, voidId: callVoidIdOf(`${customerId} ${random(1_000_000)}`) });
      return appendEvents(fixture, streams.customer(customerId), [event]);
    },
    counted: () => counted,
    voided: () => voided,
  };
};

const rowsOf = async (customerId: CustomerId) => {
  const { db } = fixture;
  const hex = (column: string) => sql<string>`encode(${sql.ref(column)}, 'hex')`;
  const [customer, days, hours, instances, users] = await Promise.all([
    db
      .selectFrom('usage.customer')
      .select(['calls', 'errors', 'total_ms', 'last_call_at'])
      .where('customer_id', '=', customerId)
      .execute(),
    db
      .selectFrom('usage.day')
      .select(['calls', 'errors', 'total_ms', sql<string>`day::text`.as('day')])
      .select([hex('histogram').as('histogram'), hex('parts').as('parts')])
      .where('customer_id', '=', customerId)
      .where('calls', '>', 0)
      .orderBy('day')
      .execute(),
    db
      .selectFrom('usage.call_hour')
      .select(['user_id', 'at', hex('quarters').as('quarters'), hex('parts').as('parts')])
      .where('customer_id', '=', customerId)
      .orderBy('user_id')
      .orderBy('at')
      .execute(),
    db
      .selectFrom('usage.instance')
      .select(['instance_key', 'calls', 'errors', 'total_ms', 'last_at'])
      .where('customer_id', '=', customerId)
      .where('calls', '>', 0)
      .orderBy('instance_key')
      .execute(),
    db
      .selectFrom('usage.user_call')
      .select(['user_id', 'last_call_at'])
      .where('customer_id', '=', customerId)
      .orderBy('user_id')
      .execute(),
  ]);
  return { customer, days, hours, instances, users };
};

const scopeRows = (scope: string) =>
  fixture.db
    .selectFrom('usage.scope_day')
    .select([sql<string>`day::text`.as('day'), 'calls', 'errors', 'total_ms'])
    .where('scope', '=', scope)
    .where('calls', '>', 0)
    .orderBy('day')
    .execute();

/** Records the calls in one event each user, under sources of their own. */
const recordOnce = (customerId: CustomerId, calls: readonly Known[]): Promise<Position> => {
  const [first = apiCallBatch({ customerId, calls: [] }), ...more] = calls.map(({ user, call }, index) =>
    apiCallBatch({ customerId, userId: userIdOf(user), sourceId: 'once', firstSequence: index + 1, calls: [call] }),
  );
  return appendEvents(fixture, streams.apiCalls(customerId, DAYS[0]), [apiCallsJoined(first, ...more)]);
};

const listed = async (customerId: CustomerId, filter: CallFilter) => {
  const names: string[] = [];
  for await (const { sourceId, sequence, operation, at } of fixture.queries.calls.export({ customerId }, filter))
    names.push(`${sourceId} ${sequence} ${operation} ${at}`);
  return names.sort();
};

const verified = async () => {
  const deps = {
    ...runnerDeps(fixture),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onParked: () => undefined,
  };
  return (await verify(plans.usage, deps)).differences;
};

const total = async (customerId: CustomerId) => (await fixture.queries.usage.of({ customerId }, USAGE)).totalApiCalls;
const USAGE = { zone: 'UTC', from: '2026-01-02', to: '2026-01-31', today: '2026-01-31' };

describe('voided calls', () => {
  it('leave the usage of a customer without them, in any order with recordings', async () => {
    for (const seed of IS_AT_LENGTH ? [1, 2, 3] : [1]) {
      const random = createRandom(seed);
      const [one, fresh] = [await newCustomer(fixture), await newCustomer(fixture)];
      const model = openCustomer(one.customerId, random);
      let position = one.position;
      for (let event = 0; event < 40; event++) position = await (random(5) === 0 ? model.voidCalls() : model.recordCalls());
      await settled(fixture, 'usage', position);
      await settled(fixture, 'usage', await recordOnce(fresh.customerId, model.counted()));
      expect(model.counted().length).toBeGreaterThan(0);
      expect(model.voided()).toBeGreaterThan(0);
      expect(await rowsOf(one.customerId)).toEqual(await rowsOf(fresh.customerId));
      expect(await scopeRows(one.integratorId)).toEqual(await scopeRows(fresh.integratorId));
      const names = model.counted().map(({ sourceId, sequence, call }) => `${sourceId} ${sequence} ${call.operation} ${call.at}`);
      expect(await listed(one.customerId, { counting: 'counted' })).toEqual(names.sort());
      expect(await listed(one.customerId, { counting: 'voided' })).toHaveLength(model.voided());
      expect(await listed(one.customerId, {})).toHaveLength(model.voided() + names.length);
      const voids = await fixture.db.selectFrom('usage.void').select('calls').where('customer_id', '=', one.customerId).execute();
      expect(voids.reduce((sum, { calls }) => sum + calls, 0)).toBe(model.voided());
    }
    expect(await verified()).toEqual([]);
  });

  it('can be recorded again, and count once', async () => {
    const { customerId } = await newCustomer(fixture);
    await record(fixture, customerId, [1, 10]);
    const again = apiCallsVoided({ firstSequence: 4, lastSequence: 6 });
    await settled(fixture, 'usage', await appendEvents(fixture, streams.customer(customerId), [again]));
    expect(await total(customerId)).toBe(7);
    expect(await fixture.queries.usage.sourceRanges(customerId, 'laptop')).toEqual({
      ranges: [
        [1, 3],
        [7, 10],
      ],
      voids: 1,
    });
    await record(fixture, customerId, [1, 10]);
    await settled(fixture, 'usage', await record(fixture, customerId, [1, 10]));
    expect(await total(customerId)).toBe(10);
    const { calls } = await fixture.queries.calls.page({ customerId }, { limit: 50 });
    expect(
      calls
        .filter(({ voidId }) => voidId === again.data.voidId)
        .map(({ sequence }) => sequence)
        .sort(),
    ).toEqual([4, 5, 6]);
    expect(calls).toHaveLength(13);
  });

  it('are previewed before, and nothing is left to void after', async () => {
    const { customerId } = await newCustomer(fixture);
    await settled(fixture, 'usage', await record(fixture, customerId, [1, 10], { call: { ok: false, status: 500 } }));
    const range = { sourceId: 'laptop', firstSequence: 3, lastSequence: null, from: null, until: null };
    expect(await fixture.queries.voids.preview(customerId, range)).toEqual({
      calls: 8,
      errors: 8,
      firstSequence: 3,
      lastSequence: 10,
      days: [{ day: '2026-01-31', calls: 8 }],
      services: [{ service: 'jira', calls: 8 }],
      users: [{ userId: userIdOf('ada'), username: null, calls: 8 }],
      countedFrom: null,
    });
    await settled(fixture, 'usage', await appendEvents(fixture, streams.customer(customerId), [apiCallsVoided(range)]));
    expect(await fixture.queries.voids.preview(customerId, range)).toMatchObject({ calls: 0, firstSequence: null, days: [] });
    expect(await fixture.queries.usage.instances(customerId)).toHaveLength(1);
    await settled(fixture, 'usage', await appendEvents(fixture, streams.customer(customerId), [apiCallsVoided()]));
    expect(await fixture.queries.usage.instances(customerId)).toEqual([]);
    expect(await total(customerId)).toBe(0);
    await settled(fixture, 'usage', await appendEvents(fixture, streams.customer(customerId), [customerDeleted()]));
    expect(await fixture.db.selectFrom('usage.void').select('calls').where('customer_id', '=', customerId).execute()).toEqual([]);
  });
});

describe('a void of very many calls', () => {
  it('is applied, with the months in which they were made', async () => {
    const [BATCH, CALLS] = [5_000, 140_000];
    const { customerId } = await newCustomer(fixture);
    const onlyAzdo = licenseEntitlementsSet([{ code: 'azdo', startsAt: null, endsAt: null }]);
    await appendEvents(fixture, streams.customer(customerId), [onlyAzdo], { at: '2025-12-01T00:00:00.000Z' });
    for (let first = 1; first <= CALLS; first += BATCH) await record(fixture, customerId, [first, first + BATCH - 1]);
    await record(fixture, customerId, [CALLS + 1, CALLS + 2], { call: { at: '2025-12-31T23:59:59.000Z', ok: false, status: 500 } });
    await settled(fixture, 'usage', await appendEvents(fixture, streams.customer(customerId), [apiCallsVoided()]));
    expect(await total(customerId)).toBe(0);
    const { calls, made } = await fixture.db
      .selectFrom('usage.void')
      .select(['calls', 'made'])
      .where('customer_id', '=', customerId)
      .executeTakeFirstOrThrow();
    expect({ calls, made }).toEqual({
      calls: CALLS + 2,
      made: { '2025-12': { calls: 2, errors: 2 }, '2026-01': { calls: CALLS, errors: 0 } },
    });
    expect(await fixture.queries.usage.totalNotIncluded()).toBe(0);
  });
});

describe('calls to a service that the license did not include', () => {
  it('are counted, flagged and reported, as the license was when they were made and recorded', async () => {
    const only = (code: string) => licenseEntitlementsSet([{ code, startsAt: null, endsAt: null }]);
    const { customerId } = await newCustomer(fixture);
    const stream = streams.customer(customerId);
    await record(fixture, customerId, [1, 2]); // before there was a list
    await appendEvents(fixture, stream, [only('azdo')], { at: '2026-01-31T11:00:00.000Z' });
    await record(fixture, customerId, [3, 6]); // made after it
    await record(fixture, customerId, [7, 8], { call: { at: '2026-01-31T10:59:59.000Z' } });
    await appendEvents(fixture, stream, [licenseEntitlementsSet(null)], { at: '2026-01-31T12:00:00.000Z' });
    await settled(fixture, 'usage', await record(fixture, customerId, [9, 9], { call: { at: '2026-01-31T12:30:00.000Z' } }));
    const usage = () => fixture.queries.usage.of({ customerId }, USAGE);
    expect(await usage()).toMatchObject({ totalApiCalls: 9, notIncluded: [{ service: 'jira', calls: 4 }] });
    const { calls } = await fixture.queries.calls.page({ customerId }, { limit: 50, entitlement: 'not_included' });
    expect(calls.map(({ sequence }) => sequence).sort()).toEqual([3, 4, 5, 6]);
    const some = apiCallsVoided({ firstSequence: 1, lastSequence: 5 });
    await settled(fixture, 'usage', await appendEvents(fixture, stream, [some]));
    expect(await usage()).toMatchObject({ totalApiCalls: 4, notIncluded: [{ service: 'jira', calls: 1 }] });
    await settled(fixture, 'usage', await appendEvents(fixture, stream, [apiCallsVoided()]));
    expect(await usage()).not.toHaveProperty('notIncluded');
    expect(await verified()).toEqual([]);
  });
});
