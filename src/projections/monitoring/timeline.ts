import { sql } from 'kysely';
import { chartSpanSeconds } from '../../contracts/chartSpans.ts';
import type { MetricsPoint } from '../../contracts/monitoring.ts';
import type { Database } from '../../database/database.ts';
import { createCache } from '../../flow/cache.ts';
import { type LagSamples, lagsOfGroups, NO_LAGS, openGroupLags } from '../breakdown/groupLags.ts';
import { addEncoded, emptyHistogram, percentiles } from '../callCounts/histogram.ts';

export type Window = '15m' | '24h';
/** `aliveFor`: a running server leaves a row at least every so many buckets, since it samples the lag every 5 seconds. */
const WINDOWS = {
  '15m': { table: 'usage.second', lag: 'ops.projection_lag', unit: 'second', seconds: 1, points: 900, aliveFor: 15 },
  '24h': { table: 'usage.minute', lag: 'ops.projection_lag_minute', unit: 'minute', seconds: 60, points: 1440, aliveFor: 1 },
} as const;

/** A second or minute, counted since 1970: its calls, the lag of the read models, or both. */
type Bucket = {
  bucket: number;
  calls: number | null;
  errors: number | null;
  connected: number | null;
  /** In hexadecimal digits, since most are compared and not read. */
  histogram: string | null;
} & LagSamples;

const bucketsFrom = async (db: Database, window: Window, from: Date): Promise<Bucket[]> => {
  const { table, lag, unit, seconds } = WINDOWS[window];
  const { rows } = await sql<Bucket>`
    select (date_part('epoch', at) / ${sql.lit(seconds)})::int8 as bucket, calls, errors, connected,
      main_lag_ms, usage_lag_ms, encode(histogram, 'hex') as histogram
    from (select * from ${sql.table(table)} where at >= ${from}) as counted
    full join (
      select date_trunc(${sql.lit(unit)}, at) as at, ${lagsOfGroups} from ${sql.table(lag)} where at >= ${from} group by 1
    ) as late using (at)`.execute(db);
  return rows;
};

type Percentiles = Pick<MetricsPoint, 'p50' | 'p95' | 'p99'>;
/** Percentiles of the histograms of a chart span up to a bucket, merged. */
type PercentilesOf = (bucket: number, histograms: readonly string[]) => Percentiles;

/** Two windows' worth. */
const REMEMBERED = 4_000;
const NO_CALLS: Percentiles = { p50: null, p95: null, p99: null };
const NO_SERVER = { callsPerSecond: null, failedPerSecond: null, connectedUsers: null, ...NO_LAGS, ...NO_CALLS };

/** Remembers a bucket's percentiles for as long as its histograms stay as they were, as all but the newest do. */
const rememberPercentiles = (): PercentilesOf => {
  const known = createCache<number, { key: string; merged: Percentiles }>(REMEMBERED);
  return (bucket, histograms) => {
    const key = histograms.join();
    const before = known.get(bucket);
    if (before?.key === key) return before.merged;
    const histogram = emptyHistogram();
    for (const digits of histograms) addEncoded(histogram, Buffer.from(digits, 'hex'));
    const [p50 = null, p95 = null, p99 = null] = percentiles(histogram, [0.5, 0.95, 0.99]);
    known.set(bucket, { key, merged: { p50, p95, p99 } });
    return { p50, p95, p99 };
  };
};

/** The points of the buckets from `first` up to `last`, oldest first. */
const pointsBetween = async (
  db: Database,
  percentilesOf: Readonly<Record<Window, PercentilesOf>>,
  window: Window,
  [first, last]: readonly [number, number],
): Promise<MetricsPoint[]> => {
  const { seconds, aliveFor } = WINDOWS[window];
  const size = seconds * 1000;
  const perSpan = chartSpanSeconds[window] / seconds;
  const from = Math.min(Math.floor(first / perSpan) * perSpan, first - aliveFor);
  const [buckets, { connected }] = await Promise.all([
    bucketsFrom(db, window, new Date(from * size)),
    db.selectFrom('usage.connection').select(sql<number>`count(distinct user_id)`.as('connected')).executeTakeFirstOrThrow(),
  ]);
  const byNumber = new Map(buckets.map((row) => [row.bucket, row]));
  let connectedUsers = buckets.reduce((left, bucket) => left - (bucket.connected ?? 0), connected);
  let histograms: string[] = [];
  let aliveUntil = from;
  const lags = openGroupLags(aliveFor);
  const points: MetricsPoint[] = [];
  for (let number = from; number <= last; number++) {
    const bucket = byNumber.get(number);
    if (number % perSpan === 0) histograms = [];
    if (bucket) {
      aliveUntil = number + aliveFor;
      connectedUsers += bucket.connected ?? 0;
      if (bucket.histogram) histograms.push(bucket.histogram);
      lags.add(number, bucket);
    }
    const lagOfPoint = lags.take(number);
    if (number < first) continue;
    const at = new Date(number * size).toISOString();
    if (number >= aliveUntil) {
      points.push({ at, ...NO_SERVER });
      continue;
    }
    points.push({
      at,
      callsPerSecond: (bucket?.calls ?? 0) / seconds,
      failedPerSecond: (bucket?.errors ?? 0) / seconds,
      ...(bucket?.histogram ? percentilesOf[window](number, histograms) : NO_CALLS),
      connectedUsers: Math.max(0, connectedUsers),
      ...lagOfPoint,
    });
  }
  return points;
};

/** Queries on the live charts. */
export const timelineQueries = (db: Database) => {
  // Made when first used: each request gets its own queries, and few read the charts.
  let remembered: Readonly<Record<Window, PercentilesOf>> | null = null;
  const percentilesOf = () => {
    remembered ??= { '15m': rememberPercentiles(), '24h': rememberPercentiles() };
    return remembered;
  };
  return {
    /** The live charts' points up to `now`, oldest first, one each second or minute, also where no server ran; by arrival. */
    timeline: (window: Window, now: Date): Promise<MetricsPoint[]> => {
      const { seconds, points } = WINDOWS[window];
      const last = Math.floor(now.getTime() / (seconds * 1000));
      return pointsBetween(db, percentilesOf(), window, [last - points + 1, last]);
    },

    /** The points of the last so many seconds that were over at `now`, oldest first. */
    latest: (seconds: number, now: Date): Promise<MetricsPoint[]> => {
      const last = Math.floor(now.getTime() / 1000) - 1;
      return pointsBetween(db, percentilesOf(), '15m', [last - seconds + 1, last]);
    },
  };
};
