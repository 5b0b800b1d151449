import { sql } from 'kysely';
import type { MetricsPoint } from '../../contracts/monitoring.ts';
import type { Database } from '../../database/database.ts';
import { GROUPS } from '../groups.ts';
import { percentilesOfEncoded } from '../usage/histogram.ts';

export type Window = '15m' | '24h';
const WINDOWS = {
  '15m': { table: 'usage.second', seconds: 1, points: 900 },
  '24h': { table: 'usage.minute', seconds: 60, points: 1440 },
} as const;

const lagByBucket = async (db: Database, from: Date, seconds: number): Promise<Map<number, number>> => {
  const { rows } = await sql<{ bucket: number; lag_ms: number }>`
    select floor(extract(epoch from at) / ${sql.lit(seconds)})::int8 as bucket, max(lag_ms) as lag_ms
    from ops.projection_lag where group_name in (${sql.join(GROUPS)}) and at >= ${from} group by 1`.execute(db);
  return new Map(rows.map((row) => [row.bucket, row.lag_ms]));
};

type Bucket = { at: Date; calls: number; errors: number; connected: number; histogram: Buffer };
type Percentiles = Pick<MetricsPoint, 'p50' | 'p95' | 'p99'>;
type PercentilesOf = (number: number, bucket: Bucket) => Percentiles;

/** Two windows' worth. */
const REMEMBERED = 4_000;

/** Remembers a bucket's percentiles for as long as its histogram stays as it was, as all but the newest do. */
const rememberPercentiles = (): PercentilesOf => {
  const known = new Map<number, { histogram: Buffer; percentiles: Percentiles }>();
  return (number, { histogram }) => {
    const before = known.get(number);
    if (before?.histogram.equals(histogram)) return before.percentiles;
    const [p50 = null, p95 = null, p99 = null] = percentilesOfEncoded(histogram, [0.5, 0.95, 0.99]);
    if (known.size >= REMEMBERED) known.clear();
    // A copy, since a row is a view of all that came with it.
    known.set(number, { histogram: Buffer.from(histogram), percentiles: { p50, p95, p99 } });
    return { p50, p95, p99 };
  };
};

const NO_CALLS: Percentiles = { p50: null, p95: null, p99: null };

/** The points of the buckets from `first` up to `last`, oldest first; buckets are counted since 1970. */
const pointsBetween = async (
  db: Database,
  percentilesOf: Readonly<Record<Window, PercentilesOf>>,
  window: Window,
  [first, last]: readonly [number, number],
): Promise<MetricsPoint[]> => {
  const { table, seconds } = WINDOWS[window];
  const size = seconds * 1000;
  const from = new Date(first * size);
  const [rows, { connected }, lags] = await Promise.all([
    db.selectFrom(table).selectAll().where('at', '>=', from).execute(),
    db.selectFrom('usage.connection').select(sql<number>`count(distinct user_id)`.as('connected')).executeTakeFirstOrThrow(),
    lagByBucket(db, from, seconds),
  ]);
  const byBucket = new Map(rows.map((row) => [row.at.getTime() / size, row]));
  const points: MetricsPoint[] = [];
  let connectedUsers = connected;
  for (let bucket = Math.max(last, ...byBucket.keys()); bucket >= first; bucket--) {
    const row = byBucket.get(bucket);
    if (bucket <= last) {
      points.push({
        at: new Date(bucket * size).toISOString(),
        callsPerSecond: (row?.calls ?? 0) / seconds,
        failedPerSecond: (row?.errors ?? 0) / seconds,
        ...(row ? percentilesOf[window](bucket, row) : NO_CALLS),
        connectedUsers: Math.max(0, connectedUsers),
        projectionLagMs: lags.get(bucket) ?? 0,
      });
    }
    connectedUsers -= row?.connected ?? 0;
  }
  return points.reverse();
};

/** Queries on the live charts. */
export const timelineQueries = (db: Database) => {
  const percentilesOf = { '15m': rememberPercentiles(), '24h': rememberPercentiles() };
  return {
    /** The live charts' points up to `now`, oldest first, one each second or minute, gaps filled; buckets are by arrival. */
    timeline: (window: Window, now: Date): Promise<MetricsPoint[]> => {
      const { seconds, points } = WINDOWS[window];
      const last = Math.floor(now.getTime() / (seconds * 1000));
      return pointsBetween(db, percentilesOf, window, [last - points + 1, last]);
    },

    /** The points of the last so many seconds that were over at `now`, oldest first. */
    latest: (seconds: number, now: Date): Promise<MetricsPoint[]> => {
      const last = Math.floor(now.getTime() / 1000) - 1;
      return pointsBetween(db, percentilesOf, '15m', [last - seconds + 1, last]);
    },
  };
};
