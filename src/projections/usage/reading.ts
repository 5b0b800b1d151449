import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../../domain/time.ts';
import { QUARTER_MS } from '../callCounts/counting.ts';
import { ALL_USERS, eachQuarter, type QuarterCalls } from './hours.ts';
import { addPart, type Dimension, eachPart, type Part, type Parts, splitKey } from './parts.ts';

/** Whose calls are read: those of a customer, or of one of its users. */
export type Callers = Readonly<{ customerId: CustomerId; userId?: UserId }>;

/** From an instant until before another, in ms since 1970; both begin a quarter of an hour. */
export type Interval = Readonly<{ start: number; end: number }>;

/** A UTC day of a version before, which is not divided. `day` is yyyy-mm-dd. */
type OldDay = { day: string; calls: number; errors: number; total_ms: number; histogram: Buffer };

/** Takes what is read of an interval. */
export type UsageReader = Readonly<{
  /** Calls of the quarter of an hour that begins at `at`. */
  quarter: (at: number, calls: QuarterCalls) => void;
  oldDay: (day: OldDay) => void;
}>;

const ceilTo = (at: number, size: number): number => Math.ceil(at / size) * size;
const floorTo = (at: number, size: number): number => Math.floor(at / size) * size;

/** The whole UTC days of an interval; null for none. */
const wholeDaysOf = ({ start, end }: Interval): Interval | null => {
  const days = { start: ceilTo(start, DAY_MS), end: floorTo(end, DAY_MS) };
  return days.start < days.end ? days : null;
};

type HourRow = { ms: number; quarters: Buffer; parts: Buffer | null };
type DayRow = OldDay & { ms: null; parts: Buffer | null };

/**
 * Hours, oldest first. `parts` are left out of hours in `without`. Of a customer, the days that the interval touches follow, oldest first.
 * One statement reads both, since two could see different states: a customer whose calls are all there, but not their parts.
 */
const rowsOf = async (db: Database, { customerId, userId }: Callers, { start, end }: Interval, without: Interval | null) => {
  const [from, to] = [new Date(without?.start ?? 0), new Date(without?.end ?? 0)];
  const days = sql`
    union all
    select null, null, d.day::text, d.calls, d.errors, d.total_ms, case when d.parts is null then d.histogram end, d.parts
    from usage.day d
    where d.customer_id = ${customerId}
      and d.day >= ${dayOf(floorTo(start, DAY_MS))} and d.day < ${dayOf(ceilTo(end, DAY_MS))}`;
  const { rows } = await sql<HourRow | DayRow>`
    select (extract(epoch from h.at) * 1000)::int8 as ms, h.quarters,
      null as day, null::int8 as calls, null::int8 as errors, null::int8 as total_ms, null::bytea as histogram,
      case when h.at >= ${from} and h.at < ${to} then null else h.parts end as parts
    from usage.call_hour h
    where h.customer_id = ${customerId} and h.user_id = ${userId ?? ALL_USERS}
      and h.at >= ${new Date(floorTo(start, HOUR_MS))} and h.at < ${new Date(end)}
    ${userId === undefined ? days : sql``}
    order by ms nulls last, day`.execute(db);
  return rows;
};

/** Adds up parts without their quarters. The parts of a range have few keys, and most rows have all of them. */
const addingUp = () => {
  const sums: Parts = new Map();
  const byKey: Parts = new Map();
  const add = (key: string, part: Part): void => {
    const known = byKey.get(key);
    if (known) {
      addPart(known, part);
      return;
    }
    const id = key.charAt(0) + key.slice(2);
    const sum = sums.get(id);
    const own = sum ?? { ...part };
    if (sum) addPart(sum, part);
    else sums.set(id, own);
    byKey.set(key, own);
  };
  return { sums, add };
};

/**
 * Reads the calls of an interval by quarter, and returns their parts, by dimension and value: all, or those of one dimension. Parts of
 * whole UTC days of a customer are read from its days; at the ends, and of a single user, from the hours.
 */
export const readUsage = async (
  db: Database,
  callers: Callers,
  interval: Interval,
  reader: UsageReader,
  only?: Dimension,
): Promise<Parts> => {
  const whole = callers.userId === undefined ? wholeDaysOf(interval) : null;
  const rows = await rowsOf(db, callers, interval, whole);
  const { sums, add } = addingUp();
  const isIn = (at: number): boolean => at >= interval.start && at < interval.end;
  for (const row of rows) {
    if (row.ms === null) {
      const { ms, parts, ...day } = row;
      const start = Date.parse(day.day);
      if (parts === null) reader.oldDay(day);
      else if (whole && start >= whole.start && start < whole.end) eachPart(parts, start, add, only);
      continue;
    }
    const { ms, quarters, parts } = row;
    eachQuarter(quarters, (quarter, calls) => {
      const at = ms + quarter * QUARTER_MS;
      if (isIn(at)) reader.quarter(at, calls);
    });
    if (!parts) continue;
    const addWithin = (key: string, part: Part): void => {
      if (isIn(ms + splitKey(key)[1] * QUARTER_MS)) add(key, part);
    };
    eachPart(parts, ms, addWithin, only);
  }
  return sums;
};
