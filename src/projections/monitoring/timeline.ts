import { sql } from 'kysely';
import type { MetricsPoint } from '../../contracts/monitoring.ts';
import type { Database } from '../../database/database.ts';
import { GROUPS } from '../groups.ts';
import { percentilesOfEncoded } from '../usage/histogram.ts';

export type Window = '15m' | '24h';
const WINDOWS = {
  '15m': { table: 'usage.second', lag: 'ops.projection_lag', unit: 'second', seconds: 1, points: 900 },
  '24h': { table: 'usage.minute', lag: 'ops.projection_lag_minute', unit: 'minute', seconds: 60, points: 1440 },
} as const;

/** What is known of a second or a minute, counted since 1970: of its calls, of how late the read models were, or of both. */
type Bucket = {
  bucket: number;
  calls: number | null;
  errors: number | null;
  connected: number | null;
  /** In hexadecimal digits, since most are compared and not read. */
  histogram: string | null;
  lag_ms: number | null;
};

const bucketsFrom = async (db: Database, window: Window, from: Date): Promise<Bucket[]> => {
  const { table, lag, unit, seconds } = WINDOWS[window];
  const { rows } = await sql<Bucket>`
    select (date_part('epoch', at) / ${sql.lit(seconds)})::int8 as bucket, calls, errors, connected, lag_ms,
      encode(histogram, 'hex') as histogram
    from (select * from ${sql.table(table)} where at >= ${from}) as counted
    full join (
      select date_trunc(${sql.lit(unit)}, at) as at, max(lag_ms) as lag_ms from ${sql.table(lag)}
      where group_name in (${sql.join(GROUPS)}) and at >= ${from} group by 1
    ) as late using (at)`.execute(db);
  return rows;
};

type Percentiles = Pick<MetricsPoint, 'p50' | 'p95' | 'p99'>;
type PercentilesOf = (bucket: Bucket) => Percentiles;

/** Two windows' worth. */
const REMEMBERED = 4_000;
const NO_CALLS: Percentiles = { p50: null, p95: null, p99: null };

/** Remembers a bucket's percentiles for as long as its histogram stays as it was, as all but the newest do. */
const rememberPercentiles = (): PercentilesOf => {
  const known = new Map<number, { histogram: string; percentiles: Percentiles }>();
  return ({ bucket, histogram }) => {
    if (histogram === null) return NO_CALLS;
    const before = known.get(bucket);
    if (before?.histogram === histogram) return before.percentiles;
    const [p50 = null, p95 = null, p99 = null] = percentilesOfEncoded(Buffer.from(histogram, 'hex'), [0.5, 0.95, 0.99]);
    if (known.size >= REMEMBERED) known.clear();
    known.set(bucket, { histogram, percentiles: { p50, p95, p99 } });
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
  const { seconds } = WINDOWS[window];
  const size = seconds * 1000;
  const [buckets, { connected }] = await Promise.all([
    bucketsFrom(db, window, new Date(first * size)),
    db.selectFrom('usage.connection').select(sql<number>`count(distinct user_id)`.as('connected')).executeTakeFirstOrThrow(),
  ]);
  const byNumber = new Map(buckets.map((row) => [row.bucket, row]));
  const points: MetricsPoint[] = [];
  const since = buckets.filter(({ bucket }) => bucket > last);
  let connectedUsers = since.reduce((left, bucket) => left - (bucket.connected ?? 0), connected);
  for (let number = last; number >= first; number--) {
    const bucket = byNumber.get(number);
    points.push({
      at: new Date(number * size).toISOString(),
      callsPerSecond: (bucket?.calls ?? 0) / seconds,
      failedPerSecond: (bucket?.errors ?? 0) / seconds,
      ...(bucket ? percentilesOf[window](bucket) : NO_CALLS),
      connectedUsers: Math.max(0, connectedUsers),
      projectionLagMs: bucket?.lag_ms ?? 0,
    });
    connectedUsers -= bucket?.connected ?? 0;
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
