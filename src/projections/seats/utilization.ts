import { sql } from 'kysely';
import type { SeatDay, SeatOutlook, SeatUtilization } from '../../contracts/seats.ts';
import type { Database } from '../../database/database.ts';
import { FORECAST_DAYS, forecastSeats, type SeatForecast } from '../../domain/customer/seatForecast.ts';
import {
  countSeatPeriods,
  type OpenSeatQuarter,
  type SeatPeriod,
  type SeatQuarter,
} from '../../domain/customer/seatUtilization.ts';
import type { SeatKind } from '../../domain/enumerations.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { dayAfter, HOUR_MS } from '../../domain/time.ts';
import { type LocalDay, localTimeOf } from '../localTime.ts';

/** Days of a time zone, yyyy-mm-dd, both included, and the day that it is there now. */
export type SeatDays = Readonly<{ zone: string; from: string; to: string; today: string }>;

const rounded = (value: number): number => Math.round(value * 100) / 100;

type QuarterRow = Readonly<{ at: Date; held: number; seat_limit: number; peak: number; held_ms: number; above_limit_ms: number }>;

const quarterIn = (row: QuarterRow): SeatQuarter => ({
  start: row.at.getTime(),
  held: row.held,
  limit: row.seat_limit,
  peak: row.peak,
  heldMs: row.held_ms,
  aboveLimitMs: row.above_limit_ms,
});

type OfKind = Readonly<{ customerId: CustomerId; kind: SeatKind }>;

const COLUMNS = ['at', 'held', 'seat_limit', 'peak', 'held_ms', 'above_limit_ms'] as const;

/** The quarters of a period in which seats changed, and the last one before it. */
const quartersOf = async (db: Database, { customerId, kind }: OfKind, [first, last]: LocalDaySpan): Promise<SeatQuarter[]> => {
  const start = new Date(first.start);
  const rows = await db
    .selectFrom('read.seat_quarter as q')
    .select(COLUMNS)
    .where('q.customer_id', '=', customerId)
    .where('q.kind', '=', kind)
    .where('q.at', '<', new Date(last.end))
    .where(
      'q.at',
      '>=',
      sql<Date>`coalesce((select max(p.at) from read.seat_quarter p
        where p.customer_id = ${customerId} and p.kind = ${kind} and p.at <= ${start}), ${start})`,
    )
    .orderBy('q.at')
    .execute();
  return rows.map(quarterIn);
};

const openQuarterOf = async (db: Database, { customerId, kind }: OfKind): Promise<OpenSeatQuarter | undefined> => {
  const row = await db
    .selectFrom('read.seat_count as c')
    .select([...COLUMNS, 'counted_to'])
    .where('c.customer_id', '=', customerId)
    .where('c.kind', '=', kind)
    .executeTakeFirst();
  return row && { ...quarterIn(row), countedTo: row.counted_to.getTime() };
};

type LocalDaySpan = readonly [first: LocalDay, last: LocalDay];
const spanOf = (days: readonly LocalDay[]): LocalDaySpan => {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) throw new Error('A range has at least one day');
  return [first, last];
};

type Denial = { kind: SeatKind; at: Date; attempts: number };

/** Refused seats by kind and quarter of an hour, from the history of the customer. */
const denialsOf = (db: Database, customerId: CustomerId, [first, last]: LocalDaySpan): Promise<Denial[]> =>
  db
    .selectFrom('read.history as h')
    .select([
      sql<SeatKind>`h.facts -> 'now' ->> 'kind'`.as('kind'),
      sql<Date>`date_bin('15 minutes', h.at, 'epoch')`.as('at'),
      sql<number>`sum((h.facts -> 'now' ->> 'count')::int8)::int8`.as('attempts'),
    ])
    .where('h.customer_id', '=', customerId)
    .where('h.type', '=', 'SeatDenied')
    .where('h.category', '<>', 'userActivity') // of the index by time
    .where('h.at', '>=', new Date(first.start))
    .where('h.at', '<', new Date(last.end))
    .groupBy(sql`1, 2`)
    .execute();

const seatDayOf = ({ day, start, end }: LocalDay, period: SeatPeriod | null, denials: readonly Denial[]): SeatDay => ({
  day,
  from: new Date(start).toISOString(),
  to: new Date(end).toISOString(),
  peak: period?.peak ?? null,
  average: period && rounded(period.average),
  limit: period?.limit ?? null,
  hoursAboveLimit: period && rounded(period.aboveLimitMs / HOUR_MS),
  denials: denials.reduce((sum, { at, attempts }) => (at.getTime() >= start && at.getTime() < end ? sum + attempts : sum), 0),
});

const outlookOf = (forecast: SeatForecast, now: { held: number; limit: number }, today: string): SeatOutlook => {
  const on = (days: number | null): string | null => (days === null ? null : dayAfter(today, days));
  return {
    outlook: forecast.outlook,
    ...now,
    perWeek: 'perWeek' in forecast ? rounded(forecast.perWeek) : null,
    reachesOn: 'days' in forecast ? on(forecast.days) : null,
    earliestOn: 'days' in forecast ? on(forecast.earliest) : null,
    latestOn: 'days' in forecast ? on(forecast.latest) : null,
  };
};

/**
 * How the seats of a customer were used on the days of a range, and when they reach their limit; null where the read models do not hold the
 * customer. `now` is ms since 1970.
 */
export const seatUtilizationOf = async (
  db: Database,
  customerId: CustomerId,
  { zone, from, to, today }: SeatDays,
  now: number,
): Promise<SeatUtilization | null> => {
  const recent = dayAfter(today, 1 - FORECAST_DAYS);
  const time = localTimeOf(zone, from < recent ? from : recent, to > today ? to : today);
  const [days, lastDays] = [time.days(from, to), time.days(recent, today)];
  const customer = await db
    .selectFrom('read.customer')
    .select('created_at')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  if (!customer) return null;
  const denials = await denialsOf(db, customerId, spanOf(days));
  const ofKind = async (kind: SeatKind): Promise<SeatUtilization['developer']> => {
    const of = { customerId, kind };
    const [open, quarters, recently] = await Promise.all([
      openQuarterOf(db, of),
      quartersOf(db, of, spanOf(days)),
      quartersOf(db, of, spanOf(lastDays)),
    ]);
    const known = { open, since: customer.created_at.getTime(), until: now };
    const periods = countSeatPeriods(days, { ...known, quarters });
    const peaks = countSeatPeriods(lastDays, { ...known, quarters: recently }).flatMap((period) => period?.peak ?? []);
    const current = { held: open?.held ?? 0, limit: open?.limit ?? 0 };
    const refused = denials.filter((denial) => denial.kind === kind);
    return {
      days: days.map((day, index) => seatDayOf(day, periods[index] ?? null, refused)),
      forecast: outlookOf(forecastSeats(peaks, current), current, today),
    };
  };
  const [developer, stakeholder] = await Promise.all([ofKind('developer'), ofKind('stakeholder')]);
  return { from, to, zone, developer, stakeholder };
};
