import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { ConnectionId, CustomerId, UserId } from '../../src/domain/ids.ts';
import { customerDeleted, customerReactivated, customerSuspended } from '../support/builders/customer.ts';
import { itAtLength } from '../support/tiers.ts';
import { daysUpTo, record } from './calls.ts';
import { appendEvents, openFixture, runGroups, settled } from './fixture.ts';
import { newCustomer, newIntegrator } from './tenants.ts';

const fixture = openFixture();
runGroups(fixture);

describe('a dashboard', () => {
  it('returns counts and a series of thirty days', async () => {
    const day = (date: string) => `${date}T09:00:00.000Z`;
    const integratorId = await newIntegrator(fixture, 'Partner', day('2025-11-01'));
    await newCustomer(fixture, { integratorId, at: day('2025-12-20') });
    const suspended = await newCustomer(fixture, { integratorId, at: day('2026-01-05') });
    const gone = await newCustomer(fixture, { integratorId, at: day('2026-01-10') });
    await appendEvents(fixture, streams.customer(suspended.customerId), [customerSuspended()], { at: day('2026-01-08') });
    await appendEvents(fixture, streams.customer(suspended.customerId), [customerReactivated(), customerSuspended()], {
      at: day('2026-01-20'),
    });
    const position = await appendEvents(fixture, streams.customer(gone.customerId), [customerDeleted()], { at: day('2026-01-25') });
    const call = (date: string) => ({ call: { at: day(date) } });
    await record(fixture, suspended.customerId, [1, 10], call('2026-01-31'));
    await record(fixture, suspended.customerId, [11, 15], call('2026-01-02'));
    await record(fixture, suspended.customerId, [16, 18], call('2026-01-01'));
    const calls = await record(fixture, suspended.customerId, [19, 20], call('2025-11-30'));
    await Promise.all([settled(fixture, 'read', position), settled(fixture, 'usage', calls)]);
    const stats = await fixture.queries.stats.integrator(integratorId);
    expect(stats).toMatchObject({
      totalCustomers: 2,
      activeCustomers: 1,
      totalApiCalls: 20,
      totalServiceIntegrators: 1,
      newCustomersLast30Days: 2,
      newServiceIntegratorsLast30Days: 0,
      apiCallsLast30Days: 15,
      apiCallsPrevious30Days: 3,
    });
    const on = (date: string) => stats.trend.find((point) => point.day === date);
    expect(stats.trend).toHaveLength(30);
    expect(on('2026-01-02')).toEqual({ day: '2026-01-02', customers: 1, activeCustomers: 1, apiCalls: 5, serviceIntegrators: 1 });
    expect(on('2026-01-05')).toMatchObject({ customers: 2, activeCustomers: 2 });
    expect(on('2026-01-08')).toMatchObject({ customers: 2, activeCustomers: 1 });
    expect(on('2026-01-10')).toMatchObject({ customers: 3, activeCustomers: 2 });
    expect(on('2026-01-25')).toMatchObject({ customers: 2, activeCustomers: 1 });
    expect(on('2026-01-31')).toMatchObject({ customers: 2, activeCustomers: 1, apiCalls: 10 });
    const all = await fixture.queries.stats.admin();
    expect(all.totalCustomers).toBeGreaterThanOrEqual(2);
    expect(all.totalServiceIntegrators).toBeGreaterThanOrEqual(1);
    const metrics = await fixture.queries.monitoring.metrics();
    const total = await fixture.queries.usage.total();
    expect(metrics.apiCalls).toMatchObject({ total: total.calls, failed: 0, successful: total.calls, avgDuration: 42 });
    expect(metrics.customers).toMatchObject({ total: all.totalCustomers, active: all.activeCustomers });
  });
});

describe('the live charts', () => {
  it('have a point for each second and minute in which calls arrived', async () => {
    const { customerId } = await newCustomer(fixture);
    const at = (time: string) => `2026-03-01T${time}Z`;
    await record(fixture, customerId, [1, 10], { at: at('10:00:00.100'), call: { durationMs: 20 } });
    await record(fixture, customerId, [1, 10], { at: at('10:00:05.000') });
    await record(fixture, customerId, [11, 12], { at: at('10:00:05.999'), call: { durationMs: 10, ok: false } });
    const [userId, connectionId] = [randomUUID() as UserId, randomUUID() as ConnectionId];
    const ofUser = { userId, customerId, connectionId };
    await appendEvents(fixture, streams.userActivity(userId), [{ type: 'UserConnected', data: { ...ofUser, node: 'n' } }], {
      at: at('10:00:02.000'),
    });
    const position = await appendEvents(
      fixture,
      streams.userActivity(userId),
      [{ type: 'UserDisconnected', data: { ...ofUser, reason: 'lost' } }],
      {
        at: at('10:00:07.000'),
      },
    );
    await settled(fixture, 'usage', position);
    const timeline = await fixture.queries.monitoring.timeline('15m', new Date(at('10:00:09.500')));
    expect(timeline).toHaveLength(900);
    const last = timeline.slice(-10);
    expect(last.map((point) => point.at.slice(17, 19))).toEqual(['00', '01', '02', '03', '04', '05', '06', '07', '08', '09']);
    expect(last.map(({ callsPerSecond }) => callsPerSecond)).toEqual([10, 0, 0, 0, 0, 2, 0, 0, 0, 0]);
    expect(last.map(({ failedPerSecond }) => failedPerSecond)).toEqual([0, 0, 0, 0, 0, 2, 0, 0, 0, 0]);
    expect(last.map(({ connectedUsers }) => connectedUsers)).toEqual([0, 0, 1, 1, 1, 1, 1, 0, 0, 0]);
    expect(last[0]).toMatchObject({ p50: 20, p99: 20 });
    expect(last[1]).toMatchObject({ p50: null, p99: null });
    const hours = await fixture.queries.monitoring.timeline('24h', new Date(at('10:01:00.000')));
    expect(hours).toHaveLength(1440);
    expect(hours.at(-2)).toMatchObject({ at: at('10:00:00.000'), callsPerSecond: 12 / 60, failedPerSecond: 2 / 60 });
  });

  it('contain the last finished seconds; late calls count in their own second', async () => {
    const { customerId } = await newCustomer(fixture);
    const at = (time: string) => `2026-03-02T${time}Z`;
    const source = { sourceId: 'late' };
    const latest = async () => {
      const points = await fixture.queries.monitoring.latest(3, new Date(at('10:00:05.200')));
      return points.map((point) => [point.at, point.callsPerSecond]);
    };
    await settled(fixture, 'usage', await record(fixture, customerId, [1, 4], { ...source, at: at('10:00:02.999') }));
    expect(await latest()).toEqual([
      [at('10:00:02.000'), 4],
      [at('10:00:03.000'), 0],
      [at('10:00:04.000'), 0],
    ]);
    await record(fixture, customerId, [5, 6], { ...source, at: at('10:00:05.000') });
    await settled(fixture, 'usage', await record(fixture, customerId, [7, 9], { ...source, at: at('10:00:03.100') }));
    expect(await latest()).toEqual([
      [at('10:00:02.000'), 4],
      [at('10:00:03.000'), 3],
      [at('10:00:04.000'), 0],
    ]);
  });

  it('show the lag of the read models in each second, and the maximum of each minute', async () => {
    const late = [
      { group_name: 'main', at: new Date('2126-03-04T10:00:01.200Z'), lag_ms: 7 },
      { group_name: 'usage', at: new Date('2126-03-04T10:00:01.900Z'), lag_ms: 90 },
      { group_name: 'usage', at: new Date('2126-03-04T10:00:03.000Z'), lag_ms: 30 },
    ];
    await fixture.db.insertInto('ops.projection_lag').values(late).execute();
    const minute = { at: new Date('2126-03-04T10:00:00Z') };
    await fixture.db
      .insertInto('ops.projection_lag_minute')
      .values([
        { group_name: 'main', ...minute, lag_ms: 7 },
        { group_name: 'usage', ...minute, lag_ms: 90 },
      ])
      .execute();
    const seconds = await fixture.queries.monitoring.timeline('15m', new Date('2126-03-04T10:00:03.500Z'));
    expect(seconds.slice(-4).map(({ projectionLagMs }) => projectionLagMs)).toEqual([null, 90, 90, 30]);
    expect(seconds.slice(-4).map(({ mainLagMs }) => mainLagMs)).toEqual([null, 7, 7, 7]);
    expect(seconds.slice(-4).map(({ usageLagMs }) => usageLagMs)).toEqual([null, 90, 90, 30]);
    const minutes = await fixture.queries.monitoring.timeline('24h', new Date('2126-03-04T10:01:00Z'));
    expect(minutes.slice(-2).map(({ projectionLagMs }) => projectionLagMs)).toEqual([90, null]);
  });

  itAtLength('are written by the node that runs the projections, which removes points that are too old', async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const old = { group_name: 'main', lag_ms: 1 };
    await fixture.db
      .insertInto('ops.projection_lag')
      .values({ ...old, at: ago(16) })
      .execute();
    await fixture.db
      .insertInto('ops.projection_lag_minute')
      .values({ ...old, at: ago(25 * 60) })
      .execute();
    const kept = async (table: 'ops.projection_lag' | 'ops.projection_lag_minute') =>
      fixture.db.selectFrom(table).selectAll().where('group_name', '=', 'main').where('at', '<=', ago(0)).orderBy('at').execute();
    const oldest = async () => (await kept('ops.projection_lag'))[0]?.at.getTime() ?? 0;
    await expect.poll(async () => (await oldest()) > ago(16).getTime()).toBe(true);
    const samples = await kept('ops.projection_lag');
    const minutes = await kept('ops.projection_lag_minute');
    expect(minutes[0]?.at.getTime()).toBeGreaterThan(ago(24 * 60).getTime());
    const worst = new Map(minutes.map(({ at, lag_ms }) => [at.toISOString().slice(0, 16), lag_ms]));
    for (const { at, lag_ms } of samples) {
      expect(worst.get(at.toISOString().slice(0, 16))).toBeGreaterThanOrEqual(lag_ms);
    }
  });

  it('have the percentiles of all calls, including calls after an earlier query', async () => {
    const { customerId } = await newCustomer(fixture);
    const percentiles = async () => {
      const points = await fixture.queries.monitoring.timeline('15m', new Date('2026-03-03T10:00:01Z'));
      return points.slice(-2).map(({ p50, p99 }) => [p50, p99]);
    };
    const call = (range: [number, number], durationMs: number) =>
      record(fixture, customerId, range, { sourceId: 'slow', at: '2026-03-03T10:00:00.500Z', call: { durationMs } });
    await settled(fixture, 'usage', await call([1, 2], 20));
    expect(await percentiles()).toEqual([
      [20, 20],
      [null, null],
    ]);
    await settled(fixture, 'usage', await call([3, 9], 1000));
    const [changed] = await percentiles();
    expect(changed?.[0]).toBeGreaterThan(900);
    expect(await percentiles()).toEqual([changed, [null, null]]);
  });

  it('remove old points, by the time of the newest event', async () => {
    const { customerId } = await newCustomer(fixture);
    await record(fixture, customerId, [1, 1], { at: '2026-04-01T10:00:00.000Z' });
    await record(fixture, customerId, [2, 2], { at: '2026-04-01T10:16:00.000Z' });
    await settled(fixture, 'usage', await record(fixture, customerId, [3, 3], { at: '2026-04-01T10:00:30.000Z' }));
    const seconds = await fixture.db.selectFrom('usage.second').select('at').orderBy('at').execute();
    expect(seconds.map(({ at }) => at.toISOString())).toEqual(['2026-04-01T10:16:00.000Z']);
    const minutes = await fixture.db
      .selectFrom('usage.minute')
      .select('at')
      .where('at', '>=', new Date('2026-04-01'))
      .orderBy('at')
      .execute();
    expect(minutes).toHaveLength(2);
    expect(
      (await fixture.queries.usage.of({ customerId: customerId as CustomerId }, daysUpTo('2026-03-31', 90))).totalApiCalls,
    ).toBe(3);
  });

  it('have gaps where no server ran, and zeros where one ran without calls', async () => {
    const at = (time: string) => `2126-05-01T${time}Z`;
    await fixture.db
      .insertInto('ops.projection_lag')
      .values(
        ['10:00:10.300', '10:00:15.400', '10:01:00.100'].map((time) => ({ group_name: 'main', at: new Date(at(time)), lag_ms: 4 })),
      )
      .execute();
    await fixture.db
      .insertInto('ops.projection_lag_minute')
      .values(['10:00:00', '10:02:00'].map((time) => ({ group_name: 'main', at: new Date(at(time)), lag_ms: 4 })))
      .execute();
    const noServer = {
      callsPerSecond: null,
      failedPerSecond: null,
      p50: null,
      p95: null,
      p99: null,
      connectedUsers: null,
      projectionLagMs: null,
      mainLagMs: null,
      usageLagMs: null,
    };
    const noCalls = {
      callsPerSecond: 0,
      failedPerSecond: 0,
      p50: null,
      p95: null,
      p99: null,
      projectionLagMs: 4,
      mainLagMs: 4,
      usageLagMs: null,
    };
    const seconds = await fixture.queries.monitoring.timeline('15m', new Date(at('10:01:00.500')));
    const second = (time: string) => seconds.find((point) => point.at === at(time));
    expect(second('10:00:09.000')).toEqual({ at: at('10:00:09.000'), ...noServer });
    expect(second('10:00:10.000')).toMatchObject(noCalls);
    expect(second('10:00:29.000')).toMatchObject({ ...noCalls, connectedUsers: expect.any(Number) });
    expect(second('10:00:30.000')).toEqual({ at: at('10:00:30.000'), ...noServer });
    expect(second('10:00:59.000')).toMatchObject(noServer);
    expect(second('10:01:00.000')).toMatchObject(noCalls);
    const minutes = await fixture.queries.monitoring.timeline('24h', new Date(at('10:02:30.000')));
    expect(minutes.slice(-4).map(({ callsPerSecond }) => callsPerSecond)).toEqual([null, 0, null, 0]);
  });

  it('have the percentiles of all calls of a point, not of its slowest second', async () => {
    const { customerId } = await newCustomer(fixture);
    const at = (time: string) => `2126-06-01T${time}Z`;
    const calls = (range: [number, number], time: string, durationMs: number) =>
      record(fixture, customerId, range, { sourceId: 'spans', at: at(time), call: { durationMs } });
    await calls([1, 98], '10:00:00.000', 20);
    await calls([99, 99], '10:00:02.000', 31);
    await calls([100, 100], '10:00:05.000', 31);
    await settled(fixture, 'usage', await calls([101, 1000], '10:07:00.000', 10));
    const valuesAt = async (window: '15m' | '24h', now: string, times: readonly string[]) => {
      const points = await fixture.queries.monitoring.timeline(window, new Date(at(now)));
      return times.map((time) => {
        const found = points.find((point) => point.at === at(time));
        return [found?.p50, found?.p95, found?.p99];
      });
    };
    const seconds = ['10:00:00.000', '10:00:01.000', '10:00:02.000', '10:00:05.000'];
    expect(await valuesAt('15m', '10:07:10.000', seconds)).toEqual([
      [20, 20, 20],
      [null, null, null],
      [20, 20, 31],
      [31, 31, 31],
    ]);
    expect(await valuesAt('24h', '10:08:00.000', ['10:00:00.000', '10:07:00.000'])).toEqual([
      [20, 20, 31],
      [10, 20, 20],
    ]);
    // A window that begins within a span still merges the calls before it.
    const [first] = await fixture.queries.monitoring.latest(1, new Date(at('10:00:03.000')));
    expect(first).toMatchObject({ at: at('10:00:02.000'), p50: 20, p99: 31 });
  });
});
