import { sql } from 'kysely';
import type { Metrics } from '../../contracts/monitoring.ts';
import type { Database } from '../../database/database.ts';
import { chartQueries } from '../breakdown/charts.ts';
import { connectedUsersQueries } from '../breakdown/connectedUsers.ts';
import { breakdownQueries } from '../breakdown/queries.ts';
import { GROUPS, type GroupName } from '../engine/groups.ts';
import { EVERYTHING } from '../scope.ts';
import { timelineQueries } from './timeline.ts';

/** A parked stream with the event that failed. `events` includes those that wait for it. */
export type ParkedStream = {
  group: GroupName;
  stream: string;
  events: number;
  type: string;
  reason: string;
  position: string;
  at: string | null;
};
/** A group's progress; `lagMs` grows while no node runs the group. */
export type GroupProgress = {
  group: GroupName;
  position: string | null;
  lagMs: number;
  node: string | null;
  heartbeatAt: Date | null;
};

/** A runner stores a heartbeat at least every second. */
const SILENT_AFTER_MS = 3_000;
const SCHEMAS = { main: 'read', usage: 'usage' } as const;

/** The queries of the monitoring screen. */
export const monitoringQueries = (db: Database) => ({
  ...timelineQueries(db),
  ...chartQueries(db),
  ...breakdownQueries(db),
  ...connectedUsersQueries(db),

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

  /** Streams that are parked because one of their events failed. */
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
