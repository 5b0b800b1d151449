import type { MetricsPoint } from '../contracts/monitoring.ts';

/** How late calls may be counted and still come into the live charts. */
const LATE_SECONDS = 15;
/** Calls are counted a moment after they arrived: a second is told of only once those of its end have had that time. */
const SETTLING_MS = 500;

/**
 * Points of the live charts as they become known, oldest first: each second that is over, and again one that has changed since it was told
 * of, as calls may be counted seconds after they arrived. `latest` gives the points of the last seconds before an instant.
 */
export const createMetricsFeed = ({
  latest,
  now,
}: {
  latest: (seconds: number, now: Date) => Promise<readonly MetricsPoint[]>;
  /** ms since 1970 */
  now: () => number;
}): (() => Promise<MetricsPoint[]>) => {
  let told = new Map<string, string>();
  return async () => {
    const points = await latest(LATE_SECONDS, new Date(now() - SETTLING_MS));
    const written = points.map((point): [MetricsPoint, string] => [point, JSON.stringify(point)]);
    const news = written.filter(([point, text]) => told.get(point.at) !== text);
    told = new Map(written.map(([point, text]) => [point.at, text]));
    return news.map(([point]) => point);
  };
};
