import { sql } from 'kysely';
import type { Metrics, MetricsPoint } from '../../contracts/monitoring.ts';
import type { Database } from '../../database/database.ts';
import { EVERYTHING } from '../scope.ts';
import { percentilesOfEncoded } from '../usage/histogram.ts';

export type Window = '15m' | '24h';
const WINDOWS = {
  '15m': { table: 'usage.second', seconds: 1, points: 900 },
  '24h': { table: 'usage.minute', seconds: 60, points: 1440 },
} as const;

/** A stream that is held back, by the event that could not be taken in; `events` counts those that wait behind it too. */
export type ParkedStream = {
  group: GroupName;
  stream: string;
  events: number;
  type: string;
  reason: string;
  position: string;
  at: string | null;
};
export type GroupName = 'main' | 'usage';
/** How far a group has come; `lagMs` grows while nobody runs it. */
export type GroupProgress = {
  group: GroupName;
  position: string | null;
  lagMs: number;
  node: string | null;
  heartbeatAt: Date | null;
};

/** A runner says at least every second that it is there. */
const SILENT_AFTER_MS = 3_000;
const SCHEMAS = { main: 'read', usage: 'usage' } as const;
const GROUPS: readonly GroupName[] = ['main', 'usage'];

const lagByBucket = async (db: Database, from: Date, seconds: number): Promise<Map<number, number>> => {
  const { rows } = await sql<{ bucket: number; lag_ms: number }>`
    select floor(extract(epoch from at) / ${sql.lit(seconds)})::int8 as bucket, max(lag_ms) as lag_ms
    from ops.projection_lag where group_name in (${sql.join(GROUPS)}) and at >= ${from} group by 1`.execute(db);
  return new Map(rows.map((row) => [row.bucket, row.lag_ms]));
};

type Bucket = { at: Date; calls: number; errors: number; connected: number; histogram: Buffer };

const pointOf = (
  bucket: Bucket | undefined,
  seconds: number,
): Pick<MetricsPoint, 'callsPerSecond' | 'failedPerSecond' | 'p50' | 'p95' | 'p99'> => {
  const [p50 = null, p95 = null, p99 = null] = bucket ? percentilesOfEncoded(bucket.histogram, [0.5, 0.95, 0.99]) : [];
  return { callsPerSecond: (bucket?.calls ?? 0) / seconds, failedPerSecond: (bucket?.errors ?? 0) / seconds, p50, p95, p99 };
};

/** The points of the buckets from `first` up to `last`, oldest first; buckets are counted since 1970. */
const pointsBetween = async (db: Database, window: Window, first: number, last: number): Promise<MetricsPoint[]> => {
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
        ...pointOf(row, seconds),
        connectedUsers: Math.max(0, connectedUsers),
        projectionLagMs: lags.get(bucket) ?? 0,
      });
    }
    connectedUsers -= row?.connected ?? 0;
  }
  return points.reverse();
};

/** Queries on what goes on, for the monitoring screen. */
export const monitoringQueries = (db: Database) => ({
  /** The live charts' points up to `now`, oldest first, one each second or minute, gaps filled; buckets are by arrival. */
  timeline: (window: Window, now: Date): Promise<MetricsPoint[]> => {
    const { seconds, points } = WINDOWS[window];
    const last = Math.floor(now.getTime() / (seconds * 1000));
    return pointsBetween(db, window, last - points + 1, last);
  },

  /** The points of the last so many seconds that were over at `now`, oldest first. */
  latest: (seconds: number, now: Date): Promise<MetricsPoint[]> => {
    const last = Math.floor(now.getTime() / 1000) - 1;
    return pointsBetween(db, '15m', last - seconds + 1, last);
  },

  /** Calls of all time and customers of now. */
  metrics: async (): Promise<Metrics> => {
    const [calls, customers] = await Promise.all([
      db
        .selectFrom('usage.scope_day')
        .select(sql<number>`coalesce(sum(calls), 0)::int8`.as('total'))
        .select(sql<number>`coalesce(sum(errors), 0)::int8`.as('failed'))
        .select(sql<number>`coalesce(sum(total_ms), 0)::int8`.as('totalMs'))
        .where('scope', '=', EVERYTHING)
        .executeTakeFirstOrThrow(),
      db.selectFrom('read.tally').select(['name', 'n']).where('kind', '=', 'customer').where('scope', '=', EVERYTHING).execute(),
    ]);
    const of = (status: string): number => customers.find((row) => row.name === status)?.n ?? 0;
    return {
      apiCalls: {
        total: calls.total,
        successful: calls.total - calls.failed,
        failed: calls.failed,
        avgDuration: calls.total === 0 ? 0 : calls.totalMs / calls.total,
      },
      customers: { total: customers.reduce((sum, { n }) => sum + n, 0), active: of('active'), suspended: of('suspended') },
    };
  },

  /** Streams that are held back since one of their events could not be taken in. */
  parked: async (): Promise<ParkedStream[]> => {
    const found = await Promise.all(
      GROUPS.map(async (group) => {
        const { rows } = await sql<Omit<ParkedStream, 'group' | 'at'> & { at: Date | null }>`
          select distinct on (stream) stream, type, reason, position::text as position, at,
            count(*) over (partition by stream) as events
          from ${sql.table(`${SCHEMAS[group]}.parked`)} order by stream, revision`.execute(db);
        return rows.map((row): ParkedStream => ({ ...row, group, at: row.at?.toISOString() ?? null }));
      }),
    );
    return found.flat();
  },

  /** How far the groups have come, as of their last word. */
  projections: (now: Date): Promise<GroupProgress[]> =>
    Promise.all(
      GROUPS.map(async (group): Promise<GroupProgress> => {
        const row = await db
          .selectFrom(`${SCHEMAS[group]}.checkpoint`)
          .select([sql<string | null>`position::text`.as('position'), 'lag_ms', 'node', 'heartbeat_at'])
          .executeTakeFirstOrThrow();
        const silentMs = row.heartbeat_at ? now.getTime() - row.heartbeat_at.getTime() : 0;
        return {
          group,
          position: row.position,
          lagMs: row.lag_ms + (silentMs > SILENT_AFTER_MS ? silentMs : 0),
          node: row.node,
          heartbeatAt: row.heartbeat_at,
        };
      }),
    ),
});
