import { type RawBuilder, sql } from 'kysely';
import type { AuditQuery, SignInsOfDay } from '../../contracts/audit.ts';
import type { Database } from '../../database/database.ts';
import { type AuditOwner, isOf } from './owner.ts';

type Sql = RawBuilder<unknown>;
/** Which entries an audit page has. */
export type AuditFilter = Omit<AuditQuery, 'limit' | 'cursor' | 'proofs' | 'zone'>;

const MAX_SIGN_INS = 500;
/** Of a longer time, only days with other entries have a count of sign-ins. */
const MAX_DAYS = 62;
const DAY_MS = 86_400_000;

/** The condition of the entries that are sign-ins, of `read.history h`. */
export const IS_SIGN_IN = sql`h.category = 'userActivity'`;

/** All conditions; null is none. */
export const and = (conditions: readonly (Sql | null)[]): Sql =>
  sql.join([sql`true`, ...conditions.filter((condition) => condition !== null)], sql` and `);

/** A page of entries: their times, the time that all are before, and whether earlier ones exist. */
type Page = Readonly<{ zone: string; before: string | null; times: readonly string[]; isLast: boolean; now: Date }>;

/** Which days a page covers: up to now on the first one, down to the start of the filter on the last one. */
const spanOf = ({ from, to }: AuditFilter, { before, times, isLast, now }: Page): { newest: string; oldest: string } => {
  const newest = before ?? to ?? now.toISOString();
  const earliest = new Date(Date.parse(newest) - (MAX_DAYS - 1) * DAY_MS).toISOString();
  const oldest = (isLast ? (from ?? times.at(-1)) : times.at(-1)) ?? earliest;
  return { newest, oldest: oldest < newest ? oldest : newest };
};

/** The days of a page on which users signed in with the tool. */
export const countSignIns = async (db: Database, owner: AuditOwner, filter: AuditFilter, page: Page): Promise<SignInsOfDay[]> => {
  const { zone, times } = page;
  const { customer, from, to } = filter;
  const { newest, oldest } = spanOf(filter, page);
  const conditions = and([
    isOf(owner),
    IS_SIGN_IN,
    customer ? sql`h.customer_id = ${customer}` : null,
    from ? sql`h.at >= ${from}::timestamptz` : null,
    to ? sql`h.at <= ${to}::timestamptz` : null,
  ]);
  const local = (instant: string): Sql => sql`(${instant}::timestamptz at time zone ${zone})::date`;
  const { rows } = await sql<{ day: string; n: number }>`
    select d.day::text as day, s.n from (
      select (instant::timestamptz at time zone ${zone})::date as day from unnest(${times}::text[]) as shown (instant)
      union
      select generate_series(greatest(${local(oldest)}, ${local(newest)} - ${MAX_DAYS - 1}::int4), ${local(newest)}, '1 day')::date) d
    cross join lateral (
      select count(*)::int4 as n from (
        select from read.history h where ${conditions} and h.at >= d.day::timestamp at time zone ${zone}
          and h.at < (d.day + 1)::timestamp at time zone ${zone} limit ${MAX_SIGN_INS + 1}) found) s
    where s.n > 0 order by d.day desc`.execute(db);
  return rows.map(({ day, n }) => ({ day, count: Math.min(n, MAX_SIGN_INS), isMore: n > MAX_SIGN_INS }));
};
