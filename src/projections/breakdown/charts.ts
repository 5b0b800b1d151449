import { sql } from 'kysely';
import type { Chart, ChartPoint } from '../../contracts/charts.ts';
import type { Database } from '../../database/database.ts';
import { addEncoded, type Histogram, percentilesOfSum } from '../callCounts/histogram.ts';
import { type LagSamples, lagsOfGroups, NO_LAGS, openGroupLags } from './groupLags.ts';
import { aligned, type Period, type Resolution, resolutionOf, stepOf } from './resolutions.ts';

/** A second, minute or hour, counted since 1970: its calls, the lag of the read models, or both. */
type Bucket = {
  bucket: number;
  calls: number | null;
  errors: number | null;
  connected: number | null;
  histogram: Buffer | null;
} & LagSamples;

const bucketsOf = async (db: Database, { from, to }: Period, { shape, lag, unit, sizeMs }: Resolution): Promise<Bucket[]> => {
  const during = sql`at >= ${new Date(from)} and at < ${new Date(to)}`;
  const { rows } = await sql<Bucket>`
    select (date_part('epoch', at) / ${sql.lit(sizeMs / 1000)})::int8 as bucket, calls, errors, connected, histogram,
      main_lag_ms, usage_lag_ms
    from (select * from ${sql.table(shape.name)} where ${during}) as counted
    full join (
      select date_trunc(${sql.lit(unit)}, at, 'UTC') as at, ${lagsOfGroups} from ${sql.table(lag)} where ${during} group by 1
    ) as late using (at)`.execute(db);
  return rows;
};

/** Users connected at an instant: those of now, without the changes since. */
const connectedAt = async (db: Database, from: number, { shape }: Resolution): Promise<number> => {
  const { rows } = await sql<{ connected: number }>`
    select ((select count(distinct user_id) from usage.connection)
      - (select coalesce(sum(connected), 0) from ${sql.table(shape.name)} where at >= ${new Date(from)}))::int8 as connected`.execute(
    db,
  );
  return rows[0]?.connected ?? 0;
};

/** A newest point of less time would show a rate of few calls. */
const LEAST_OF_STEP = 0.1;
const LEAST_MS = 5_000;

const NO_CALLS = { calls: 0, failed: 0, p50: null, p95: null, p99: null } as const;
const NO_SERVER = {
  seconds: 0,
  calls: null,
  failed: null,
  p50: null,
  p95: null,
  p99: null,
  connectedUsers: null,
  ...NO_LAGS,
};

/** Adds up buckets, step by step. `next` takes a bucket's number, and the time of it that is over. */
const addingUp = (connectedBefore: number, { aliveFor }: Resolution) => {
  let aliveUntil = Number.NEGATIVE_INFINITY;
  let connected = connectedBefore;
  let last = 0;
  const lags = openGroupLags(aliveFor);
  let sums = { coveredMs: 0, calls: 0, failed: 0, histograms: [] as Buffer[] };
  return {
    next: (number: number, bucket: Bucket | undefined, overMs: number): void => {
      last = number;
      if (bucket) aliveUntil = number + aliveFor;
      if (number < aliveUntil) sums.coveredMs += overMs;
      if (!bucket) return;
      sums.calls += bucket.calls ?? 0;
      sums.failed += bucket.errors ?? 0;
      connected += bucket.connected ?? 0;
      if (bucket.histogram) sums.histograms.push(bucket.histogram);
      lags.add(number, bucket);
    },
    /** The point of the buckets since the last one. */
    point: (start: number): ChartPoint => {
      const { coveredMs, calls, failed, histograms } = sums;
      const lagOfPoint = lags.take(last);
      sums = { coveredMs: 0, calls: 0, failed: 0, histograms: [] };
      const at = new Date(start).toISOString();
      if (coveredMs === 0) return { at, ...NO_SERVER };
      const addAll = (sum: Histogram): void => {
        for (const stored of histograms) addEncoded(sum, stored);
      };
      const [p50 = null, p95 = null, p99 = null] = percentilesOfSum(addAll, [0.5, 0.95, 0.99]);
      const counted = calls > 0 ? { calls, failed, p50, p95, p99 } : NO_CALLS;
      return { at, seconds: coveredMs / 1000, ...counted, connectedUsers: Math.max(0, connected), ...lagOfPoint };
    },
  };
};

/** The part of a bucket that is over. The calls of the newest second may not be counted yet, so it counts when all of it is over. */
const overOf = (at: number, sizeMs: number, now: number): number => {
  const over = Math.min(at + sizeMs, now) - at;
  return over <= 0 || (sizeMs === 1000 && over < sizeMs) ? 0 : over;
};

/** The steps of a period: whole ones from `from` to `to`, of which `count` have a point, since enough of their time is over. */
export const stepsOf = (
  asked: Period,
  now: number,
  resolution: Resolution,
): Period & Readonly<{ stepMs: number; count: number }> => {
  const { sizeMs } = resolution;
  const stepMs = stepOf(asked, resolution);
  const { from, to } = aligned(asked, stepMs);
  const leastMs = Math.min(stepMs, Math.max(LEAST_MS, stepMs * LEAST_OF_STEP));
  const overBefore = Math.floor(now / sizeMs) * sizeMs;
  const overUntil = overBefore + overOf(overBefore, sizeMs, now);
  return { from, to, stepMs, count: Math.max(0, Math.floor((Math.min(overUntil, to) - leastMs - from) / stepMs) + 1) };
};

/** The points of a period, one each step, from the finest buckets that are kept for it unless `resolution` is given. */
export const chartOf = async (
  db: Database,
  asked: Period,
  now: number,
  resolution: Resolution = resolutionOf(asked, now),
): Promise<Chart> => {
  const { sizeMs, aliveFor } = resolution;
  const { from, to, stepMs, count } = stepsOf(asked, now, resolution);
  const before = from - aliveFor * sizeMs;
  const [buckets, connected] = await Promise.all([
    bucketsOf(db, { from: before, to }, resolution),
    connectedAt(db, before, resolution),
  ]);
  const byNumber = new Map(buckets.map((bucket) => [bucket.bucket, bucket]));
  const sums = addingUp(connected, resolution);
  const countTo = (start: number, end: number): void => {
    for (let at = start; at < end; at += sizeMs) {
      const over = overOf(at, sizeMs, now);
      if (over === 0) break;
      sums.next(at / sizeMs, byNumber.get(at / sizeMs), over);
    }
  };
  countTo(before, from);
  sums.point(before);
  const points = Array.from({ length: count }, (_, index) => {
    const start = from + index * stepMs;
    countTo(start, start + stepMs);
    return sums.point(start);
  });
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), stepSeconds: stepMs / 1000, points };
};

/** Queries on the charts of any period. */
export const chartQueries = (db: Database) => ({
  /**
   * The points of a period, oldest first, also where no server ran; by arrival. The newest point is left out until enough of its time
   * is over. Nothing is known of what is older than `CHART_DAYS`.
   */
  chart: (period: Period, now: Date): Promise<Chart> => chartOf(db, period, now.getTime()),
});
