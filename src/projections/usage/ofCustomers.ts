import { sql } from 'kysely';
import type { CustomersUsage } from '../../contracts/usage.ts';
import type { Database } from '../../database/database.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import { DAY_MS, dayOf, HOUR_MS, QUARTER_MS } from '../../domain/time.ts';
import { type LocalDay, localTimeOf } from '../localTime.ts';
import { arrivedCalls, type CustomersAsked } from './arrivedCalls.ts';
import { average, breakdownOf, relatedPeriods, type Whole } from './figures.ts';
import { ALL_USERS, eachQuarter } from './hours.ts';

/** The most hours of customers that are read to divide UTC days. Beyond them the days of the reply are UTC days. */
const MAX_HOURS = 100_000;
/** The most customers of which further figures are added up: each would take more than 10 ms. */
const MAX_CUSTOMERS = 5_000;

type Sums = { calls: number; errors: number; totalMs: number };
type Interval = Readonly<{ start: number; end: number }>;

const none = (): Sums => ({ calls: 0, errors: 0, totalMs: 0 });
const add = (to: Sums, { calls, errors, totalMs }: Sums, sign = 1): Sums => {
  to.calls += sign * calls;
  to.errors += sign * errors;
  to.totalMs += sign * totalMs;
  return to;
};

const midnightOf = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;

/** The shorter part of the UTC day in which a local day begins: before its beginning, or after it. Null where both days begin together. */
const shorterPart = (at: number): (Interval & { isBefore: boolean }) | null => {
  const midnight = midnightOf(at);
  if (at === midnight) return null;
  const isBefore = at - midnight <= DAY_MS / 2;
  return isBefore ? { isBefore, start: midnight, end: at } : { isBefore, start: at, end: midnight + DAY_MS };
};

const hoursIn = ({ start, end }: Interval): number[] => {
  const first = Math.floor(start / HOUR_MS) * HOUR_MS;
  return Array.from({ length: Math.ceil((end - first) / HOUR_MS) }, (_, index) => first + index * HOUR_MS);
};

const boundariesOf = (days: readonly LocalDay[]): number[] => [...days.map(({ start }) => start), days.at(-1)?.end ?? 0];

const hoursOf = (boundaries: readonly number[]): number[] => [
  ...new Set(
    boundaries.flatMap((at) => {
      const part = shorterPart(at);
      return part ? hoursIn(part) : [];
    }),
  ),
];

type HourRow = { customer_id: CustomerId; ms: number; quarters: Buffer };

const readHours = async (db: Database, integratorId: IntegratorId, hours: readonly number[]): Promise<HourRow[]> => {
  if (hours.length === 0) return [];
  const { rows } = await sql<HourRow>`
    select c.customer_id, (extract(epoch from h.at) * 1000)::int8 as ms, h.quarters
    from usage.customer c cross join lateral (
      select h.at, h.quarters from usage.call_hour h
      where h.customer_id = c.customer_id and h.user_id = ${ALL_USERS}
        and h.at = any(${hours.map((at) => new Date(at).toISOString())}::timestamptz[]) offset 0) h
    where c.integrator_id = ${integratorId}`.execute(db);
  return rows;
};

/** The calls of the shorter part at each boundary, of all customers together and of each one. */
const partsAt = (rows: readonly HourRow[], boundaries: readonly number[]) => {
  const all = new Map<number, Sums>();
  const each = new Map<string, Sums>();
  const parts = boundaries.flatMap((at) => {
    const part = shorterPart(at);
    return part ? [{ at, part }] : [];
  });
  for (const { customer_id: customerId, ms, quarters } of rows) {
    for (const { at, part } of parts) {
      if (ms + HOUR_MS <= part.start || ms >= part.end) continue;
      eachQuarter(quarters, (quarter, calls) => {
        const begins = ms + quarter * QUARTER_MS;
        if (begins < part.start || begins >= part.end) return;
        all.set(at, add(all.get(at) ?? none(), calls));
        each.set(`${customerId} ${at}`, add(each.get(`${customerId} ${at}`) ?? none(), calls));
      });
    }
  }
  return { all, each };
};

/** The calls of the UTC day of an instant that were made before it. */
const callsBefore = (at: number, ofDay: Sums, ofPart: Sums | undefined): Sums => {
  const part = shorterPart(at);
  if (part === null) return none();
  return part.isBefore ? add(none(), ofPart ?? none()) : add(add(none(), ofDay), ofPart ?? none(), -1);
};

type ScopeDay = { day: string; calls: number; errors: number; total_ms: number };
const sumsOf = ({ calls, errors, total_ms: totalMs }: Omit<ScopeDay, 'day'>): Sums => ({ calls, errors, totalMs });

/** The calls of each local day: those of whole UTC days, and of the parts of those in which local days begin. */
const readDays = async (db: Database, integratorId: IntegratorId, days: readonly LocalDay[], at: ReadonlyMap<number, Sums>) => {
  const [first, last] = [days[0]?.start ?? 0, days.at(-1)?.end ?? 0];
  const rows = await db
    .selectFrom('usage.scope_day')
    .select([sql<string>`day::text`.as('day'), 'calls', 'errors', 'total_ms'])
    .where('scope', '=', integratorId)
    .where('day', '>=', dayOf(midnightOf(first)))
    .where('day', '<=', dayOf(last))
    .execute();
  const byDay = new Map(rows.map((row) => [Date.parse(row.day), sumsOf(row)]));
  const ofDay = (midnight: number): Sums => byDay.get(midnight) ?? none();
  return days.map(({ start, end }): Sums => {
    const sums = none();
    for (let midnight = midnightOf(start); midnight < midnightOf(end); midnight += DAY_MS) add(sums, ofDay(midnight));
    add(sums, callsBefore(start, ofDay(midnightOf(start)), at.get(start)), -1);
    return add(sums, callsBefore(end, ofDay(midnightOf(end)), at.get(end)));
  });
};

type CustomerRow = { customer_id: CustomerId; whole: number[]; first: number[] | null; last: number[] | null };

/** Whether the calls before an instant are those of its UTC day without a part. */
const needsDay = (at: number): boolean => shorterPart(at)?.isBefore === false;

/** The calls of each customer in the range. */
const readCustomers = async (
  db: Database,
  integratorId: IntegratorId,
  { start, end }: Interval,
  at: ReadonlyMap<string, Sums>,
): Promise<[CustomerId, Sums][]> => {
  const [first, last] = [dayOf(midnightOf(start)), dayOf(midnightOf(end))];
  const sums = (condition: ReturnType<typeof sql>) => sql`array[
    coalesce(sum(d.calls) filter (where ${condition}), 0)::float8,
    coalesce(sum(d.errors) filter (where ${condition}), 0)::float8,
    coalesce(sum(d.total_ms) filter (where ${condition}), 0)::float8]`;
  const ofDay = (at: number, day: string) => (needsDay(at) ? sums(sql`d.day = ${day}`) : sql`null::float8[]`);
  const { rows } = await sql<CustomerRow>`
    select c.customer_id, ${sums(sql`d.day < ${last}`)} as whole, ${ofDay(start, first)} as first, ${ofDay(end, last)} as last
    from usage.customer c join usage.day d on d.customer_id = c.customer_id
    where c.integrator_id = ${integratorId} and d.day >= ${first} and d.day <= ${last}
    group by c.customer_id`.execute(db);
  const read = (sums: readonly number[] | null): Sums => {
    const [calls = 0, errors = 0, totalMs = 0] = sums ?? [];
    return { calls, errors, totalMs };
  };
  return rows.flatMap(({ customer_id: id, whole, first: ofFirst, last: ofLast }): [CustomerId, Sums][] => {
    const calls = read(whole);
    add(calls, callsBefore(start, read(ofFirst), at.get(`${id} ${start}`)), -1);
    add(calls, callsBefore(end, read(ofLast), at.get(`${id} ${end}`)));
    return calls.calls > 0 ? [[id, calls]] : [];
  });
};

const namesOf = async (db: Database, ids: readonly CustomerId[]): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('read.customer').select(['customer_id', 'name']).where('customer_id', 'in', ids).execute();
  return new Map(rows.map(({ customer_id: id, name }) => [id, name]));
};

const customersOf = async (db: Database, integratorId: IntegratorId): Promise<number> => {
  const { count } = await db
    .selectFrom('usage.customer as c')
    .select(sql<number>`count(*)::int4`.as('count'))
    .where('c.integrator_id', '=', integratorId)
    .executeTakeFirstOrThrow();
  return count;
};

/** The instances that customers called since an instant, each counted for its customer. */
const activeInstancesSince = async (db: Database, integratorId: IntegratorId, since: number): Promise<number> => {
  const { count } = await db
    .selectFrom('usage.customer as c')
    .innerJoin('usage.instance as i', 'i.customer_id', 'c.customer_id')
    .select(sql<number>`count(*)::int4`.as('count'))
    .where('c.integrator_id', '=', integratorId)
    .where('i.calls', '>', 0)
    .where('i.last_at', '>=', new Date(since))
    .executeTakeFirstOrThrow();
  return count;
};

const totalOf = (days: readonly Sums[]): Whole => days.reduce<Sums>((sum, day) => add(sum, day), none());

const dailyOf = (days: readonly LocalDay[], counted: readonly Sums[]): CustomersUsage['daily'] =>
  days.map(({ day, start, end }, index) => {
    const { calls, errors, totalMs } = counted[index] ?? none();
    const [from, to] = [new Date(start).toISOString(), new Date(end).toISOString()];
    return { day, from, to, calls, errors, avgResponseTime: average(totalMs, calls) };
  });

/** The days of a reply: those of the range, those before it, and the last 30; the latter two only where they are read. */
const daysOf = ({ zone, from, to, today, isCompared = false }: CustomersAsked) => {
  const { before, last30, first, last } = relatedPeriods({ from, to, today });
  const time = localTimeOf(zone, first, last);
  return {
    before,
    days: time.days(from, to),
    earlier: isCompared ? time.days(before.from, before.to) : [],
    recent: time.days(last30.from, last30.to),
  };
};

const intervalOf = (days: readonly LocalDay[]): Interval => ({ start: days[0]?.start ?? 0, end: days.at(-1)?.end ?? 0 });

/** The calls of all customers of a service integrator, by day, and by customer. */
export const usageOfCustomers = async (
  db: Database,
  integratorId: IntegratorId,
  asked: CustomersAsked,
): Promise<CustomersUsage> => {
  const { zone, from, to, today, isCompared = false } = asked;
  const { before, days, earlier, recent } = daysOf(asked);
  const boundaries = new Set([...boundariesOf(days), ...(isCompared ? boundariesOf(earlier) : [])]);
  const customerCount = await customersOf(db, integratorId);
  const isTooMuch = (at: Iterable<number>): boolean => customerCount * hoursOf([...at]).length > MAX_HOURS;
  if (isTooMuch(boundaries)) return usageOfCustomers(db, integratorId, { ...asked, zone: 'UTC' });
  const ofRecent = { day: today, ...intervalOf(recent) };
  const withRecent = new Set([...boundaries, ...boundariesOf([ofRecent])]);
  const knowsRecent = !isTooMuch(withRecent);
  const read = [...(knowsRecent ? withRecent : boundaries)];
  const isFew = customerCount <= MAX_CUSTOMERS;

  const { all, each } = partsAt(await readHours(db, integratorId, hoursOf(read)), read);
  const [counted, countedBefore, customers, customersBefore, last30, activeInstances, arrived] = await Promise.all([
    readDays(db, integratorId, days, all),
    isCompared ? readDays(db, integratorId, earlier, all) : null,
    readCustomers(db, integratorId, intervalOf(days), each),
    isCompared && isFew ? readCustomers(db, integratorId, intervalOf(earlier), each) : null,
    knowsRecent ? readDays(db, integratorId, [ofRecent], all) : null,
    isFew && to >= today ? activeInstancesSince(db, integratorId, intervalOf(days).start) : null,
    arrivedCalls(db, integratorId, asked),
  ]);
  const whole = totalOf(counted);
  const parts = breakdownOf(
    customers.map(([id, sums]) => [id, { ...sums, lastAt: 0 }] as const),
    whole,
  );
  const names = await namesOf(
    db,
    parts.flatMap(({ key }) => (key === null ? [] : [key as CustomerId])),
  );
  const peak = counted.reduce((best, { calls }, index) => (calls > (counted[best]?.calls ?? 0) ? index : best), 0);
  const peakCalls = counted[peak]?.calls ?? 0;
  const totalBefore = totalOf(countedBefore ?? []);
  const dailyBefore = dailyOf(earlier, countedBefore ?? []);
  return {
    from,
    to,
    zone,
    totalApiCalls: whole.calls,
    totalErrors: whole.errors,
    errorRate: whole.calls === 0 ? 0 : whole.errors / whole.calls,
    avgResponseTime: average(whole.totalMs, whole.calls),
    peakUsageDay: peakCalls > 0 ? (days[peak]?.day ?? null) : null,
    peakUsageCalls: peakCalls,
    activeCustomers: customers.length,
    apiCallsLast30Days: last30 && totalOf(last30).calls,
    activeInstances,
    daily: dailyOf(days, counted),
    customers: parts.map(({ lastActive: _, ...part }) => ({ ...part, name: (part.key && names.get(part.key)) ?? null })),
    previous: countedBefore && {
      ...before,
      totalApiCalls: totalBefore.calls,
      totalErrors: totalBefore.errors,
      avgResponseTime: average(totalBefore.totalMs, totalBefore.calls),
      activeCustomers: customersBefore?.length ?? null,
      calls: dailyBefore.map(({ calls }) => calls),
      daily: dailyBefore,
    },
    arrived,
  };
};
