import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { ConnectionId, UserId } from '../../src/domain/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { record } from './calls.ts';
import { appendEvents, openFixture, runGroups, settled } from './fixture.ts';
import { newCustomer } from './tenants.ts';

const fixture = openFixture();
runGroups(fixture);

const END = Date.parse('2126-03-01T12:00:00Z');
const chart = (lengthMs: number, now = END) => fixture.queries.monitoring.chart({ from: now - lengthMs, to: now }, new Date(now));
const ago = (ms: number): string => new Date(END - ms).toISOString();

describe('the charts of a period', () => {
  it('count each call once in every range, from seconds, minutes or hours', async () => {
    const { customerId } = await newCustomer(fixture);
    const times = [40 * DAY_MS, 20 * DAY_MS, 3 * DAY_MS, 20 * HOUR_MS, 5 * HOUR_MS, 40 * MINUTE_MS, 10 * MINUTE_MS, 2_500];
    let sequence = 0;
    for (const time of times) {
      await record(fixture, customerId, [sequence + 1, sequence + 4], { at: ago(time), call: { durationMs: 20 } });
      await record(fixture, customerId, [sequence + 5, sequence + 5], { at: ago(time), call: { durationMs: 30, ok: false } });
      sequence += 5;
    }
    const last = await record(fixture, customerId, [1, 1], { sourceId: 'last', at: ago(2_000), call: { durationMs: 30 } });
    await settled(fixture, 'usage', last);
    const ranges = [
      [15 * MINUTE_MS, 5, 180, 2],
      [HOUR_MS, 60, 60, 3],
      [6 * HOUR_MS, 120, 180, 4],
      [DAY_MS, 600, 144, 5],
      [7 * DAY_MS, 3_600, 168, 6],
      [30 * DAY_MS, 14_400, 180, 7],
      [60 * DAY_MS, 43_200, 120, 8],
    ] as const;
    for (const [length, stepSeconds, count, recorded] of ranges) {
      const { points, ...shape } = await chart(length);
      expect(shape).toEqual({ from: ago(length), to: ago(0), stepSeconds });
      expect(points).toHaveLength(count);
      const sum = (key: 'calls' | 'failed') => points.reduce((total, point) => total + (point[key] ?? 0), 0);
      expect([length, sum('calls'), sum('failed')]).toEqual([length, recorded * 5 + 1, recorded]);
      const newest = times.filter((time) => time <= stepSeconds * 1000).length;
      expect(points.at(-1)).toMatchObject({ calls: newest * 5 + 1, failed: newest, p50: 20, p99: 30 });
      const between = points.slice(0, -1).filter(({ calls }) => calls !== null && calls > 0);
      for (const point of between)
        expect(point).toMatchObject({ seconds: expect.any(Number), calls: 5, failed: 1, p50: 20, p99: 30 });
      // No lag was sampled at these times: where there were no calls, there was no server.
      const silent = points.find(({ calls }) => calls === null);
      expect(silent).toMatchObject({ seconds: 0, failed: null, p50: null, connectedUsers: null, projectionLagMs: null });
    }
  });

  it('count a connected user at the end of each step, also in a period that is over', async () => {
    const { customerId } = await newCustomer(fixture);
    const [userId, connectionId] = [randomUUID() as UserId, randomUUID() as ConnectionId];
    const ofUser = { userId, customerId, connectionId };
    const stream = streams.userActivity(userId);
    await record(fixture, customerId, [1, 1], { sourceId: 'alive', at: ago(3.5 * HOUR_MS) });
    await record(fixture, customerId, [2, 2], { sourceId: 'alive', at: ago(1.5 * HOUR_MS) });
    await appendEvents(fixture, stream, [{ type: 'UserConnected', data: { ...ofUser, node: 'n' } }], { at: ago(2.5 * HOUR_MS) });
    const position = await appendEvents(fixture, stream, [{ type: 'UserDisconnected', data: { ...ofUser, reason: 'lost' } }], {
      at: ago(0.5 * HOUR_MS),
    });
    await settled(fixture, 'usage', position);
    const period = { from: END - 4 * HOUR_MS, to: END - HOUR_MS };
    const { points } = await fixture.queries.monitoring.chart(period, new Date(END));
    const known = points.filter(({ connectedUsers }) => connectedUsers !== null);
    expect(known.map(({ connectedUsers }) => connectedUsers)).toEqual([0, 1, 1]);
  });

  it('have the rate of the time that is over at the newest point, which is left out until it is representative', async () => {
    const { customerId } = await newCustomer(fixture);
    const start = Date.parse('2126-06-01T12:00:00Z');
    const at = new Date(start + 10_000).toISOString();
    await settled(fixture, 'usage', await record(fixture, customerId, [1, 90], { sourceId: 'newest', at }));
    const newest = async (seconds: number) => (await chart(7 * DAY_MS, start + seconds * 1000)).points.at(-1);
    expect(await newest(30)).toMatchObject({ at: new Date(start - HOUR_MS).toISOString(), calls: null });
    expect(await newest(900)).toMatchObject({ at: new Date(start).toISOString(), seconds: 900, calls: 90 });
    const { points } = await chart(15 * MINUTE_MS, start + 20_400);
    expect(points.at(-1)).toMatchObject({ at: new Date(start + 15_000).toISOString(), seconds: 5, calls: 0 });
  });

  it('have the largest lag of each projection group, and until its next sample the one before', async () => {
    const start = Date.parse('2126-07-01T12:00:00Z');
    const samples = [
      ['main', 1_000, 7],
      ['main', 3_000, 40],
      ['usage', 4_000, 5],
      ['main', 11_000, 2],
    ] as const;
    const rows = samples.map(([group_name, after, lag_ms]) => ({ group_name, at: new Date(start + after), lag_ms }));
    await fixture.db.insertInto('ops.projection_lag').values(rows).execute();
    const now = start + 35_000;
    const { points } = await fixture.queries.monitoring.chart({ from: start, to: now }, new Date(now));
    const lags = [0, 5, 10, 20, 30].map((second) => points[second]);
    expect(lags.map((point) => [point?.projectionLagMs, point?.mainLagMs, point?.usageLagMs])).toEqual([
      [null, null, null],
      [40, 40, 5],
      [40, 40, 5],
      [2, 2, null],
      [null, null, null],
    ]);
  });

  it('are extended to whole steps, and are empty after now and before the oldest hour', async () => {
    const now = new Date(END);
    const { points, ...shape } = await fixture.queries.monitoring.chart({ from: END - HOUR_MS - 1, to: END - 1_000 }, now);
    expect([shape, points.length]).toEqual([{ from: ago(HOUR_MS + MINUTE_MS), to: ago(0), stepSeconds: 60 }, 61]);
    expect((await fixture.queries.monitoring.chart({ from: END + HOUR_MS, to: END + 2 * HOUR_MS }, now)).points).toEqual([]);
    const old = await fixture.queries.monitoring.chart({ from: END - 200 * DAY_MS, to: END - 190 * DAY_MS }, now);
    expect(old.points.every(({ calls }) => calls === null)).toBe(true);
  });

  it('remove hours after 62 days, by the time of the newest event', async () => {
    const { customerId } = await newCustomer(fixture);
    await record(fixture, customerId, [1, 1], { sourceId: 'old', at: '2127-01-01T10:00:00.000Z' });
    await record(fixture, customerId, [2, 2], { sourceId: 'old', at: '2127-03-04T10:59:00.000Z' });
    await settled(fixture, 'usage', await record(fixture, customerId, [3, 3], { sourceId: 'old', at: '2127-03-04T11:00:00.000Z' }));
    const hours = await fixture.db
      .selectFrom('usage.hour')
      .select(['at', 'calls'])
      .where('at', '>=', new Date('2127-01-01'))
      .orderBy('at')
      .execute();
    expect(hours.map(({ at, calls }) => [at.toISOString(), calls])).toEqual([
      ['2127-03-04T10:00:00.000Z', 1],
      ['2127-03-04T11:00:00.000Z', 1],
    ]);
  });
});
