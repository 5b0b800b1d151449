import type { MetricsPoint } from '../../../../../src/contracts/monitoring.ts';
import type { ChartPoint } from '../../../ui/charts/chartParts.tsx';

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The worst of them; null where nothing was measured. */
const worst = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? Math.max(...known) : null;
};

const summed = (at: number, points: readonly MetricsPoint[]): ChartPoint => ({
  at,
  successful: Math.max(0, mean(points.map((point) => point.callsPerSecond - point.failedPerSecond))),
  failed: mean(points.map((point) => point.failedPerSecond)),
  p50: worst(points.map((point) => point.p50)),
  p95: worst(points.map((point) => point.p95)),
  p99: worst(points.map((point) => point.p99)),
  connectedUsers: points.at(-1)?.connectedUsers ?? null,
  projectionLagMs: worst(points.map((point) => point.projectionLagMs)),
});

/**
 * Points of a chart, one each `everyMs`: rates are means, delays the worst, so that no spike is lost. Each covers the
 * same span of the clock however often it is drawn, so that the curve moves and does not boil.
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
