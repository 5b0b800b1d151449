import { sql } from 'kysely';
import type { DashboardStats } from '../../contracts/stats.ts';
import type { Database } from '../../database/database.ts';
import type { IntegratorId } from '../../domain/ids.ts';
import { dayAfter, dayOf, daysUpTo } from '../../domain/time.ts';
import type { QueryDeps } from '../queryDeps.ts';
import { EVERYTHING, scopeOf } from '../scope.ts';

const TREND_DAYS = 30;

type DayChange = {
  day: string;
  registered: number;
  customers: number;
  active: number;
  integrators_registered: number;
  integrators: number;
};

const changesSince = (db: Database, scope: string, from: string): Promise<DayChange[]> =>
  db
    .selectFrom('read.stat_day')
    .select([sql<string>`day::text`.as('day'), 'registered', 'customers', 'active', 'integrators_registered', 'integrators'])
    .where('scope', '=', scope)
    .where('day', '>=', from)
    .execute();

const callsByDay = (db: Database, scope: string, from: string): Promise<{ day: string; calls: number }[]> =>
  db
    .selectFrom('usage.scope_day')
    .select([sql<string>`day::text`.as('day'), 'calls'])
    .where('scope', '=', scope)
    .where('day', '>=', from)
    .execute();

const totalCalls = async (db: Database, scope: string): Promise<number> => {
  const { calls } = await db
    .selectFrom('usage.scope_day')
    .select(sql<number>`coalesce(sum(calls), 0)::int8`.as('calls'))
    .where('scope', '=', scope)
    .executeTakeFirstOrThrow();
  return calls;
};

/** How many customers and integrators there are now, by status. */
const tallies = async (db: Database, scope: string) => {
  const rows = await db
    .selectFrom('read.tally')
    .select(['kind', 'name', 'n'])
    .where('kind', 'in', ['customer', 'integrator', 'deletion'])
    .where('scope', '=', scope)
    .execute();
  const count = (kind: string, name?: string): number =>
    rows.filter((row) => row.kind === kind && (!name || row.name === name)).reduce((sum, { n }) => sum + n, 0);
  return {
    customers: count('customer'),
    active: count('customer', 'active'),
    integrators: count('integrator'),
    deletionRequests: count('deletion'),
  };
};

/** Queries of the dashboards. */
export const statsQueries = (db: Database, { now }: QueryDeps) => {
  const of = async (scope: string): Promise<DashboardStats> => {
    const today = dayOf(now().getTime());
    const from = dayAfter(today, 1 - TREND_DAYS);
    const [counts, changes, calls, totalApiCalls] = await Promise.all([
      tallies(db, scope),
      changesSince(db, scope, from),
      callsByDay(db, scope, dayAfter(from, -TREND_DAYS)),
      totalCalls(db, scope),
    ]);
    const callsOn = new Map(calls.map((row) => [row.day, row.calls]));
    const sum = <Row>(rows: readonly Row[], value: (row: Row) => number): number =>
      rows.reduce((total, row) => total + value(row), 0);
    const since = changes.filter(({ day }) => day >= from);
    const callsFrom = (first: string, last: string): number =>
      sum(
        calls.filter(({ day }) => day >= first && day <= last),
        (row) => row.calls,
      );
    return {
      totalCustomers: counts.customers,
      activeCustomers: counts.active,
      totalApiCalls,
      totalServiceIntegrators: counts.integrators,
      deletionRequests: counts.deletionRequests,
      newCustomersLast30Days: sum(since, (row) => row.registered),
      newServiceIntegratorsLast30Days: sum(since, (row) => row.integrators_registered),
      apiCallsLast30Days: callsFrom(from, today),
      apiCallsPrevious30Days: callsFrom(dayAfter(from, -TREND_DAYS), dayAfter(from, -1)),
      trend: daysUpTo(today, TREND_DAYS).map((day) => {
        const later = changes.filter((change) => change.day > day);
        return {
          day,
          customers: counts.customers - sum(later, (row) => row.customers),
          activeCustomers: counts.active - sum(later, (row) => row.active),
          apiCalls: callsOn.get(day) ?? 0,
          serviceIntegrators: counts.integrators - sum(later, (row) => row.integrators),
        };
      }),
    };
  };

  return {
    /** The figures of all customers. */
    admin: (): Promise<DashboardStats> => of(EVERYTHING),
    /** The figures of an integrator's own customers. */
    integrator: (id: IntegratorId): Promise<DashboardStats> => of(scopeOf(id)),
  };
};
