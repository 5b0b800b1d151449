import { sql } from 'kysely';
import type { ArrivedParts, CustomersUsage, InstanceUsage, Usage, UsageFilter, UserPart } from '../../contracts/usage.ts';
import type { Database } from '../../database/database.ts';
import { SERVICES, type Service } from '../../domain/enumerations.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import { MAX_SUGGESTED_SOURCES, OTHER_INSTANCES } from '../../domain/limits.ts';
import { QUARTER_MS } from '../../domain/time.ts';
import { type LocalDay, type LocalTime, localTimeOf } from '../localTime.ts';
import type { QueryDeps } from '../queryDeps.ts';
import { EVERYTHING } from '../scope.ts';
import { arrivedParts, type CustomersAsked } from './arrivedCalls.ts';
import { average, breakdownOf, type Counted, countBy, dailyOf, figuresOf, relatedPeriods, type Whole } from './figures.ts';
import { type CountFiltered, type FilteredUsage, filteredUsage } from './filtered.ts';
import { addTo } from './hours.ts';
import { instanceKeyOf } from './instances.ts';
import { usageOfCustomers } from './ofCustomers.ts';
import { type Dimension, type Part, type Parts, textOf, uuidOf } from './parts.ts';
import { parseRanges, type Range } from './ranges.ts';
import { type Callers, readUsage } from './reading.ts';

/** The most instances of all time that a reply lists. */
const SHOWN_INSTANCES = 500;
/** The reason of failed calls without an HTTP status. */
const NO_STATUS = 'none';

/** The counted sequences of a source, inclusive and ascending, and how often calls of the customer were voided by then. */
export type CountedRanges = Readonly<{ ranges: readonly Range[]; voids: number }>;

export type CallTotals = { calls: number; errors: number; totalMs: number };

/** Days of a time zone, yyyy-mm-dd, both included. */
type UsageDays = Readonly<{ zone: string; from: string; to: string }>;

/**
 * What is asked for: a range, today in its zone, whether the days before it and the parts of users are wanted as well, and which calls.
 * Calls after `until`, in ms since 1970, are left out.
 */
export type UsageAsked = UsageDays &
  Readonly<{ today: string; isCompared?: boolean; withUsers?: boolean; filter?: UsageFilter; until?: number }>;

type InstanceRow = Pick<InstanceUsage, 'service' | 'errors'> & {
  instance_url: string;
  calls: number;
  total_ms: number;
  last_at: Date;
};

const instanceOf = (row: InstanceRow): InstanceUsage => ({
  instanceUrl: row.instance_url,
  service: row.service,
  apiCalls: row.calls,
  errors: row.errors,
  avgResponseTime: average(row.total_ms, row.calls),
  lastActive: row.last_at.toISOString(),
});

/** The parts of a dimension by their values. Those that are counted together are left out. */
const partsOf = (parts: Parts, dimension: Dimension, read: (bytes: string) => string): [string, Part][] =>
  [...parts].flatMap(([key, part]): [string, Part][] =>
    key.charAt(0) === dimension && (key.length > 1 || dimension === 'r') ? [[read(key.slice(1)), part]] : [],
  );

type Instances = ReadonlyMap<string, { service: Service; url: string }>;

const storedInstances = async (db: Database, customerId: CustomerId, keys: readonly string[]): Promise<Instances> => {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('usage.instance as i')
    .select(['i.instance_key', 'i.instance_url', 'i.service'])
    .where('i.customer_id', '=', customerId)
    .where(sql<boolean>`i.instance_key = any(${[...keys]}::uuid[])`)
    .execute();
  return new Map(rows.map(({ instance_key, instance_url: url, service }) => [instance_key, { url, service }]));
};

const instancesOf = async (db: Database, customerId: CustomerId, { parts, instances: counted }: Read): Promise<InstanceUsage[]> => {
  const found = partsOf(parts, 'i', uuidOf);
  const unnamed = found.flatMap(([key]) => (counted.has(key) ? [] : [key]));
  const names = new Map([...(await storedInstances(db, customerId, unnamed)), ...counted]);
  const instances = found.flatMap(([key, { calls, errors, totalMs: total_ms, lastAt }]) => {
    const instance = names.get(key);
    if (!instance) return [];
    const { url: instance_url, service } = instance;
    return [instanceOf({ instance_url, service, calls, errors, total_ms, last_at: new Date(lastAt) })];
  });
  const order = ({ instanceUrl, service }: InstanceUsage): string => `${instanceUrl} ${service}`;
  return instances.sort((one, other) => other.apiCalls - one.apiCalls || (order(one) < order(other) ? -1 : 1));
};

/** The hours of a single user are not divided by user: all of them are its own. */
const usersOf = async (db: Database, { customerId, userId }: Callers, parts: Parts, whole: Whole): Promise<UserPart[]> => {
  const lastAt = Math.max(...partsOf(parts, 's', textOf).map(([, part]) => part.lastAt));
  const divided = userId === undefined ? partsOf(parts, 'u', uuidOf) : [[userId, { ...whole, lastAt }] as const];
  const users = whole.calls === 0 ? [] : breakdownOf(divided, whole);
  const ids = users.flatMap(({ key }) => (key === null ? [] : [key]));
  const rows = await db
    .selectFrom('read.portal_user as u')
    .select(['u.user_id', 'u.username'])
    .where('u.customer_id', '=', customerId)
    .where(sql<boolean>`u.user_id = any(${ids}::uuid[])`)
    .execute();
  const names = new Map(rows.map(({ user_id: id, username }) => [String(id), username]));
  return users.map((part) => ({ ...part, username: (part.key === null ? undefined : names.get(part.key)) ?? null }));
};

/**
 * The calls of a range. `instances` names those that single calls have, and `notIncluded` counts those to services that the license did
 * not include. The stored counts are those before `storedEnd`, and all calls are before `end`, in ms since 1970.
 */
type Read = Readonly<{
  days: readonly LocalDay[];
  counted: Counted;
  parts: Parts;
  instances: Instances;
  notIncluded: ReadonlyMap<Service, number>;
  countedFrom: string | null;
  storedEnd: number;
  end: number;
}>;

type Reading = Readonly<{
  db: Database;
  callers: Callers;
  time: LocalTime;
  filter: UsageFilter | null;
  count: CountFiltered;
  until: number;
}>;

const NO_SINGLE_CALLS: FilteredUsage = { parts: new Map(), instances: new Map(), notIncluded: new Map(), countedFrom: 0 };

const read = async (reading: Reading, { from, to }: UsageDays, only?: Dimension): Promise<Read> => {
  const { db, callers, time, filter, count, until } = reading;
  const days = time.days(from, to);
  const { reader, finish } = countBy(days, time);
  const start = days[0]?.start ?? 0;
  const interval = { start, end: Math.max(start, Math.min(days.at(-1)?.end ?? 0, until + 1)) };
  if (filter === null) {
    const storedEnd = Math.floor(interval.end / QUARTER_MS) * QUARTER_MS;
    const parts = await readUsage(db, callers, { start, end: storedEnd }, reader, only);
    const rest = { start: storedEnd, end: interval.end };
    const single = rest.start < rest.end ? await count(callers, {}, rest, reader) : NO_SINGLE_CALLS;
    for (const [key, part] of single.parts) addTo(parts, key, part);
    const end = single.countedFrom > storedEnd ? storedEnd : interval.end;
    return { ...single, days, counted: finish(), parts, countedFrom: null, storedEnd, end };
  }
  const single = await count(callers, filter, interval, reader);
  const isWhole = single.countedFrom === start;
  const countedFrom = isWhole ? null : new Date(single.countedFrom).toISOString();
  return { ...single, days, counted: finish(), countedFrom, storedEnd: start, end: interval.end };
};

const sumOf = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const callsOf = ({ days, counted }: Read, { from, to }: UsageDays): number =>
  sumOf(counted.byDay.map(({ calls }, index) => (isWithin(days[index]?.day, from, to) ? calls : 0)));

const isWithin = (day: string | undefined, from: string, to: string): boolean => day !== undefined && day >= from && day <= to;

const hasFilter = (filter: UsageFilter): boolean => Object.values(filter).some((value) => value !== undefined);

/** The part that is read of days before the range: only the number of instances is shown. */
const OF_EARLIER = 'i' satisfies Dimension;

/** The calls of the range, of the days before it and of the last 30 days. With a filter single calls are counted, one period after the other. */
const readAll = async (reading: Reading, asked: UsageAsked, before: UsageDays, last30: UsageDays) => {
  const { isCompared = false, from, to, today } = asked;
  if (reading.filter !== null) {
    const range = await read(reading, asked);
    const earlier = isCompared && range.countedFrom === null ? await read(reading, before) : null;
    return { range, earlier: earlier?.countedFrom === null ? earlier : null, recent: null };
  }
  const hasLast30 = from <= last30.from && to >= today;
  const [range, earlier, other] = await Promise.all([
    read(reading, asked),
    isCompared ? read(reading, before, OF_EARLIER) : null,
    hasLast30 ? null : read(reading, last30, OF_EARLIER),
  ]);
  return { range, earlier, recent: other ?? range };
};

/** Calls of a range to services that the license did not include. They are not divided by user. */
const notIncludedIn = async (db: Database, { customerId, userId }: Callers, { days, storedEnd, notIncluded }: Read) => {
  if (userId !== undefined) return [];
  const stored = await db
    .selectFrom('usage.not_included')
    .select(['service', sql<number>`sum(calls)::int8`.as('calls')])
    .where('customer_id', '=', customerId)
    .where('at', '>=', new Date(days[0]?.start ?? 0))
    .where('at', '<', new Date(storedEnd))
    .groupBy('service')
    .execute();
  const counts = new Map(notIncluded);
  for (const { service, calls } of stored) counts.set(service, (counts.get(service) ?? 0) + calls);
  return [...counts].map(([service, calls]) => ({ service, calls })).sort((one, other) => (one.service < other.service ? -1 : 1));
};

const usageOf = async (db: Database, count: CountFiltered, callers: Callers, asked: UsageAsked): Promise<Usage> => {
  const { zone, from, to, today, withUsers = false, filter = {}, until = Number.POSITIVE_INFINITY } = asked;
  const { first, last, ...periods } = relatedPeriods({ from, to, today });
  const [before, last30] = [
    { zone, ...periods.before },
    { zone, ...periods.last30 },
  ];
  const reading = { db, callers, time: localTimeOf(zone, first, last), filter: hasFilter(filter) ? filter : null, count, until };
  const { range, earlier, recent } = await readAll(reading, asked, before, last30);
  const { days, counted, parts } = range;
  const instanceUsage = await instancesOf(db, callers.customerId, range);
  const notIncluded = reading.filter === null ? await notIncludedIn(db, callers, range) : [];
  const figures = figuresOf(days, counted, instanceUsage.length);
  const whole = {
    calls: figures.totalApiCalls,
    errors: figures.totalErrors,
    totalMs: sumOf(counted.byDay.map(({ totalMs }) => totalMs)),
  };
  const reasons = partsOf(parts, 'r', (bytes) => (bytes === '' ? NO_STATUS : textOf(bytes)));
  const failed = { calls: whole.errors, errors: whole.errors, totalMs: sumOf(reasons.map(([, { totalMs }]) => totalMs)) };
  const dailyBefore = earlier ? dailyOf(earlier.days, earlier.counted) : [];
  return {
    from,
    to,
    zone,
    countedFrom: range.countedFrom,
    ...(asked.until !== undefined && { until: new Date(range.end - 1).toISOString() }),
    ...figures,
    apiCallsLast30Days: recent && callsOf(recent, last30),
    instanceUsage,
    daily: dailyOf(days, counted),
    week: counted.week,
    users: withUsers ? await usersOf(db, callers, parts, whole) : null,
    operations: breakdownOf(partsOf(parts, 'o', textOf), whole),
    services: breakdownOf(partsOf(parts, 's', textOf), whole),
    reasons: breakdownOf(reasons, failed),
    ...(notIncluded.length > 0 && { notIncluded }),
    previous: earlier && {
      ...before,
      ...figuresOf(earlier.days, earlier.counted, partsOf(earlier.parts, 'i', uuidOf).length),
      calls: dailyBefore.map(({ calls }) => calls),
      daily: dailyBefore,
    },
  };
};

const customerUsage = (db: Database, deps: Pick<QueryDeps, 'readCalls' | 'callCounts' | 'now'>) => {
  const count = filteredUsage(db, deps);
  return (callers: Callers, asked: UsageAsked): Promise<Usage> => usageOf(db, count, callers, asked);
};

/** Queries on recorded API calls, by the time of the call. */
export const usageQueries = (db: Database, deps: Pick<QueryDeps, 'readCalls' | 'callCounts' | 'now'>) => ({
  /** The usage of a customer, or of one of its users. Throws `UsageBusy`. */
  of: customerUsage(db, deps),

  /** The usage of all customers of a service integrator together. */
  ofCustomers: (integratorId: IntegratorId, asked: CustomersAsked): Promise<CustomersUsage> =>
    usageOfCustomers(db, integratorId, asked),

  /** The calls of all customers of a service integrator by service and operation, by their arrival. */
  partsOfCustomers: (integratorId: IntegratorId, asked: CustomersAsked): Promise<ArrivedParts> =>
    arrivedParts(db, integratorId, asked),

  /** Every instance ever called, with its counts of all time; the last active first, at most 500. */
  instances: async (customerId: CustomerId): Promise<InstanceUsage[]> => {
    const rows = await db
      .selectFrom('usage.instance')
      .select(['instance_url', 'service', 'calls', 'errors', 'total_ms', 'last_at'])
      .where('customer_id', '=', customerId)
      .where('calls', '>', 0)
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

  /** Calls to services that licenses did not include, of all customers that there are. */
  totalNotIncluded: async (): Promise<number> => {
    const { calls } = await db
      .selectFrom('usage.not_included')
      .select(sql<number>`coalesce(sum(calls), 0)::int8`.as('calls'))
      .executeTakeFirstOrThrow();
    return calls;
  },

  /** Sequences of a source that are counted, and how often calls of the customer were voided by then. */
  sourceRanges: async (customerId: CustomerId, sourceId: string): Promise<CountedRanges> => {
    const row = await db
      .selectFrom('usage.customer as c')
      .leftJoin('usage.source as s', (on) => on.onRef('s.customer_id', '=', 'c.customer_id').on('s.source_id', '=', sourceId))
      .select(['c.voids', sql<string | null>`s.seen::text`.as('seen')])
      .where('c.customer_id', '=', customerId)
      .executeTakeFirst();
    return { ranges: parseRanges(row?.seen ?? '{}'), voids: row?.voids ?? 0 };
  },

  /** The sources of a customer's recorded calls that begin with a text, by name, at most `MAX_SUGGESTED_SOURCES`. */
  sources: async (customerId: CustomerId, start: string): Promise<string[]> => {
    const rows = await db
      .selectFrom('usage.source')
      .select('source_id')
      .where('customer_id', '=', customerId)
      .where(sql<boolean>`starts_with(source_id, ${start})`)
      .orderBy('source_id')
      .limit(MAX_SUGGESTED_SOURCES)
      .execute();
    return rows.map(({ source_id: id }) => id);
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
