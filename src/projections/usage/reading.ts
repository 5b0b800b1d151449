import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
import { QUARTER_MS } from './counting.ts';
import { ALL_USERS, eachQuarter, type QuarterCalls } from './hours.ts';
import { addPart, type Dimension, eachPart, type Part, type Parts, splitKey } from './parts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

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

type HourRow = { ms: number; quarters: Buffer; parts: Buffer | null };

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10);
const ceilTo = (at: number, size: number): number => Math.ceil(at / size) * size;
const floorTo = (at: number, size: number): number => Math.floor(at / size) * size;

/** The whole UTC days of an interval; null for none. */
const wholeDaysOf = ({ start, end }: Interval): Interval | null => {
  const days = { start: ceilTo(start, DAY_MS), end: floorTo(end, DAY_MS) };
  return days.start < days.end ? days : null;
};

/** Hours, oldest first. `parts` are left out of hours in `without`. */
const hoursOf = async (db: Database, { customerId, userId }: Callers, { start, end }: Interval, without: Interval | null) => {
  const [from, to] = [new Date(without?.start ?? 0), new Date(without?.end ?? 0)];
  const { rows } = await sql<HourRow>`
    select (extract(epoch from h.at) * 1000)::int8 as ms, h.quarters,
      case when h.at >= ${from} and h.at < ${to} then null else h.parts end as parts
    from usage.call_hour h
    where h.customer_id = ${customerId} and h.user_id = ${userId ?? ALL_USERS}
      and h.at >= ${new Date(floorTo(start, HOUR_MS))} and h.at < ${new Date(end)}
    order by h.at`.execute(db);
  return rows;
};

type DayRow = OldDay & { parts: Buffer | null };

const daysOf = async (db: Database, customerId: CustomerId, { start, end }: Interval): Promise<DayRow[]> => {
  const { rows } = await sql<DayRow>`
    select d.day::text as day, d.calls, d.errors, d.total_ms, case when d.parts is null then d.histogram end as histogram, d.parts
    from usage.day d
    where d.customer_id = ${customerId} and d.day >= ${dayText(start)} and d.day < ${dayText(end)}
    order by d.day`.execute(db);
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
  const { customerId, userId } = callers;
  const whole = userId === undefined ? wholeDaysOf(interval) : null;
  const [hours, days] = await Promise.all([
    hoursOf(db, callers, interval, whole),
    userId === undefined
      ? daysOf(db, customerId, { start: floorTo(interval.start, DAY_MS), end: ceilTo(interval.end, DAY_MS) })
      : [],
  ]);
  const { sums, add } = addingUp();
  const isIn = (at: number): boolean => at >= interval.start && at < interval.end;
  for (const { ms, quarters, parts } of hours) {
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
  for (const { parts, ...day } of days) {
    const start = Date.parse(day.day);
    if (parts === null) reader.oldDay(day);
    else if (whole && start >= whole.start && start < whole.end) eachPart(parts, start, add, only);
  }
  return sums;
};
