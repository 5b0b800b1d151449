import { type RawBuilder, sql } from 'kysely';
import type { AuditEntry, AuditQuery, AuditReply } from '../../contracts/audit.ts';
import type { Database } from '../../database/database.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import { MAX_RELATED_ENTRIES } from '../../domain/limits.ts';
import { type AuditOwner, isOf } from '../historyOwner.ts';
import { cursorOf, isInstant, pageEndOf } from '../lists/cursor.ts';
import { anywhere } from '../lists/search.ts';
import type { QueryDeps } from '../queryDeps.ts';
import { type AuditFilter, and, countSignIns, IS_SIGN_IN } from './auditSignIns.ts';
import { type EntryRow, type HistoryReader, SHOWN, shown } from './showing.ts';

type AuditPage = Omit<AuditReply, 'success'>;
type Sql = RawBuilder<unknown>;

/** The end of a page, in the order of time. */
type End = Readonly<{ at: string; position: string; revision: string; id: string }>;

type Row = EntryRow & {
  customer_id: CustomerId | null;
  customer_name: string | null;
  subject_integrator_id: IntegratorId | null;
  integrator_name: string | null;
  correlation_id: string | null;
  reverts: string | null;
};
type FoundRow = Row & { examined: number; last_at: Date; last_position: string; last_revision: string; last_id: string };

const SORT = '-audit';
const SIGN_IN = 'UserAuthenticated';
/** A filter that no index answers looks through at most so many entries for a page, which takes 15 to 20 ms. */
const MAX_EXAMINED = 6_000;
const EXPORT_PAGE = 500;

const order = sql`order by h.at desc, h.position desc, h.revision desc`;
const IS_CHANGE = sql`h.category <> 'userActivity'`;

const cursorAfter = ({ at, position, revision, id }: End): string => cursorOf(SORT, { value: `${at}/${position}/${revision}`, id });

const endOf = (cursor: string): End => {
  const { value, id } = pageEndOf(cursor, SORT, (text) => {
    const [at = '', ...place] = String(text).split('/');
    return isInstant(at) && place.length === 2 && place.every((part) => /^\d{1,18}$/.test(part));
  });
  const [at = '', position = '', revision = ''] = String(value).split('/');
  return { at, position, revision, id };
};

const typesIn = ({ types }: AuditFilter): string[] | null => types?.split(',').filter((type) => type !== '') ?? null;

/** The categories of the wanted types: each has indexes of its own. */
const categoriesOf = (types: readonly string[] | null): Sql[] => {
  if (types === null) return [IS_CHANGE];
  const signIns = types.includes(SIGN_IN) ? [IS_SIGN_IN] : [];
  return types.some((type) => type !== SIGN_IN) ? [...signIns, IS_CHANGE] : signIns;
};

/** Conditions that no index answers. */
const residualOf = (owner: AuditOwner, filter: AuditFilter): (Sql | null)[] => {
  const types = typesIn(filter);
  const changes = types?.filter((type) => type !== SIGN_IN) ?? [];
  const rest = [
    filter.actor ? sql`h.actor_kind = ${filter.actor}` : null,
    filter.search ? sql`lower(h.summary) like ${anywhere(filter.search)}` : null,
    filter.user && filter.customer ? sql`h.customer_id = ${filter.customer}` : null,
  ].filter((condition) => condition !== null);
  const isByType = 'everything' in owner && !filter.user && !filter.customer && rest.length === 0;
  return changes.length > 0 && !isByType ? [...rest, sql`h.type in (${sql.join(types ?? [])})`] : rest;
};

/** Conditions that indexes answer, beside the category. */
const indexedOf = (owner: AuditOwner, filter: AuditFilter): (Sql | null)[] => [
  isOf(owner),
  filter.user ? sql`h.actor_user_id = ${filter.user}` : null,
  filter.customer && !filter.user ? sql`h.customer_id = ${filter.customer}` : null,
  filter.from ? sql`h.at >= ${filter.from}::timestamptz` : null,
  filter.to ? sql`h.at <= ${filter.to}::timestamptz` : null,
];

/** All conditions of a filter. */
const conditionsOf = (owner: AuditOwner, filter: AuditFilter): (Sql | null)[] => {
  const types = typesIn(filter);
  const wanted = types === null ? IS_CHANGE : types.length > 0 ? sql`h.type in (${sql.join(types)})` : sql`false`;
  return [...indexedOf(owner, filter), ...residualOf(owner, filter), wanted];
};

/** What a search looks at. */
const EXAMINED = sql`h.at, h.position, h.revision, h.id, h.type, h.actor_kind, h.customer_id, h.summary`;

type Branches = Readonly<{ isByType: boolean; columns: Sql; limit: number }>;

/** The newest entries that an index finds, at most `limit` of each branch. */
const branchesOf = (owner: AuditOwner, filter: AuditFilter, before: End | null, { isByType, columns, limit }: Branches): Sql => {
  const types = typesIn(filter);
  const bounds = and([
    ...indexedOf(owner, filter),
    before
      ? sql`(h.at, h.position, h.revision) < (${before.at}::timestamptz, ${before.position}::int8, ${before.revision}::int8)`
      : null,
  ]);
  const branch = (category: Sql): Sql =>
    isByType && types && category === IS_CHANGE
      ? sql`(select h.* from unnest(${types.filter((type) => type !== SIGN_IN)}::text[]) as wanted (type) cross join lateral (
          select ${columns} from read.history h where h.type = wanted.type and ${category} and ${bounds} ${order} limit ${limit}) as h)`
      : sql`(select ${columns} from read.history h where ${category} and ${bounds} ${order} limit ${limit})`;
  return sql.join(categoriesOf(types).map(branch), sql` union all `);
};

const ROW = sql`${SHOWN}, h.customer_id, c.name as customer_name, coalesce(h.integrator_id, h.audit_integrator_id) as subject_integrator_id,
  i.company_name as integrator_name, h.correlation_id, h.reverts`;
const NAMES = sql`left join read.customer c on c.customer_id = h.customer_id
  left join read.integrator i on i.integrator_id = coalesce(h.integrator_id, h.audit_integrator_id)`;

type Found = { rows: Row[]; nextCursor: string | null; searchedTo: string | null };

/** The newest entries before the end of a page, at most `limit`, of those that were looked through. */
const find = async (
  db: Database,
  owner: AuditOwner,
  filter: AuditFilter,
  { before, limit }: { before: End | null; limit: number },
): Promise<Found> => {
  const types = typesIn(filter);
  if (types?.length === 0) return { rows: [], nextCursor: null, searchedTo: null };
  const residual = residualOf(owner, filter);
  if (residual.length === 0) {
    const { rows } = await sql<Row>`
      select ${ROW} from (
        select * from (${branchesOf(owner, filter, before, { isByType: types !== null, columns: sql`h.*`, limit: limit + 1 })}) as h
        ${order} limit ${limit + 1}) as h ${NAMES} ${order}`.execute(db);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return { rows: page, nextCursor: last ? cursorAfter({ ...last, at: last.at.toISOString() }) : null, searchedTo: null };
  }
  const cap = MAX_EXAMINED;
  const { rows } = await sql<FoundRow>`
    with examined as materialized (
      select * from (${branchesOf(owner, filter, before, { isByType: false, columns: EXAMINED, limit: cap })}) as h ${order} limit ${cap}),
    found as (select h.position, h.revision from examined h where ${and(residual)} ${order} limit ${limit + 1})
    select s.examined, l.at as last_at, l.position::text as last_position, l.revision::text as last_revision, l.id as last_id, e.*
    from (select count(*)::int4 as examined from examined) s
    left join lateral (select * from examined h order by h.at, h.position, h.revision limit 1) l on true
    left join (
      select ${ROW} from found f join read.history h on h.position = f.position and h.revision = f.revision ${NAMES}) e on true
    order by e.at desc, e.position::int8 desc, e.revision::int8 desc`.execute(db);
  const [first] = rows;
  const found = rows.filter(({ id }) => id !== null);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  if (found.length > limit && last) {
    return { rows: page, nextCursor: cursorAfter({ ...last, at: last.at.toISOString() }), searchedTo: null };
  }
  if (!first || first.examined < cap) return { rows: page, nextCursor: null, searchedTo: null };
  const searchedTo = first.last_at.toISOString();
  const end = { at: searchedTo, position: first.last_position, revision: first.last_revision, id: first.last_id };
  return { rows: page, nextCursor: cursorAfter(end), searchedTo };
};

type Opening = Pick<QueryDeps, 'openAddress' | 'now'>;

const shownEntries = async (db: Database, opening: Opening, reader: HistoryReader, rows: readonly Row[]): Promise<AuditEntry[]> => {
  const entries = await shown(db, opening, reader, rows);
  return entries.flatMap((entry, nr) => {
    const row = rows[nr];
    if (!row) return [];
    const { customer_id: customerId, subject_integrator_id: integratorId } = row;
    // Each property by its name, in the order of files: V8 keeps copies to which properties are added (decision 200).
    const { id, at, type, actor, summary, changes, position } = entry;
    return {
      id,
      at,
      type,
      actor,
      summary,
      changes,
      position,
      customer: customerId && { customerId, name: row.customer_name },
      integrator: integratorId && { integratorId, name: row.integrator_name },
      correlationId: row.correlation_id,
      reverts: row.reverts,
    };
  });
};

/** Queries on what happened to all tenants, or to a service integrator and its customers. */
export const auditQueries = (db: Database, opening: Opening) => ({
  /** A page, newest first; it is cut where a search would look through too many entries. Throws `InvalidCursor`. */
  page: async (
    owner: AuditOwner,
    { limit, cursor, zone, ...filter }: Omit<AuditQuery, 'proofs'>,
    reader: HistoryReader,
  ): Promise<AuditPage> => {
    const before = cursor === undefined ? null : endOf(cursor);
    const [found, actors] = await Promise.all([
      find(db, owner, filter, { before, limit }),
      before === null ? reader.team.actorsIn(owner) : null,
    ]);
    const { types, actor, user, search } = filter;
    const isCounted = zone !== undefined && !types && !actor && !user && !search;
    const [entries, signIns] = await Promise.all([
      shownEntries(db, opening, reader, found.rows),
      isCounted
        ? countSignIns(db, owner, filter, {
            zone,
            before: before?.at ?? null,
            times: found.rows.map(({ at }) => at.toISOString()),
            isLast: found.nextCursor === null,
            now: opening.now(),
          })
        : null,
    ]);
    const { nextCursor, searchedTo } = found;
    return { entries, nextCursor, searchedTo, ...(signIns && { signIns }), ...(actors && { actors }) };
  },

  /** All matching entries, newest first, read a page at a time as they are taken. */
  export: async function* (owner: AuditOwner, filter: AuditFilter, reader: HistoryReader): AsyncGenerator<AuditEntry> {
    let before: End | null = null;
    while (true) {
      const found: Found = await find(db, owner, filter, { before, limit: EXPORT_PAGE });
      yield* await shownEntries(db, opening, reader, found.rows);
      if (found.nextCursor === null) return;
      before = endOf(found.nextCursor);
    }
  },

  /** All matching entries in the order of the audit log, newest first, which is about that of time: for exports with proofs. */
  exportInLogOrder: async function* (owner: AuditOwner, filter: AuditFilter, reader: HistoryReader): AsyncGenerator<AuditEntry> {
    const matching = conditionsOf(owner, filter);
    let last: Row | undefined;
    while (true) {
      const before = last ? sql`(h.position, h.revision) < (${last.position}::int8, ${last.revision}::int8)` : null;
      const { rows }: { rows: Row[] } = await sql<Row>`
        select ${ROW} from (select * from read.history h where ${and([...matching, before])}
          order by h.position desc, h.revision desc limit ${EXPORT_PAGE}) h ${NAMES}
        order by h.position desc, h.revision desc`.execute(db);
      yield* await shownEntries(db, opening, reader, rows);
      last = rows.at(-1);
      if (!last || rows.length < EXPORT_PAGE) return;
    }
  },

  /** How many customers, or service integrators, the entries with a correlation id are about. */
  countChanged: async (owner: AuditOwner, correlationId: string, what: 'customers' | 'integrators'): Promise<number> => {
    const id = what === 'customers' ? sql`h.customer_id` : sql`h.integrator_id`;
    const { rows } = await sql<{ n: number }>`
      select count(distinct ${id})::int4 as n from read.history h
      where ${isOf(owner)} and h.correlation_id = ${correlationId} and ${IS_CHANGE}`.execute(db);
    return rows[0]?.n ?? 0;
  },

  /** An entry with those of the same request and those that revert it; null if the owner has no such entry. */
  entry: async (owner: AuditOwner, id: string, reader: HistoryReader) => {
    const rowsWhere = async (condition: Sql): Promise<Row[]> => {
      const { rows } = await sql<Row>`
        select ${ROW} from read.history h ${NAMES} where ${isOf(owner)} and ${condition}
        order by h.position, h.revision limit ${MAX_RELATED_ENTRIES}`.execute(db);
      return rows;
    };
    const [row] = await rowsWhere(sql`h.id = ${id}::uuid`);
    if (!row) return null;
    const [related, revertedBy] = await Promise.all([
      row.correlation_id === null ? [] : rowsWhere(sql`h.correlation_id = ${row.correlation_id} and ${IS_CHANGE}`),
      rowsWhere(sql`h.reverts = ${id}::uuid`),
    ]);
    const others = related.filter((one) => one.id !== id);
    const show = (rows: readonly Row[]) => shownEntries(db, opening, reader, rows);
    const [[entry], shownRelated, shownReverts] = await Promise.all([show([row]), show(others), show(revertedBy)]);
    return entry ? { entry, related: shownRelated, revertedBy: shownReverts } : null;
  },
});
