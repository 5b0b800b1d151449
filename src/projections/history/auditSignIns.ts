import { type RawBuilder, sql } from 'kysely';
import type { AuditQuery, SignInsOfDay } from '../../contracts/audit.ts';
import type { Database } from '../../database/database.ts';
import { DAY_MS } from '../../domain/time.ts';
import { type AuditOwner, isOf } from '../historyOwner.ts';
import { type LocalDay, localDayAt, localTimeOf } from '../localTime.ts';

type Sql = RawBuilder<unknown>;
/** Which entries an audit page has. */
export type AuditFilter = Omit<AuditQuery, 'limit' | 'cursor' | 'proofs' | 'zone'>;

const MAX_SIGN_INS = 500;
/** In a longer period, only days with other entries have a count of sign-ins. */
const MAX_DAYS = 62;

/** The condition of the entries that are sign-ins, of `read.history h`. */
export const IS_SIGN_IN = sql`h.category = 'userActivity'`;

/** All conditions; null is none. */
export const and = (conditions: readonly (Sql | null)[]): Sql =>
  sql.join([sql`true`, ...conditions.filter((condition) => condition !== null)], sql` and `);

/** A page of entries: their times, the time that all are before, and whether earlier ones exist. */
type Page = Readonly<{ zone: string; before: string | null; times: readonly string[]; isLast: boolean; now: Date }>;

/** The days of a page: those of its entries, and up to 62 days from its newest time back to its oldest one. */
const daysOf = ({ from, to }: AuditFilter, { zone, before, times, isLast, now }: Page): LocalDay[] => {
  const newest = Date.parse(before ?? to ?? now.toISOString());
  const earliest = newest - (MAX_DAYS - 1) * DAY_MS;
  const oldest = Date.parse((isLast ? (from ?? times.at(-1)) : times.at(-1)) ?? new Date(earliest).toISOString());
  const [first, last] = [localDayAt(zone, Math.min(Math.max(oldest, earliest), newest)), localDayAt(zone, newest)];
  const ends = [times.at(-1), times[0]].flatMap((at) => (at === undefined ? [] : localDayAt(zone, Date.parse(at))));
  const [begin = first] = [...ends, first].sort();
  const local = localTimeOf(zone, begin, last);
  const shown = new Set(times.map((at) => local.dayAt(Date.parse(at))));
  return local.days(begin, last).filter(({ day }) => day >= first || shown.has(day));
};

/** The days of a page on which users signed in with the tool. */
export const countSignIns = async (db: Database, owner: AuditOwner, filter: AuditFilter, page: Page): Promise<SignInsOfDay[]> => {
  const { customer, from, to } = filter;
  const conditions = and([
    isOf(owner),
    IS_SIGN_IN,
    customer ? sql`h.customer_id = ${customer}` : null,
    from ? sql`h.at >= ${from}::timestamptz` : null,
    to ? sql`h.at <= ${to}::timestamptz` : null,
  ]);
  const days = daysOf(filter, page);
  const iso = (at: number): string => new Date(at).toISOString();
  const { rows } = await sql<{ day: string; n: number }>`
    select d.day, s.n from unnest(
      ${days.map(({ day }) => day)}::text[], ${days.map(({ start }) => iso(start))}::timestamptz[],
      ${days.map(({ end }) => iso(end))}::timestamptz[]) as d (day, begun, ended)
    cross join lateral (
      select count(*)::int4 as n from (
        select from read.history h where ${conditions} and h.at >= d.begun and h.at < d.ended limit ${MAX_SIGN_INS + 1}) found) s
    where s.n > 0 order by d.day desc`.execute(db);
  return rows.map(({ day, n }) => ({ day, count: Math.min(n, MAX_SIGN_INS), isMore: n > MAX_SIGN_INS }));
};
