import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { cursorOf, pageEndOf } from './cursor.ts';
import { COUNT_LIMIT } from './search.ts';
import type { Counted } from './statusCounts.ts';

/** What a list can be sorted by. */
type SortColumn<Id extends string> = Readonly<{
  column: RawBuilder<unknown>;
  /** Orders rows with the same value, in the same direction. */
  id: RawBuilder<Id>;
  /** Whether a cursor's value can be one of the column. */
  fits: (value: string | number) => boolean;
}>;

/** `sort` is the order's name in requests and cursors; a minus sign descends. */
export type Order<Id extends string> = SortColumn<Id> & Readonly<{ sort: string }>;

/** The order that a request names, of those that the list has. */
export const orderIn = <Name extends string, Id extends string>(
  orders: Readonly<Record<Name, SortColumn<Id>>>,
  sort: NoInfer<Name | `-${Name}`>,
): Order<Id> => ({ ...orders[sort.replace('-', '') as Name], sort });

/** How a list is sorted, for a query of its rows. */
const directionOf = (order: Pick<Order<string>, 'sort'>): 'desc' | 'asc' => (isDescending(order) ? 'desc' : 'asc');

const isDescending = ({ sort }: Pick<Order<string>, 'sort'>): boolean => sort.startsWith('-');

/** Whether a row comes after the cursor's. Throws `InvalidCursor`. */
export const isAfter = (cursor: string, order: Order<string>): RawBuilder<boolean> => {
  const { value, id } = pageEndOf(cursor, order.sort, order.fits);
  const row = sql`(${order.column}, ${order.id})`;
  return isDescending(order) ? sql<boolean>`${row} < (${value}, ${id})` : sql<boolean>`${row} > (${value}, ${id})`;
};

/** The first `limit` of the rows, which are one more where another page follows, and the cursor of that page. */
export const pageOf = <Row>(
  rows: readonly Row[],
  limit: number,
  cursorAfter: (last: Row) => string,
): { page: Row[]; nextCursor: string | null } => {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last !== undefined ? cursorAfter(last) : null };
};

/** PostgreSQL's `-infinity`, before all time, is read as a number. */
const keptValue = (value: string | number | Date): string | number => {
  if (value instanceof Date) return value.toISOString();
  return value === Number.NEGATIVE_INFINITY ? '-infinity' : value;
};

type IdRow<Id extends string> = { id: Id; value: string | number | Date };
/** The ids of a page. */
export type IdPage<Id extends string> = { ids: Id[]; nextCursor: string | null };

const idPageOf = <Id extends string>(rows: readonly IdRow<Id>[], limit: number, { sort }: Order<Id>): IdPage<Id> => {
  const { page, nextCursor } = pageOf(rows, limit, ({ id, value }) => cursorOf(sort, { id, value: keptValue(value) }));
  return { ids: page.map(({ id }) => id), nextCursor };
};

/** The ids of a page of what the query finds, in an order. Throws `InvalidCursor`. */
export const pageOfIds = async <Id extends string, Db, Names extends keyof Db>(
  query: SelectQueryBuilder<Db, Names, object>,
  order: Order<Id>,
  { limit, cursor }: Readonly<{ limit: number; cursor?: string | undefined }>,
): Promise<IdPage<Id>> => {
  const direction = directionOf(order);
  const sorted = query
    .select([order.id.as('id'), order.column.as('value')])
    .orderBy(order.column, direction)
    .orderBy(order.id, direction)
    .limit(limit + 1)
    .$castTo<IdRow<Id>>();
  const rows = await (cursor === undefined ? sorted : sorted.where(isAfter(cursor, order))).execute();
  return idPageOf(rows, limit, order);
};

/** The fewest first rows of an order that are read for a page before its matches are counted, and how many for each row of the page. */
const FIRST_ROWS = 500;
const FIRST_ROWS_A_ROW = 4;

/**
 * The first rows of a table in an order, from a cursor on, as a table expression: they suffice for a page of `limit` that most rows
 * match. PostgreSQL goes through them in this order whatever else a query asks of them, so an index must have the conditions and the
 * order. `rows` is the table with its alias.
 */
export const firstRows = <Row>(
  rows: RawBuilder<unknown>,
  order: Order<string>,
  {
    cursor,
    conditions,
    limit,
  }: Readonly<{ cursor?: string | undefined; conditions: readonly RawBuilder<unknown>[]; limit: number }>,
): RawBuilder<Row> => {
  const all = [sql`true`, ...conditions, ...(cursor === undefined ? [] : [isAfter(cursor, order)])];
  const direction = sql.raw(directionOf(order));
  return sql<Row>`(select * from ${rows} where ${sql.join(all, sql` and `)}
    order by ${order.column} ${direction}, ${order.id} ${direction} limit ${Math.max(FIRST_ROWS, FIRST_ROWS_A_ROW * limit)})`;
};

/** The page if another one follows it; null for one that may lack rows. */
export const fullPage = <Id extends string>(page: IdPage<Id>): IdPage<Id> | null => (page.nextCursor === null ? null : page);

type CountedRow<Id extends string> = { status: string; n: number; id: null } | (IdRow<Id> & { status: null });

/**
 * Counts what the query finds by status, up to `COUNT_LIMIT`, and returns the ids of a page of one status or of all, in an order. Both
 * come of the same rows, so that a filter without an index of its own reads them once. The page is null from `COUNT_LIMIT` rows on.
 * Throws `InvalidCursor`.
 */
export const countedPageOf = async <Id extends string, Db, Names extends keyof Db>(
  db: Database,
  query: SelectQueryBuilder<Db, Names, object>,
  statusColumn: RawBuilder<string>,
  order: Order<Id>,
  { limit, cursor, status }: Readonly<{ limit: number; cursor?: string | undefined; status?: string | undefined }>,
): Promise<{ counted: Counted[]; page: IdPage<Id> | null }> => {
  const found = query.select([order.id.as('id'), order.column.as('value'), statusColumn.as('status')]).limit(COUNT_LIMIT);
  const ofFound = { ...order, column: sql.ref('f.value'), id: sql.ref<Id>('f.id') };
  const after = cursor === undefined ? sql`true` : isAfter(cursor, ofFound);
  const direction = sql.raw(directionOf(order));
  const { rows } = await sql<CountedRow<Id>>`
    with found as materialized (${found}),
      counted as (select status, count(*)::int4 as n from found group by status),
      page as (
        select f.id, f.value from found f
        where (select coalesce(sum(n), 0) from counted) < ${COUNT_LIMIT} and ${status === undefined ? sql`true` : sql`f.status = ${status}`} and ${after}
        order by f.value ${direction}, f.id ${direction} limit ${limit + 1})
    select status, n, null::uuid as id, null as value, null::int8 as place from counted
    union all
    select null, null, id, value, row_number() over (order by value ${direction}, id ${direction}) from page
    order by place nulls first`.execute(db);
  const counted = rows.flatMap((row) => (row.status === null ? [] : [{ status: row.status, n: row.n }]));
  const ids = rows.flatMap((row) => (row.status === null ? [row] : []));
  const isCut = counted.reduce((sum, { n }) => sum + n, 0) >= COUNT_LIMIT;
  return { counted, page: isCut ? null : idPageOf(ids, limit, order) };
};

/** How the page of a search or tag is found. */
type FoundPage<Id extends string, Page> = Readonly<{
  /** The page, if it is among the first rows of its order, as that of a search which most rows match. */
  amongFirst: () => Promise<IdPage<Id> | null>;
  /** Counts what is found, up to `COUNT_LIMIT`. */
  count: () => Promise<Counted[]>;
  /** `countedPageOf` what is found. */
  countedPage: () => Promise<{ counted: Counted[]; page: IdPage<Id> | null }>;
  /** The page of more rows than are counted. */
  pageOfMany: () => Promise<IdPage<Id>>;
  shown: (page: IdPage<Id>) => Promise<Page>;
}>;

/**
 * A page of what is found, and the counts by status. Very many matches are counted without their rows, since the page is found first; few
 * matches are read once for both.
 */
export const foundPageOf = async <Id extends string, Page>({
  amongFirst,
  count,
  countedPage,
  pageOfMany,
  shown,
}: FoundPage<Id, Page>): Promise<{ counted: Counted[]; page: Page }> => {
  const first = await amongFirst();
  if (first) {
    const [counted, page] = await Promise.all([count(), shown(first)]);
    return { counted, page };
  }
  const { counted, page } = await countedPage();
  return { counted, page: await shown(page ?? (await pageOfMany())) };
};
