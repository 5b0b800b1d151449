import type { MetricsPoint } from '../../../../../src/contracts/monitoring.ts';
import type { ChartPoint } from '../../../ui/charts/chartParts.tsx';

const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

const mean = (values: readonly number[]): number | null =>
  values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : null;

const worst = (values: readonly number[]): number | null => (values.length > 0 ? Math.max(...values) : null);

/** Null if no server was running. */
export const successfulPerSecond = ({ callsPerSecond, failedPerSecond }: MetricsPoint): number | null =>
  callsPerSecond === null ? null : Math.max(0, callsPerSecond - (failedPerSecond ?? 0));

const summed = (at: number, points: readonly MetricsPoint[]): ChartPoint => {
  const newest = (key: 'p50' | 'p95' | 'p99' | 'connectedUsers') => known(points.map((point) => point[key])).at(-1) ?? null;
  return {
    at,
    successful: mean(known(points.map(successfulPerSecond))),
    failed: mean(known(points.map((point) => point.failedPerSecond))),
    p50: newest('p50'),
    p95: newest('p95'),
    p99: newest('p99'),
    connectedUsers: newest('connectedUsers'),
    projectionLagMs: worst(known(points.map((point) => point.projectionLagMs))),
    mainLagMs: worst(known(points.map((point) => point.mainLagMs))),
    usageLagMs: worst(known(points.map((point) => point.usageLagMs))),
  };
};

/**
 * Points of a chart, one each `everyMs`: rates are means, the lag is the worst, percentiles are the newest, which the server
 * merges over the span; null where no server ran. Spans are aligned to the clock, so that a redraw moves the curve and keeps its shape.
 */
export const chartPoints = (points: readonly MetricsPoint[], everyMs: number): ChartPoint[] => {
  const spans = new Map<number, MetricsPoint[]>();
  for (const point of points) {
    const at = Math.floor(Date.parse(point.at) / everyMs) * everyMs;
    const span = spans.get(at);
    if (span) span.push(point);
    else spans.set(at, [point]);
  }
  return Array.from(spans, ([at, span]) => summed(at, span));
};
