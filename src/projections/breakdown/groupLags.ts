import { sql } from 'kysely';
import type { ChartPoint } from '../../contracts/charts.ts';

/** The samples of a bucket, in ms; null for none. */
export type LagSamples = Readonly<{ main_lag_ms: number | null; usage_lag_ms: number | null }>;

/** Selects the largest sample of each projection group. */
export const lagsOfGroups = sql`
  max(lag_ms) filter (where group_name = 'main') as main_lag_ms, max(lag_ms) filter (where group_name = 'usage') as usage_lag_ms`;

/** The lag of the groups, and of the one that is farther behind. */
export type GroupLags = Pick<ChartPoint, 'projectionLagMs' | 'mainLagMs' | 'usageLagMs'>;

/** The largest sample since the last point, else the newest one if it is not older than `aliveFor` buckets. */
const openLag = (aliveFor: number) => {
  let largest: number | null = null;
  let newest = { until: Number.NEGATIVE_INFINITY, ms: 0 };
  return {
    add: (number: number, ms: number | null): void => {
      if (ms === null) return;
      largest = Math.max(largest ?? 0, ms);
      newest = { until: number + aliveFor, ms };
    },
    take: (number: number): number | null => {
      const taken = largest ?? (number < newest.until ? newest.ms : null);
      largest = null;
      return taken;
    },
  };
};

/** Adds up samples of buckets for points, as groups are not sampled in each bucket. `take` ends the point after the bucket `number`. */
export const openGroupLags = (aliveFor: number) => {
  const [main, usage] = [openLag(aliveFor), openLag(aliveFor)];
  return {
    add: (number: number, { main_lag_ms: ofMain, usage_lag_ms: ofUsage }: LagSamples): void => {
      main.add(number, ofMain);
      usage.add(number, ofUsage);
    },
    take: (number: number): GroupLags => {
      const [mainLagMs, usageLagMs] = [main.take(number), usage.take(number)];
      const known = [mainLagMs, usageLagMs].filter((ms) => ms !== null);
      return { projectionLagMs: known.length > 0 ? Math.max(...known) : null, mainLagMs, usageLagMs };
    },
  };
};

/** The lag where no server ran. */
export const NO_LAGS: GroupLags = { projectionLagMs: null, mainLagMs: null, usageLagMs: null };
