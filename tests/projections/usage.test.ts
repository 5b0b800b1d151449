import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createApiCallRecorder } from '../../src/commands/apiCalls.ts';
import { streams } from '../../src/commands/streams.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import { type EventStore, EventStoreUnavailable } from '../../src/eventstore/port.ts';
import { apiCallBatch, apiCallsJoined, apiCallsRecorded, recordedCall } from '../support/builders/activity.ts';
import { metaOf } from '../support/builders/command.ts';
import { customerDeleted } from '../support/builders/customer.ts';
import { userIdOf } from '../support/builders/ids.ts';
import { daysUpTo, record, recordInstances } from './calls.ts';
import { appendEvents, openFixture, runGroups, settled } from './fixture.ts';
import { newCustomer, newIntegrator } from './tenants.ts';

const fixture = openFixture();
runGroups(fixture);

const TODAY = '2026-01-31';
const usageOf = (customerId: CustomerId, days = 30) => fixture.queries.usage.of({ customerId }, daysUpTo(TODAY, days));
const total = async (customerId: CustomerId) => (await usageOf(customerId)).totalApiCalls;

describe('an API call', () => {
  it('counts once if it is sent repeatedly', async () => {
    const { customerId } = await newCustomer(fixture);
    for (let times = 0; times < 3; times++) await record(fixture, customerId, [1, 50]);
    await settled(fixture, 'usage', await record(fixture, customerId, [1, 50]));
    expect(await total(customerId)).toBe(50);
    expect((await fixture.queries.usage.sourceRanges(customerId, 'laptop')).ranges).toEqual([[1, 50]]);
  });

  it('counts once if flushes overlap, in any order', async () => {
    const { customerId } = await newCustomer(fixture);
    for (const range of [
      [40, 60],
      [1, 10],
      [5, 45],
      [100, 110],
      [58, 99],
      [1, 110],
    ] as const)
      await record(fixture, customerId, range);
    await settled(fixture, 'usage', await record(fixture, customerId, [90, 112]));
    expect(await total(customerId)).toBe(112);
    expect((await fixture.queries.usage.sourceRanges(customerId, 'laptop')).ranges).toEqual([[1, 112]]);
  });

  it('counts separately for each source and customer', async () => {
    const [one, other] = [await newCustomer(fixture), await newCustomer(fixture)];
    await record(fixture, one.customerId, [1, 10]);
    await record(fixture, one.customerId, [1, 10], { sourceId: 'build server' });
    await settled(fixture, 'usage', await record(fixture, other.customerId, [1, 10]));
    expect([await total(one.customerId), await total(other.customerId)]).toEqual([20, 10]);
  });

  it('that was rejected does not count, and can be sent again', async () => {
    const { customerId } = await newCustomer(fixture);
    await settled(fixture, 'usage', await record(fixture, customerId, [1, 10], { missing: [1, 4, 5, 10] }));
    expect(await total(customerId)).toBe(6);
    expect((await fixture.queries.usage.sourceRanges(customerId, 'laptop')).ranges).toEqual([
      [2, 3],
      [6, 9],
    ]);
    await settled(fixture, 'usage', await record(fixture, customerId, [1, 10], { missing: [4] }));
    expect(await total(customerId)).toBe(9);
    expect((await fixture.queries.usage.sourceRanges(customerId, 'laptop')).ranges).toEqual([
      [1, 3],
      [5, 10],
    ]);
  });

  it('counts once in an event with other sources and users, even if the event repeats it', async () => {
    const { customerId } = await newCustomer(fixture);
    const calls = (count: number) => Array.from({ length: count }, () => recordedCall());
    const flush = (sourceId: string, firstSequence: number, count: number, user = 'ada') =>
      apiCallBatch({ customerId, userId: userIdOf(user), sourceId, firstSequence, calls: calls(count) });
    await record(fixture, customerId, [5, 14]);
    const event = apiCallsJoined(
      flush('laptop', 1, 10),
      flush('build', 1, 3, 'bob'),
      flush('laptop', 1, 10),
      flush('laptop', 21, 1),
      flush('build', 2, 4, 'bob'),
    );
    await settled(fixture, 'usage', await appendEvents(fixture, streams.apiCalls(customerId, TODAY), [event]));
    expect(await total(customerId)).toBe(20);
    expect((await fixture.queries.usage.sourceRanges(customerId, 'laptop')).ranges).toEqual([
      [1, 14],
      [21, 21],
    ]);
    expect((await fixture.queries.usage.sourceRanges(customerId, 'build')).ranges).toEqual([[1, 5]]);
  });

  it('counts once if the server stops before the reply and the call is sent again', async () => {
    const { customerId } = await newCustomer(fixture);
    let isLost = true;
    const append: EventStore['append'] = async (...asked) => {
      const appended = await fixture.events.append(...asked);
      if (isLost) throw new EventStoreUnavailable('The reply was lost');
      return appended;
    };
    const recording = createApiCallRecorder({ events: { append } });
    const batches = ['laptop', 'build', 'phone'].map((sourceId) => apiCallBatch({ customerId, sourceId }));
    const send = () => Promise.allSettled(batches.map((batch) => recording(batch, metaOf({ at: `${TODAY}T12:00:00.000Z` }))));
    expect((await send()).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    isLost = false;
    const again = await send();
    for (const sent of again) if (sent.status === 'fulfilled') await settled(fixture, 'usage', sent.value);
    expect(again.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(await total(customerId)).toBe(6);
  });

  it('of an unknown source is not counted', async () => {
    const { customerId } = await newCustomer(fixture);
    expect((await fixture.queries.usage.sourceRanges(customerId, 'nobody')).ranges).toEqual([]);
  });
});

describe('the usage of a customer', () => {
  it('is returned by day and by instance, with its latencies', async () => {
    const { customerId, position: created } = await newCustomer(fixture);
    await settled(fixture, 'read', created);
    const call = (day: string, instance: string, durationMs: number, ok = true) =>
      recordedCall({ at: `${day}T10:00:00.000Z`, instanceUrl: `https://${instance}.example`, durationMs, ok });
    const position = await appendEvents(fixture, streams.apiCalls(customerId, TODAY), [
      apiCallsRecorded({
        customerId,
        firstSequence: 1,
        calls: [
          ...Array.from({ length: 98 }, () => call('2026-01-30', 'a', 20)),
          call('2026-01-30', 'a', 1000, false),
          call('2026-01-30', 'a', 4000, false),
        ],
      }),
      apiCallsRecorded({
        customerId,
        firstSequence: 101,
        calls: [call('2026-01-31', 'b', 30), call('2026-01-25', 'b', 10), call('2026-01-24', 'b', 10), call('2025-12-01', 'c', 10)],
      }),
    ]);
    await settled(fixture, 'usage', position);
    const week = await usageOf(customerId, 7);
    expect(week).toMatchObject({
      totalApiCalls: 102,
      apiCallsLast30Days: 103,
      activeInstances: 2,
      avgResponseTime: (98 * 20 + 1000 + 4000 + 30 + 10) / 102,
      p50: 20,
      p95: 20,
      peakUsageDay: '2026-01-30',
      peakUsageCalls: 100,
      errorRate: 2 / 102,
      totalErrors: 2,
      instanceUsage: [
        {
          instanceUrl: 'https://a.example',
          service: 'jira',
          apiCalls: 100,
          errors: 2,
          avgResponseTime: 69.6,
          lastActive: '2026-01-30T10:00:00.000Z',
        },
        {
          instanceUrl: 'https://b.example',
          service: 'jira',
          apiCalls: 2,
          errors: 0,
          avgResponseTime: 20,
          lastActive: '2026-01-31T10:00:00.000Z',
        },
      ],
    });
    expect(week.p99).toBeGreaterThan(950);
    expect(week.p99).toBeLessThan(1050);
    expect(week.daily.map(({ day, calls }) => [day, calls])).toEqual([
      ['2026-01-25', 1],
      ['2026-01-26', 0],
      ['2026-01-27', 0],
      ['2026-01-28', 0],
      ['2026-01-29', 0],
      ['2026-01-30', 100],
      ['2026-01-31', 1],
    ]);
    expect(week.daily[5]).toMatchObject({ errors: 2, avgResponseTime: 69.6, p95: 20 });
    expect(await usageOf(customerId, 90)).toMatchObject({ totalApiCalls: 104, apiCallsLast30Days: 103, activeInstances: 3 });
    const instances = await fixture.queries.usage.instances(customerId);
    expect(instances.map(({ instanceUrl, apiCalls }) => [instanceUrl, apiCalls])).toEqual([
      ['https://b.example', 3],
      ['https://a.example', 100],
      ['https://c.example', 1],
    ]);
    expect((await fixture.queries.customers.get(customerId))?.customer).toMatchObject({
      totalApiCalls: 104,
      lastApiCall: '2026-01-31T10:00:00.000Z',
      lastActivityAt: '2026-01-31T10:00:00.000Z',
    });
  });

  it('has 2,000 instances, and sums the calls of further ones by service', async () => {
    const { customerId } = await newCustomer(fixture);
    const before = await fixture.queries.usage.customersWithOtherInstances();
    for (const from of [1, 601, 1_201, 1_801]) await recordInstances(fixture, customerId, [from, from + 599]);
    await recordInstances(fixture, customerId, [1_999, 2_003], { firstSequence: 3_000, call: { ok: false, status: 500 } });
    const position = await recordInstances(fixture, customerId, [2_401, 2_410], {
      firstSequence: 4_000,
      call: { service: 'azdo' },
    });
    await settled(fixture, 'usage', position);
    const { totalApiCalls, totalErrors, activeInstances, instanceUsage } = await usageOf(customerId);
    expect([totalApiCalls, totalErrors, activeInstances]).toEqual([2_415, 5, 2_002]);
    expect(instanceUsage.reduce((sum, { apiCalls }) => sum + apiCalls, 0)).toBe(2_415);
    const others = instanceUsage.filter(({ instanceUrl }) => instanceUrl === 'other');
    expect(others).toMatchObject([
      { service: 'jira', apiCalls: 403, errors: 3 },
      { service: 'azdo', apiCalls: 10, errors: 0 },
    ]);
    const own = (number: number) => instanceUsage.find(({ instanceUrl }) => instanceUrl === `https://instance-${number}.example`);
    expect([own(2_000)?.apiCalls, own(2_001)]).toEqual([2, undefined]);
    expect(await fixture.queries.usage.customersWithOtherInstances()).toBe(before + 1);
  });

  it('is empty without calls', async () => {
    const { customerId, position } = await newCustomer(fixture);
    await settled(fixture, 'usage', position);
    const usage = await usageOf(customerId, 90);
    expect(usage).toMatchObject({ totalApiCalls: 0, errorRate: 0, peakUsageDay: null, p99: 0, instanceUsage: [] });
    expect(usage.daily).toHaveLength(90);
  });

  it('sorts customers by their calls, page by page', async () => {
    const serviceIntegratorId = await newIntegrator(fixture);
    let position = 0n;
    for (const calls of [3, 0, 7, 5]) {
      const { customerId, position: registered } = await newCustomer(fixture, {
        integratorId: serviceIntegratorId,
        name: `${calls} calls`,
      });
      position = calls > 0 ? await record(fixture, customerId, [1, calls]) : registered;
    }
    await settled(fixture, 'usage', position);
    await settled(fixture, 'read', (await newCustomer(fixture)).position);
    const page = (sort: 'totalApiCalls' | '-totalApiCalls', cursor?: string) =>
      fixture.queries.customers.list({ serviceIntegratorId, sort, limit: 3, cursor });
    const expectPages = async () => {
      const first = await page('-totalApiCalls');
      expect(first.customers.map(({ totalApiCalls }) => totalApiCalls)).toEqual([7, 5, 3]);
      const second = await page('-totalApiCalls', first.nextCursor ?? '');
      expect(second.customers.map(({ name }) => name)).toEqual(['0 calls']);
      expect((await page('totalApiCalls')).customers.map(({ totalApiCalls }) => totalApiCalls)).toEqual([0, 3, 5]);
    };
    await expectPages();
    // Many matches use another query plan.
    await sql`update read.tally set n = 100000 where kind = 'customer' and scope = ${serviceIntegratorId}`.execute(fixture.db);
    await expectPages();
  });

  it('is removed with the customer and from the totals, and later calls do not count', async () => {
    const integratorId = await newIntegrator(fixture);
    const [gone, stays] = [await newCustomer(fixture, { integratorId }), await newCustomer(fixture, { integratorId })];
    await record(fixture, stays.customerId, [1, 10]);
    await settled(fixture, 'usage', await record(fixture, gone.customerId, [1, 100]));
    const before = await fixture.queries.usage.total();
    expect((await fixture.queries.stats.integrator(integratorId)).totalApiCalls).toBe(110);
    await appendEvents(fixture, streams.customer(gone.customerId), [customerDeleted()]);
    await settled(fixture, 'usage', await record(fixture, gone.customerId, [101, 200]));
    expect(await total(gone.customerId)).toBe(0);
    expect(await fixture.queries.usage.instances(gone.customerId)).toEqual([]);
    expect((await fixture.queries.usage.sourceRanges(gone.customerId, 'laptop')).ranges).toEqual([]);
    expect((await fixture.queries.stats.integrator(integratorId)).totalApiCalls).toBe(10);
    expect(before.calls - (await fixture.queries.usage.total()).calls).toBe(100);
  });
});
