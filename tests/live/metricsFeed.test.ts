import { describe, expect, it } from 'vitest';
import type { MetricsPoint } from '../../src/contracts/monitoring.ts';
import { createMetricsFeed } from '../../src/live/metricsFeed.ts';

const START = Date.parse('2026-01-31T12:00:00.000Z');

const pointOf = (second: number, callsPerSecond: number): MetricsPoint => ({
  at: new Date(START + second * 1000).toISOString(),
  callsPerSecond,
  failedPerSecond: 0,
  p50: null,
  p95: null,
  p99: null,
  connectedUsers: 0,
  projectionLagMs: 0,
  mainLagMs: 0,
  usageLagMs: 0,
});

/** A feed over counts by second, which change under it as calls are counted. */
const feedOver = (counts: Map<number, number>) => {
  let second = 0;
  const next = createMetricsFeed({
    latest: async (seconds, now) => {
      const last = Math.floor((now.getTime() - START) / 1000) - 1;
      const all = Array.from({ length: seconds }, (_, index) => last - seconds + 1 + index);
      return all.filter((at) => at >= 0).map((at) => pointOf(at, counts.get(at) ?? 0));
    },
    now: () => START + second * 1000,
  });
  return async (atSecond: number): Promise<[number, number | null][]> => {
    second = atSecond;
    return (await next()).map(({ at, callsPerSecond }) => [(Date.parse(at) - START) / 1000, callsPerSecond]);
  };
};

describe('the feed of the live charts', () => {
  it('returns each finished second once, at any interval of calls', async () => {
    const newPoints = feedOver(
      new Map([
        [0, 5],
        [2, 7],
      ]),
    );
    expect(await newPoints(1.6)).toEqual([[0, 5]]);
    expect(await newPoints(1.9)).toEqual([]);
    expect(await newPoints(3.6)).toEqual([
      [1, 0],
      [2, 7],
    ]);
  });

  it("gives calls of a second's end half a second to be counted", async () => {
    const newPoints = feedOver(new Map([[0, 5]]));
    expect(await newPoints(1.4)).toEqual([]);
    expect(await newPoints(1.5)).toEqual([[0, 5]]);
  });

  it('returns a second again when its calls are counted seconds later', async () => {
    const counts = new Map([[0, 5]]);
    const newPoints = feedOver(counts);
    await newPoints(5.5);
    counts.set(1, 900);
    expect(await newPoints(6.5)).toEqual([
      [1, 900],
      [5, 0],
    ]);
    expect(await newPoints(7.5)).toEqual([[6, 0]]);
  });
});
