import { type RawBuilder, sql } from 'kysely';
import type { HistoryActor, HistoryEntry, HistoryQuery } from '../../contracts/history.ts';
import type { Database } from '../../database/database.ts';
import { type HistoryOwner, isOf, sinceOf } from '../historyOwner.ts';
import { type EventPageEnd, eventCursorOf, eventPageEndOf } from '../lists/cursor.ts';
import { pageOf } from '../lists/paging.ts';
import { anywhere, COUNT_LIMIT, type CountEnd, countEndAfter } from '../lists/search.ts';
import type { HistoryType } from './sentences.ts';
import { type EntryRow, type HistoryReader, type Opening, SHOWN, shown } from './showing.ts';

export type HistoryFilter = Omit<HistoryQuery, 'limit' | 'cursor' | 'proofs'>;
/** `actors` are the named users in the history whom the reader may see; of the first page only. */
export type HistoryPage = CountEnd & { history: HistoryEntry[]; total: number; nextCursor: string | null; actors?: HistoryActor[] };

type Sql = RawBuilder<unknown>;

const EXPORT_PAGE = 500;
const SORT = '-position';
/** What sign-ins and notices of them record: nobody changed anything by it. */
const OF_SIGN_INS = ['NewSignInNoticed', 'NoticesDismissed', 'BreakGlassUsed', 'RecoveryCodeUsed'] satisfies HistoryType[];

const isBefore = ({ position, revision }: EventPageEnd): Sql =>
  sql`(h.position, h.revision) < (${position}::int8, ${revision}::int8)`;

/** Conditions with an index of their own, in the order of the entries. */
const chosen = ({ user, about, automatic }: HistoryFilter): Sql =>
  sql.join(
    [
      sql``,
      user ? sql`h.actor_user_id = ${user}` : null,
      about ? sql`(h.user_id = ${about} or h.theme_id = ${about} or h.credential_id = ${about})` : null,
      automatic === 'false'
        ? sql`h.actor_kind <> 'system' and h.category <> 'userActivity' and h.type not in (${sql.join(OF_SIGN_INS)})`
        : null,
    ].filter((condition) => condition !== null),
    sql` and `,
  );

/**
 * The owner's own entries, and for a customer those of a theme from the time when the customer had it: of each so many as `bound`
 * says.
 */
const entriesOf = (
  owner: HistoryOwner,
  filter: HistoryFilter,
  { columns, own, before, bound }: { columns: Sql; own: Sql; before: EventPageEnd | null; bound: Sql },
): Sql => {
  const conditions = [
    filter.type ? sql`h.type in (${sql.join(filter.type.split(','))})` : null,
    filter.actor ? sql`${filter.actor} in (h.actor_kind, h.actor_id, h.actor_user_id::text, h.actor_token_id::text)` : null,
    filter.from ? sql`h.at >= ${filter.from}` : null,
    filter.to ? sql`h.at <= ${filter.to}` : null,
    filter.search ? sql`lower(h.summary) like ${anywhere(filter.search)}` : null,
    before ? isBefore(before) : null,
  ].filter((condition) => condition !== null);
  const and = conditions.length > 0 ? sql`and ${sql.join(conditions, sql` and `)}` : sql``;
  const mine = sql`(select ${columns} from ${own} h where ${isOf(owner)} ${chosen(filter)} ${and} ${bound})`;
  if (!('customerId' in owner)) return mine;
  return sql`
    ${mine}
    union all
    (select ${columns} from read.theme_span s
     join read.history h on h.theme_id = s.theme_id and h.position > s.from_position
       and (s.to_position is null or h.position < s.to_position)
     where s.customer_id = ${owner.customerId}${sinceOf(owner)} ${chosen(filter)} ${and} ${bound})`;
};

const entriesBefore = async (
  db: Database,
  owner: HistoryOwner,
  filter: HistoryFilter,
  { before, limit }: { before: EventPageEnd | null; limit: number },
): Promise<EntryRow[]> => {
  const order = sql`order by h.position desc, h.revision desc`;
  const newest = sql`${order} limit ${limit}`;
  // PostgreSQL does not know how many match, and would rather sort all of them than go through them in order.
  const own = sql`(
    select * from read.history h where ${isOf(owner)} ${chosen(filter)} ${before ? sql`and ${isBefore(before)}` : sql``} ${order} offset 0)`;
  const { rows } = await sql<EntryRow>`
    select ${SHOWN}
    from (${entriesOf(owner, filter, { columns: sql`h.*`, own, before, bound: newest })}) as h
    ${newest}`.execute(db);
  return rows;
};

/** Counted in whatever order they are found: sorting them would cost more than to look at them. */
const countOf = async (db: Database, owner: HistoryOwner, filter: HistoryFilter): Promise<number> => {
  const [columns, own, bound] = [sql`h.position`, sql`read.history`, sql`limit ${COUNT_LIMIT}`];
  const entries = entriesOf(owner, filter, { columns, own, before: null, bound });
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${entries}) as found`.execute(db);
  return Math.min(rows[0]?.n ?? 0, COUNT_LIMIT);
};

/** Queries on what happened to a customer or an integrator; a deleted one's history stays, without personal data. */
export const historyQueries = (db: Database, opening: Opening) => ({
  /** Whether anything is known to have happened to the owner, which may be deleted by now. */
  isKept: async (owner: HistoryOwner): Promise<boolean> => {
    const { rows } = await sql`select from read.history h where ${isOf(owner)} limit 1`.execute(db);
    return rows.length > 0;
  },

  /** A page of entries, newest first. `actor` is a kind of actor or an actor's id; `total` counts to 10,000. */
  of: async (
    owner: HistoryOwner,
    { limit, cursor, ...filter }: Omit<HistoryQuery, 'proofs'>,
    reader: HistoryReader,
  ): Promise<HistoryPage> => {
    const before = cursor === undefined ? null : eventPageEndOf(cursor, SORT);
    // Sequential, so that a search without matches scans all entries only once.
    const total = await countOf(db, owner, filter);
    const rows = total === 0 ? [] : await entriesBefore(db, owner, filter, { before, limit: limit + 1 });
    const { page, nextCursor } = pageOf(rows, limit, (last) => eventCursorOf(SORT, last));
    const history = await shown(db, opening, reader, page);
    return {
      history,
      total,
      ...countEndAfter(total),
      nextCursor,
      ...(before === null && { actors: await reader.team.actorsIn(owner) }),
    };
  },

  /** All entries, newest first, read a page at a time as they are taken. */
  export: async function* (owner: HistoryOwner, filter: HistoryFilter, reader: HistoryReader): AsyncGenerator<HistoryEntry> {
    let before: EventPageEnd | null = null;
    while (true) {
      const rows: EntryRow[] = await entriesBefore(db, owner, filter, { before, limit: EXPORT_PAGE });
      yield* await shown(db, opening, reader, rows);
      before = rows.at(-1) ?? null;
      if (!before || rows.length < EXPORT_PAGE) return;
    }
  },
});
