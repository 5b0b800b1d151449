import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { cursorOf, pageEndOf } from './cursor.ts';

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

/** The ids of a page of what the query finds, in an order. Throws `InvalidCursor`. */
export const pageOfIds = async <Id extends string, Db, Names extends keyof Db>(
  query: SelectQueryBuilder<Db, Names, object>,
  order: Order<Id>,
  { limit, cursor }: Readonly<{ limit: number; cursor?: string | undefined }>,
): Promise<{ ids: Id[]; nextCursor: string | null }> => {
  const direction = isDescending(order) ? 'desc' : 'asc';
  const sorted = query
    .select([order.id.as('id'), order.column.as('value')])
    .orderBy(order.column, direction)
    .orderBy(order.id, direction)
    .limit(limit + 1)
    .$castTo<{ id: Id; value: string | number | Date }>();
  const rows = await (cursor === undefined ? sorted : sorted.where(isAfter(cursor, order))).execute();
  const { page, nextCursor } = pageOf(rows, limit, ({ id, value }) => cursorOf(order.sort, { id, value: keptValue(value) }));
  return { ids: page.map(({ id }) => id), nextCursor };
};
