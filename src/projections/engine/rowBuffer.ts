import { arrayOf } from '../../database/tables/encoding.ts';
import type { DatabaseSession, Write } from './session.ts';
import { encodingOf, insertOf, namesOf, statementsOf, type TableShape, valuesOf } from './statements.ts';

/**
 * Rows of one table, in memory for one batch. A row that is read was preloaded, or put since. A row that is put was preloaded too, or
 * is always new.
 */
export type RowBuffer<Row extends object> = Readonly<{
  preload: (...key: string[]) => void;
  preloadBy: (column: keyof Row & string, value: string) => void;
  /** Reads what was preloaded since the last time. Returns the rows that exist. */
  load: () => Promise<readonly Readonly<Row>[]>;
  get: (...key: string[]) => Readonly<Row> | undefined;
  /** All rows with that value; they were preloaded by it. */
  by: (column: keyof Row & string, value: string) => Readonly<Row>[];
  put: (row: Row) => void;
  /** Does nothing if the row does not exist. Columns of the key never change. */
  change: (row: Readonly<Row> | undefined, change: Partial<Row>) => void;
  remove: (row: Readonly<Row>) => void;
  /** The statement that writes the rows put into a log so far, if any. Throws `Unstorable`. */
  ahead: () => Write[];
  /** The statements that write the rows that were put, changed and removed. Throws `Unstorable`. */
  writes: () => Write[];
  flush: () => Promise<void>;
}>;

/** Parts of a key cannot hold NUL: PostgreSQL has no text with it. */
const SEPARATOR = '\0';

const idOf = (key: readonly string[]): string => (key.length === 1 && key[0] !== undefined ? key[0] : key.join(SEPARATOR));

/** From so many rows on, a column without values costs more than to look for it. */
const MANY_ROWS = 100;
/** Statements that are kept for a table, beside the one with all columns. */
const MAX_SPARSE = 64;

type Kept<Row> = { row: Row; stored: boolean; dirty: boolean };

/** Opens the rows of a table for one batch. Nothing is read before `load`. */
export const openRowBuffer = <Row extends object>(
  shape: TableShape<Row>,
  session: DatabaseSession,
  schema: string,
): RowBuffer<Row> => {
  const statements = statementsOf(shape, schema);
  const names = namesOf(shape);
  const rows = new Map<string, Kept<Row>>();
  const preloaded = new Set<string>();
  let unreadKeys: (readonly string[])[] = [];
  const preloadedBy = new Map(shape.owners?.map((column) => [column, new Set<string>()]));
  /** Rows by an owner, built on first use. */
  const owned = new Map<keyof Row & string, Map<unknown, Map<string, Kept<Row>>>>();
  /** Rows of a log that have not been read. */
  let unread: Row[] = [];
  /** Rows of a log that were written before the batch ended. */
  let writtenAhead: Row[] = [];
  const removed = new Map<string, Row>();
  const [onlyKey, ...moreKeys] = shape.key;
  const keyOf = (row: Row): string =>
    onlyKey && moreKeys.length === 0 ? String(row[onlyKey]) : shape.key.map((name) => row[name]).join(SEPARATOR);

  const own = (byValue: Map<unknown, Map<string, Kept<Row>>>, value: unknown, key: string, kept: Kept<Row>): void => {
    const same = byValue.get(value);
    if (same) same.set(key, kept);
    else byValue.set(value, new Map([[key, kept]]));
  };
  const keep = (key: string, kept: Kept<Row>): void => {
    rows.set(key, kept);
    for (const [column, byValue] of owned) own(byValue, kept.row[column], key, kept);
  };
  const by = (column: keyof Row & string): Map<unknown, Map<string, Kept<Row>>> => {
    const known = owned.get(column);
    if (known) return known;
    const byValue = new Map<unknown, Map<string, Kept<Row>>>();
    for (const [key, kept] of rows) own(byValue, kept.row[column], key, kept);
    owned.set(column, byValue);
    return byValue;
  };
  const drop = (key: string, { row }: Kept<Row>): void => {
    rows.delete(key);
    for (const [column, byValue] of owned) byValue.get(row[column])?.delete(key);
  };
  const readLog = (): void => {
    for (const row of writtenAhead) keep(keyOf(row), { row, stored: true, dirty: false });
    for (const row of unread) keep(keyOf(row), { row, stored: false, dirty: true });
    [writtenAhead, unread] = [[], []];
  };

  const writeOf = (text: string, columns: readonly (keyof Row & string)[], some: readonly Row[]): Write[] =>
    some.length > 0 ? [{ text, values: valuesOf(shape, columns, some) }] : [];

  /** Columns that are null in all of many rows are neither sent nor unpacked: a rebuild writes thousands at a time. */
  const insertsOf = (some: readonly Row[]): Write[] => {
    const given = some.length < MANY_ROWS ? names : names.filter((name) => some.some((row) => row[name] !== null));
    if (given.length === names.length) return writeOf(statements.insert, names, some);
    const id = given.join();
    const text = statements.sparse.get(id) ?? insertOf(shape, schema, given);
    if (statements.sparse.size < MAX_SPARSE) statements.sparse.set(id, text);
    else if (!statements.sparse.has(id)) return writeOf(statements.insert, names, some);
    return writeOf(text, given, some);
  };

  const writes = (): Write[] => {
    const dirty = [...rows.values()].filter((kept) => kept.dirty);
    const of = (stored: boolean): Row[] => dirty.filter((kept) => kept.stored === stored).map(({ row }) => row);
    return [
      ...writeOf(statements.remove, shape.key, [...removed.values()]),
      ...insertsOf(of(false).concat(unread)),
      ...writeOf(statements.update, names, of(true)),
    ];
  };

  return {
    preload: (...key) => {
      const id = idOf(key);
      if (preloaded.has(id)) return;
      preloaded.add(id);
      unreadKeys.push(key);
    },
    preloadBy: (column, value) => {
      const values = preloadedBy.get(column);
      if (!values) throw new Error(`${shape.table} is not preloaded by ${column}`);
      values.add(value);
    },
    load: async () => {
      const keys = unreadKeys;
      unreadKeys = [];
      const keyColumn = (name: keyof Row & string, index: number): Buffer =>
        arrayOf(
          encodingOf(shape.columns[name]),
          keys.map((key) => key[index]),
        );
      const found = await Promise.all([
        keys.length > 0 ? session.query<Row>(statements.byKey, shape.key.map(keyColumn)) : [],
        ...[...preloadedBy].map(([column, values]) => {
          if (values.size === 0) return [];
          session.beforeLookUp?.(shape.table, column);
          return session.query<Row>(statements.byOwner.get(column) ?? '', [
            arrayOf(encodingOf(shape.columns[column]), [...values]),
          ]);
        }),
      ]);
      for (const values of preloadedBy.values()) values.clear();
      const existing = found.flat();
      for (const row of existing) keep(keyOf(row), { row, stored: true, dirty: false });
      return existing;
    },
    get: (...key) => {
      readLog();
      return rows.get(idOf(key))?.row;
    },
    by: (column, value) => {
      readLog();
      return Array.from(by(column).get(value)?.values() ?? [], ({ row }) => row);
    },
    put: (row) => {
      if (shape.isLog) {
        unread.push(row);
        return;
      }
      const key = keyOf(row);
      const known = rows.get(key);
      if (known) drop(key, known);
      keep(key, { row, stored: removed.delete(key) || known?.stored === true, dirty: true });
    },
    change: (row, change) => {
      const kept = row && rows.get(keyOf(row));
      if (!kept) return;
      Object.assign(kept.row, change);
      if (shape.owners?.some((column) => column in change)) owned.clear();
      kept.dirty = true;
    },
    remove: (row) => {
      const key = keyOf(row);
      const kept = rows.get(key);
      if (!kept) return;
      drop(key, kept);
      if (kept.stored) removed.set(key, kept.row);
    },
    ahead: () => {
      const some = unread;
      writtenAhead = writtenAhead.concat(some);
      unread = [];
      return insertsOf(some);
    },
    writes,
    flush: async () => {
      await Promise.all(writes().map(({ text, values }) => session.query(text, values)));
    },
  };
};
