import { sql } from 'kysely';
import { BINARY } from '../../database/binary.ts';
import type { Database } from '../../database/database.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
import { DAY_MS, dayOf, HOUR_MS, QUARTER_MS } from '../../domain/time.ts';
import { ALL_USERS, eachQuarter, type QuarterCalls } from './hours.ts';
import { createPartSums, type Dimension, type Parts } from './parts.ts';

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

/** Hours of a UTC day, packed. */
type HoursRow = { day: null; packed: Buffer };
/** A UTC day; `packed` are its parts, null in one that a version before wrote. */
type DayRow = OldDay & { packed: Buffer | null };

/**
 * Of a customer, the UTC days that the interval touches, oldest first; then its hours by UTC day, oldest first, without the parts of hours
 * in `without`. One statement reads both, since two could see different states: a customer whose calls are all there, but not their
 * parts. Each hour is packed as its time, the lengths of its quarters and parts, and both.
 */
const rowsOf = async (db: Database, { customerId, userId }: Callers, { start, end }: Interval, without: Interval | null) => {
  const [from, to] = [new Date(without?.start ?? 0), new Date(without?.end ?? 0)];
  const days = sql`
    union all
    select d.day::timestamp, d.day::text, d.calls, d.errors, d.total_ms, case when d.parts is null then d.histogram end, d.parts
    from usage.day d
    where d.customer_id = ${customerId}
      and d.day >= ${dayOf(floorTo(start, DAY_MS))} and d.day < ${dayOf(ceilTo(end, DAY_MS))}`;
  const { rows } = await sql<HoursRow | DayRow>`${BINARY}
    select day, calls, errors, total_ms, histogram, packed from (
      select date_trunc('day', h.at at time zone 'UTC') as at, null as day, null::int8 as calls, null::int8 as errors,
        null::int8 as total_ms, null::bytea as histogram,
        string_agg(float8send(date_part('epoch', h.at) * 1000) || int4send(length(h.quarters)) || int4send(length(h.parts))
          || h.quarters || h.parts, '' order by h.at) as packed
      from (
        select at, quarters, case when at >= ${from} and at < ${to} then ''::bytea else coalesce(parts, '') end as parts
        from usage.call_hour
        where customer_id = ${customerId} and user_id = ${userId ?? ALL_USERS}
          and at >= ${new Date(floorTo(start, HOUR_MS))} and at < ${new Date(end)} offset 0) h
      group by 1
      ${userId === undefined ? days : sql``}) r
    order by day is null, at`.execute(db);
  return rows;
};

/** An hour: where its quarters begin in the packed bytes, where its parts begin, and where they end. */
type Hour = Readonly<{ ms: number; quartersAt: number; partsAt: number; end: number }>;

const FLOAT_BYTES = 8;
const INT_BYTES = 4;

/** Calls back with each packed hour. */
const eachHour = (bytes: Buffer, take: (hour: Hour) => void): void => {
  let at = 0;
  while (at < bytes.length) {
    const quartersAt = at + FLOAT_BYTES + 2 * INT_BYTES;
    const partsAt = quartersAt + bytes.readInt32BE(at + FLOAT_BYTES);
    const hour = {
      ms: bytes.readDoubleBE(at),
      quartersAt,
      partsAt,
      end: partsAt + bytes.readInt32BE(at + FLOAT_BYTES + INT_BYTES),
    };
    take(hour);
    at = hour.end;
  }
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
  const { sums, addRow } = createPartSums(only);
  const isIn = (at: number): boolean => at >= interval.start && at < interval.end;
  const readHour = (bytes: Buffer, { ms, quartersAt, partsAt, end }: Hour): void => {
    const take = (quarter: number, calls: QuarterCalls): void => {
      const at = ms + quarter * QUARTER_MS;
      if (isIn(at)) reader.quarter(at, calls);
    };
    eachQuarter(bytes, take, quartersAt, partsAt);
    addRow(ms, bytes, partsAt, end, (quarter) => isIn(ms + quarter * QUARTER_MS));
  };
  for (const row of rows) {
    if (row.day === null) {
      const { packed } = row;
      eachHour(packed, (hour) => readHour(packed, hour));
      continue;
    }
    const { packed, ...day } = row;
    const ms = Date.parse(day.day);
    if (packed === null) reader.oldDay(day);
    else if (whole && ms >= whole.start && ms < whole.end) addRow(ms, packed, 0, packed.length);
  }
  return sums;
};
