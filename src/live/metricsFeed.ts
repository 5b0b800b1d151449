import type { MetricsPoint } from '../contracts/monitoring.ts';

/** How late calls may be counted and still appear in the live charts. */
const LATE_SECONDS = 15;
/** Calls are counted shortly after they arrived: a second is sent only once its last calls have had that time. */
const SETTLING_MS = 500;

/**
 * Points of the live charts that have not been sent, oldest first: each second that is over, and again one that has changed since, as
 * calls may be counted seconds after they arrived. `latest` returns the points of the last seconds before an instant.
 */
export const createMetricsFeed = ({
  latest,
  now,
}: {
  latest: (seconds: number, now: Date) => Promise<readonly MetricsPoint[]>;
  /** ms since 1970 */
  now: () => number;
}): (() => Promise<MetricsPoint[]>) => {
  let sent = new Map<string, string>();
  return async () => {
    const points = await latest(LATE_SECONDS, new Date(now() - SETTLING_MS));
    const written = points.map((point): [MetricsPoint, string] => [point, JSON.stringify(point)]);
    const news = written.filter(([point, text]) => sent.get(point.at) !== text);
    sent = new Map(written.map(([point, text]) => [point.at, text]));
    return news.map(([point]) => point);
  };
};
