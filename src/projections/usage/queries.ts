import { sql } from 'kysely';
import type { DailyUsage, InstanceUsage, Usage } from '../../contracts/usage.ts';
import type { Database } from '../../database/database.ts';
import type { Service } from '../../domain/credential/events.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { OTHER_INSTANCES } from '../../domain/limits.ts';
import { dayAfter, daysUpTo } from '../days.ts';
import { EVERYTHING } from '../scope.ts';
import { addEncoded, emptyHistogram, percentiles, percentilesOfEncoded } from './histogram.ts';
import { instanceKeyOf } from './instances.ts';
import { parseRanges, type Range } from './ranges.ts';
import { average, type CallingUser, type Day, instanceOf, SHOWN_INSTANCES, userDaysOf, userInstances } from './userUsage.ts';

const SERVICES = ['jira', 'azdo', 'confluence'] as const satisfies readonly Service[];
const CALLS_DAYS = 30;

export type CallTotals = { calls: number; errors: number; totalMs: number };

const dailyOf = (day: string, row: Day | undefined): DailyUsage => {
  if (!row) return { day, calls: 0, errors: 0, avgResponseTime: 0, p95: 0 };
  const [p95] = percentilesOfEncoded(row.histogram, [0.95]);
  return { day, calls: row.calls, errors: row.errors, avgResponseTime: average(row.total_ms, row.calls), p95: p95 ?? 0 };
};

const latenciesOf = (rows: readonly Day[]): { p50: number; p95: number; p99: number } => {
  const histogram = emptyHistogram();
  for (const row of rows) addEncoded(histogram, row.histogram);
  const [p50, p95, p99] = percentiles(histogram, [0.5, 0.95, 0.99]);
  return { p50: p50 ?? 0, p95: p95 ?? 0, p99: p99 ?? 0 };
};

const daysOf = (db: Database, customerId: CustomerId, from: string, to: string): Promise<Day[]> =>
  db
    .selectFrom('usage.day')
    .select([sql<string>`day::text`.as('day'), 'calls', 'errors', 'total_ms', 'histogram'])
    .where('customer_id', '=', customerId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute();

const instancesBetween = async (db: Database, customerId: CustomerId, from: string, to: string): Promise<InstanceUsage[]> => {
  const rows = await db
    .selectFrom((days) =>
      days
        .selectFrom('usage.instance_day as d')
        .select('d.instance_key')
        .select(sql<number>`sum(d.calls)::int8`.as('calls'))
        .select(sql<number>`sum(d.errors)::int8`.as('errors'))
        .select(sql<number>`sum(d.total_ms)::int8`.as('total_ms'))
        .select(sql<Date>`max(d.last_at)`.as('last_at'))
        .where('d.customer_id', '=', customerId)
        .where('d.day', '>=', from)
        .where('d.day', '<=', to)
        .groupBy('d.instance_key')
        .as('s'),
    )
    .innerJoin('usage.instance as i', (on) =>
      on.on('i.customer_id', '=', customerId).onRef('i.instance_key', '=', 's.instance_key'),
    )
    .select(['i.instance_url', 'i.service', 's.calls', 's.errors', 's.total_ms', 's.last_at'])
    .orderBy('s.calls', 'desc')
    .orderBy('i.instance_url')
    .orderBy('i.service')
    .execute();
  return rows.map(instanceOf);
};

const peakOf = (daily: readonly DailyUsage[]): DailyUsage | undefined =>
  daily.reduce<DailyUsage | undefined>((peak, day) => (day.calls > (peak?.calls ?? 0) ? day : peak), undefined);

/** What usage is made of: days with calls, oldest first, and the instances of a range. */
type Source = Readonly<{
  days: (from: string, to: string) => Promise<Day[]>;
  instances: (from: string, to: string) => Promise<InstanceUsage[]>;
}>;

const usageFrom = async (source: Source, days: number, today: string): Promise<Usage> => {
  const from = dayAfter(today, 1 - days);
  const from30 = dayAfter(today, 1 - CALLS_DAYS);
  const [known, instanceUsage] = await Promise.all([
    source.days(from < from30 ? from : from30, today),
    source.instances(from, today),
  ]);
  const byDay = new Map(known.map((row) => [row.day, row]));
  const daily = daysUpTo(today, days).map((day) => dailyOf(day, byDay.get(day)));
  const inRange = known.filter(({ day }) => day >= from);
  const sum = (rows: readonly Day[], column: 'calls' | 'errors' | 'total_ms'): number =>
    rows.reduce((total, row) => total + row[column], 0);
  const calls = sum(inRange, 'calls');
  const errors = sum(inRange, 'errors');
  const peak = peakOf(daily);
  return {
    totalApiCalls: calls,
    apiCallsLast30Days: sum(
      known.filter(({ day }) => day >= from30),
      'calls',
    ),
    activeInstances: instanceUsage.length,
    avgResponseTime: average(sum(inRange, 'total_ms'), calls),
    ...latenciesOf(inRange),
    peakUsageDay: peak?.day ?? null,
    peakUsageCalls: peak?.calls ?? 0,
    errorRate: calls === 0 ? 0 : errors / calls,
    totalErrors: errors,
    instanceUsage,
    daily,
  };
};

/** Queries on recorded API calls. Days are UTC, `yyyy-mm-dd`, by the time of the call. */
export const usageQueries = (db: Database) => ({
  /** Usage of the last `days` days up to and with `today`. Of several peak days the first is named. */
  of: (customerId: CustomerId, days: number, today: string): Promise<Usage> =>
    usageFrom(
      { days: (from, to) => daysOf(db, customerId, from, to), instances: (from, to) => instancesBetween(db, customerId, from, to) },
      days,
      today,
    ),

  /** The same of one user's calls. */
  ofUser: (user: CallingUser, days: number, today: string): Promise<Usage> =>
    usageFrom(
      { days: (from, to) => userDaysOf(db, user, from, to), instances: (from, to) => userInstances(db, user, from, to) },
      days,
      today,
    ),

  /** Every instance ever called, with its counts of all time; the last active first, at most 500. */
  instances: async (customerId: CustomerId): Promise<InstanceUsage[]> => {
    const rows = await db
      .selectFrom('usage.instance')
      .select(['instance_url', 'service', 'calls', 'errors', 'total_ms', 'last_at'])
      .where('customer_id', '=', customerId)
      .orderBy('last_at', 'desc')
      .orderBy('instance_url')
      .orderBy('service')
      .limit(SHOWN_INSTANCES)
      .execute();
    return rows.map(instanceOf);
  },

  /** Customers of whom some instances are counted together, since they called more than `MAX_INSTANCES`. */
  customersWithOtherInstances: async (): Promise<number> => {
    const keys = SERVICES.map((service) => instanceKeyOf(service, OTHER_INSTANCES));
    const { count } = await db
      .selectFrom('usage.customer as c')
      .select(sql<number>`count(*)::int4`.as('count'))
      .where((where) =>
        where.exists(
          where
            .selectFrom('usage.instance as i')
            .select('i.customer_id')
            .whereRef('i.customer_id', '=', 'c.customer_id')
            .where('i.instance_key', 'in', keys),
        ),
      )
      .executeTakeFirstOrThrow();
    return count;
  },

  /** Sequences of a source that are counted, inclusive and ascending. */
  sourceRanges: async (customerId: CustomerId, sourceId: string): Promise<readonly Range[]> => {
    const row = await db
      .selectFrom('usage.source')
      .select(sql<string>`seen::text`.as('seen'))
      .where('customer_id', '=', customerId)
      .where('source_id', '=', sourceId)
      .executeTakeFirst();
    return row ? parseRanges(row.seen) : [];
  },

  /** Calls of all time, of all customers that there are. */
  total: async (): Promise<CallTotals> =>
    db
      .selectFrom('usage.scope_day')
      .select(sql<number>`coalesce(sum(calls), 0)::int8`.as('calls'))
      .select(sql<number>`coalesce(sum(errors), 0)::int8`.as('errors'))
      .select(sql<number>`coalesce(sum(total_ms), 0)::int8`.as('totalMs'))
      .where('scope', '=', EVERYTHING)
      .executeTakeFirstOrThrow(),
});
