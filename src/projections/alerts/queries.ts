import { sql } from 'kysely';
import type { Alert, AlertRule } from '../../contracts/alerts.ts';
import type { Database } from '../../database/database.ts';
import type { AlertId, CustomerId } from '../../domain/ids.ts';
import { addEncoded, emptyHistogram, percentiles } from '../callCounts/histogram.ts';
import { heldDevelopers } from '../customers/floatingSeats.ts';
import { isInstant } from '../lists/cursor.ts';
import { type Order, pageOfIds } from '../lists/paging.ts';

/** The most alerts of a list. */
const MOST = 100;

const BY_TIME: Order<AlertId> = {
  sort: '-firedAt',
  column: sql.ref('a.fired_at'),
  id: sql.ref<AlertId>('a.alert_id'),
  fits: isInstant,
};

const rowsOf = (db: Database) => db.selectFrom('read.alert').selectAll();

/** Alerts with the names of their customers as they are now. */
const shownOf = async (db: Database, rows: Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>): Promise<Alert[]> => {
  const ids = [...new Set(rows.flatMap(({ found }) => found.concernedId ?? []))];
  const customers =
    ids.length > 0
      ? await db.selectFrom('read.customer').select(['customer_id', 'name']).where('customer_id', 'in', ids).execute()
      : [];
  const names = new Map(customers.map(({ customer_id, name }) => [customer_id, name]));
  return rows.map(({ found: { value, concernedId, checks }, ...row }) => ({
    alertId: row.alert_id,
    ruleId: row.rule_id,
    name: row.name,
    ...row.condition,
    value,
    customer: concernedId === null ? null : { id: concernedId, name: names.get(concernedId) ?? null },
    checks: [...checks],
    firedAt: row.fired_at.toISOString(),
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    reason: row.reason,
  }));
};

/** The higher percentage of both kinds of seats that a customer uses, as the index `customer_seat_utilization` has it. */
const SEAT_PERCENT = sql<number>`greatest(
  case when c.developer_seats > 0 then 100.0 * ${heldDevelopers} / c.developer_seats else 0 end,
  case when c.stakeholder_seats > 0 then 100.0 * c.active_stakeholder_seats / c.stakeholder_seats else 0 end
)::float8`;

/** Queries on alert rules, the alerts that they fired, and the metrics that they compare. */
export const alertQueries = (db: Database) => ({
  /** All rules by name. */
  rules: async (): Promise<AlertRule[]> => {
    const rows = await db
      .selectFrom('read.alert_rule as r')
      .select(['r.rule_id', 'r.name', 'r.condition'])
      .select(
        sql<Date | null>`(select min(a.fired_at) from read.alert a where a.rule_id = r.rule_id and a.resolved_at is null)`.as(
          'fired_at',
        ),
      )
      .orderBy('r.name')
      .orderBy('r.rule_id')
      .execute();
    return rows.map((row) => ({
      ruleId: row.rule_id,
      name: row.name,
      ...row.condition,
      firingSince: row.fired_at?.toISOString() ?? null,
    }));
  },

  /** The newest alerts, those that are not resolved first. */
  list: async (): Promise<Alert[]> =>
    shownOf(db, await rowsOf(db).orderBy(sql`resolved_at is null`, 'desc').orderBy('fired_at', 'desc').limit(MOST).execute()),

  /** A page of all alerts, newest first. */
  page: async (at: { limit: number; cursor: string | undefined }): Promise<{ alerts: Alert[]; nextCursor: string | null }> => {
    const { ids, nextCursor } = await pageOfIds(db.selectFrom('read.alert as a'), BY_TIME, at);
    if (ids.length === 0) return { alerts: [], nextCursor };
    const rows = rowsOf(db).where('alert_id', 'in', ids).orderBy('fired_at', 'desc').orderBy('alert_id', 'desc');
    return { alerts: await shownOf(db, await rows.execute()), nextCursor };
  },

  /** The calls that arrived since an instant, and the 95th percentile of their response time in ms. */
  callsSince: async (since: Date): Promise<{ calls: number; failed: number; p95: number | null }> => {
    const { rows } = await sql<{ calls: number; errors: number; histogram: Buffer | null }>`
      select calls, errors, histogram from usage.second where at >= ${since}`.execute(db);
    const histogram = emptyHistogram();
    for (const { histogram: stored } of rows) if (stored) addEncoded(histogram, stored);
    const calls = rows.reduce((sum, row) => sum + row.calls, 0);
    const failed = rows.reduce((sum, row) => sum + row.errors, 0);
    return { calls, failed, p95: calls === 0 ? null : (percentiles(histogram, [0.95])[0] ?? null) };
  },

  /** Rejected sign-ins since an instant. */
  rejectedSince: async (since: Date): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
      select coalesce(sum(n), 0)::int8 as n from read.sign_in where at >= ${since} and outcome = 'rejected'`.execute(db);
    return rows[0]?.n ?? 0;
  },

  /**
   * Active customers that use at least a percentage of their seats of one kind: those of `first` first, then by the highest percentage.
   * Unlimited seats do not count.
   */
  fullCustomers: async (
    threshold: number,
    first: readonly CustomerId[],
    limit: number,
  ): Promise<{ customerId: CustomerId; percent: number }[]> => {
    const full = sql`status = 'active' and ${SEAT_PERCENT} >= ${threshold}::float8`;
    const { rows } = await sql<{ customer_id: CustomerId; percent: number }>`
      select customer_id, percent from (
        (select customer_id, ${SEAT_PERCENT} as percent, 1 as place from read.customer c
          where customer_id = any(${[...first]}::uuid[]) and ${full})
        union all
        (select customer_id, ${SEAT_PERCENT}, 2 from read.customer c
          where customer_id <> all(${[...first]}::uuid[]) and ${full} order by ${SEAT_PERCENT} desc, customer_id limit ${limit})) found
      order by place, percent desc, customer_id limit ${limit}`.execute(db);
    return rows.map(({ customer_id, percent }) => ({ customerId: customer_id, percent }));
  },
});
