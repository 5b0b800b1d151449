import { type RawBuilder, sql } from 'kysely';
import type { SignInEntry, SignInsChartReply, SignInsQuery } from '../../contracts/signIns.ts';
import type { Database } from '../../database/database.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import type { SignInAudience, SignInOutcome } from '../../domain/signIns/events.ts';
import type { SignInMethod } from '../../domain/signIns/methods.ts';
import { type EventPageEnd, eventCursorOf, eventPageEndOf } from '../lists/cursor.ts';
import { pageOf } from '../lists/paging.ts';
import { anywhere, COUNT_LIMIT, type CountEnd, countEndAfter } from '../lists/search.ts';

export type SignInsPage = CountEnd & { signIns: SignInEntry[]; total: number; nextCursor: string | null };

type Sql = RawBuilder<unknown>;
type Row = {
  id: string;
  position: string;
  revision: string;
  at: Date;
  first_at: Date;
  audience: SignInAudience;
  outcome: SignInOutcome;
  reason: string | null;
  method: SignInMethod | null;
  address: string | null;
  fingerprint: string | null;
  keys: number;
  n: number;
  customer_id: string | null;
  customer_name: string | null;
  integrator_id: string | null;
  integrator_name: string | null;
  user_id: string | null;
  username: string | null;
};

const SORT = '-at';

/** The filter of a list of sign-ins. */
export type SignInFilter = Omit<SignInsQuery, 'limit' | 'cursor'>;

/** Whose sign-ins are listed: all, or those that name a tenant, without those of its own customers. */
export type SignInOwner = 'all' | { customerId: CustomerId } | { integratorId: IntegratorId };

const ownedBy = (owner: SignInOwner): Sql | null => {
  if (owner === 'all') return null;
  return 'customerId' in owner
    ? sql`s.customer_id = ${owner.customerId}`
    : sql`s.integrator_id = ${owner.integratorId} and s.customer_id is null`;
};

const conditionsOf = (owner: SignInOwner, { audience, outcome, user, from, to, search }: SignInFilter): Sql[] =>
  [
    ownedBy(owner),
    audience ? sql`s.audience = ${audience}` : null,
    outcome ? sql`s.outcome = ${outcome}` : null,
    user ? sql`s.user_id = ${user}` : null,
    from ? sql`s.at >= ${from}` : null,
    to ? sql`s.at <= ${to}` : null,
    search ? sql`(s.address like ${anywhere(search)} or s.fingerprint = ${search.toLowerCase()})` : null,
  ].filter((condition) => condition !== null);

const where = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join([...conditions], sql` and `)}`;

/** The name of a removed user. */
const REMOVED_USER = 'Removed user';

const accountOf = (row: Row): SignInEntry['account'] => {
  if (row.customer_id !== null) return { kind: 'customer', id: row.customer_id, name: row.customer_name, username: row.username };
  if (row.integrator_id !== null)
    return { kind: 'integrator', id: row.integrator_id, name: row.integrator_name, username: row.username };
  if (row.audience === 'admin' && row.user_id !== null) {
    return { kind: 'administration', id: row.user_id, name: row.username, username: row.username };
  }
  return null;
};

const shown = (row: Row): SignInEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  firstAt: row.first_at.toISOString(),
  audience: row.audience,
  outcome: row.outcome,
  reason: row.reason,
  method: row.method,
  address: row.address,
  account: accountOf(row),
  fingerprint: row.fingerprint,
  keys: row.keys,
  count: row.n,
});

const isAfterPage = (end: EventPageEnd | null): Sql[] =>
  end === null ? [] : [sql`(s.position, s.revision) < (${end.position}::int8, ${end.revision}::int8)`];

const rowsBefore = async (
  db: Database,
  conditions: readonly Sql[],
  { before, limit }: { before: EventPageEnd | null; limit: number },
): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select s.id, s.position::text as position, s.revision::text as revision, s.at, s.first_at, s.audience, s.outcome, s.reason, s.method,
      s.address, s.fingerprint, s.keys, s.n, s.customer_id, c.name as customer_name, s.integrator_id,
      i.company_name as integrator_name, s.user_id,
      coalesce(u.username, m.name, case when s.user_id is not null then ${REMOVED_USER} end) as username
    from (
      select * from read.sign_in s ${where([...conditions, ...isAfterPage(before)])}
      order by s.position desc, s.revision desc limit ${limit}) s
    left join read.customer c on c.customer_id = s.customer_id
    left join read.integrator i on i.integrator_id = s.integrator_id
    left join read.portal_user u on u.user_id = s.user_id
    left join read.member m on m.user_id = s.user_id
    order by s.position desc, s.revision desc`.execute(db);
  return rows;
};

const EXPORT_PAGE = 500;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The lengths of a point of the chart, in seconds: the last is long enough for the longest retention period. */
const POINT_SECONDS = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  7 * DAY,
  30 * DAY,
  90 * DAY,
];
const MOST_POINTS = 60;

type ChartRow = { point: number; accepted: number; rejected: number; throttled: number };
/** A time range, in ms since 1970. */
type Range = Readonly<{ from: number; to: number }>;

/** One point for each part of the range, also where nobody signed in. */
const pointsOf = (rows: readonly ChartRow[], { from, to }: Range, seconds: number): SignInsChartReply['points'] => {
  const found = new Map(rows.map((row) => [row.point, row]));
  const [first, last] = [from, to].map((ms) => Math.floor(ms / 1000 / seconds)) as [number, number];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const { accepted = 0, rejected = 0, throttled = 0 } = found.get(first + index) ?? {};
    return { at: new Date((first + index) * seconds * 1000).toISOString(), accepted, rejected, throttled };
  });
};

/** Queries on who signed in, or tried to. */
export const signInQueries = (db: Database) => ({
  /** A page, newest first. `search` is a part of the address or a key's fingerprint; `total` counts to 10,000. */
  page: async (owner: SignInOwner, { limit, cursor, ...filter }: SignInsQuery): Promise<SignInsPage> => {
    const conditions = conditionsOf(owner, filter);
    const before = cursor === undefined ? null : eventPageEndOf(cursor, SORT);
    const [{ rows: counted }, rows] = await Promise.all([
      sql<{ n: number }>`
        select count(*) as n from (select 1 from read.sign_in s ${where(conditions)} limit ${COUNT_LIMIT}) found`.execute(db),
      rowsBefore(db, conditions, { before, limit: limit + 1 }),
    ]);
    const { page, nextCursor } = pageOf(rows, limit, (last) => eventCursorOf(SORT, last));
    const total = counted[0]?.n ?? 0;
    return { signIns: page.map(shown), total, ...countEndAfter(total), nextCursor };
  },

  /** How many matching sign-ins there were over time. */
  chart: async (
    owner: SignInOwner,
    filter: Omit<SignInFilter, 'from' | 'to'>,
    { from, to }: Range,
  ): Promise<Omit<SignInsChartReply, 'success'>> => {
    const seconds = POINT_SECONDS.find((length) => (to - from) / 1000 / length <= MOST_POINTS) ?? 90 * DAY;
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const { rows } = await sql<ChartRow>`
      select floor(date_part('epoch', s.at) / ${sql.lit(seconds)})::int8 as point,
        coalesce(sum(s.n) filter (where s.outcome = 'accepted'), 0)::int8 as accepted,
        coalesce(sum(s.n) filter (where s.outcome = 'rejected'), 0)::int8 as rejected,
        coalesce(sum(s.n) filter (where s.outcome = 'throttled'), 0)::int8 as throttled
      from read.sign_in s ${where(conditionsOf(owner, { ...filter, ...range }))}
      group by 1`.execute(db);
    return { ...range, seconds, points: pointsOf(rows, { from, to }, seconds) };
  },

  /** All matching sign-ins, newest first, read a page at a time as they are taken. */
  export: async function* (owner: SignInOwner, filter: SignInFilter): AsyncGenerator<SignInEntry> {
    let before: EventPageEnd | null = null;
    while (true) {
      const rows: Row[] = await rowsBefore(db, conditionsOf(owner, filter), { before, limit: EXPORT_PAGE });
      yield* rows.map(shown);
      before = rows.at(-1) ?? null;
      if (!before || rows.length < EXPORT_PAGE) return;
    }
  },
});
