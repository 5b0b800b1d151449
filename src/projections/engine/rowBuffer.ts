import type { Column } from '../../database/tables/defineTable.ts';
import { arrayOf, castOf, type Encoding, elementTypeOf, readCastOf } from '../../database/tables/encoding.ts';
import type { DatabaseSession, Write } from './session.ts';

/** A table of `defineTable`, or some of its columns. */
export type TableShape<Row extends object> = Readonly<{
  table: string;
  columns: { readonly [C in keyof Row & string]: Column<unknown, Row[C]> };
  key: readonly (keyof Row & string)[];
  owners?: readonly (keyof Row & string)[];
  isLog?: true;
}>;

const encodingOf = ({ sql, encoding }: Column): Encoding => {
  if (encoding === null) throw new Error(`Columns of type ${sql} are not written in bulk`);
  return encoding;
};

/**
 * Rows of one table, in memory for one batch. A row that is read was preloaded, or put since. A row that is put was preloaded too, or
 * is always new.
 */
export type RowBuffer<Row extends object> = Readonly<{
  preload: (...key: string[]) => void;
  preloadBy: (column: keyof Row & string, value: string) => void;
  load: () => Promise<void>;
  get: (...key: string[]) => Readonly<Row> | undefined;
  /** All rows with that value; they were preloaded by it. */
  by: (column: keyof Row & string, value: string) => Readonly<Row>[];
  put: (row: Row) => void;
  /** Does nothing if the row does not exist. Columns of the key and owners never change. */
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

export const namesOf = <Row extends object>({ columns }: TableShape<Row>): (keyof Row & string)[] =>
  Object.keys(columns) as (keyof Row & string)[];

/** `$1`, `$2`… as the rows `r` of the given columns; their values are `valuesOf` the same columns. */
export const rowsFrom = <Row extends object>({ columns }: TableShape<Row>, names: readonly (keyof Row & string)[]): string =>
  `unnest(${names.map((name, index) => `$${index + 1}::${elementTypeOf(encodingOf(columns[name]))}[]`).join(', ')}) as r(${names.join(', ')})`;

export const valuesOf = <Row extends object>(
  { columns }: TableShape<Row>,
  names: readonly (keyof Row & string)[],
  rows: readonly Row[],
): Buffer[] =>
  names.map((name) =>
    arrayOf(
      encodingOf(columns[name]),
      rows.map((row) => row[name]),
    ),
  );

/** The columns of `r` with their own types. */
export const selectedFrom = <Row extends object>({ columns }: TableShape<Row>, names: readonly (keyof Row & string)[]): string =>
  names.map((name) => `r.${name}${castOf(encodingOf(columns[name]))}`).join(', ');

/**
 * Remembers what is made for a table in a schema. Statements that are the same string are found by their name without comparing their
 * texts.
 */
const onceByTable = <Made>(make: <Row extends object>(shape: TableShape<Row>, schema: string) => Made) => {
  const made = new WeakMap<object, Map<string, Made>>();
  return <Row extends object>(shape: TableShape<Row>, schema: string): Made => {
    const bySchema = made.get(shape) ?? new Map<string, Made>();
    made.set(shape, bySchema);
    const known = bySchema.get(schema) ?? make(shape, schema);
    bySchema.set(schema, known);
    return known;
  };
};

const statementsOf = onceByTable(<Row extends object>(shape: TableShape<Row>, schema: string) => {
  const { columns, key, owners = [] } = shape;
  const target = `${schema}.${shape.table}`;
  const names = namesOf(shape);
  const selected = names.map((name) => `t.${name}${readCastOf(encodingOf(columns[name]))}`).join(', ');
  const rest = names.filter((name) => !key.includes(name));
  const matches = key.map((name) => `t.${name} = r.${name}`).join(' and ');
  return {
    byKey: `select ${selected} from ${rowsFrom(shape, key)} join ${target} t on ${matches}`,
    byOwner: new Map<string, string>(
      owners.map((column) => [
        column,
        `select ${selected} from ${target} t where t.${column} = any($1::${elementTypeOf(encodingOf(columns[column]))}[])`,
      ]),
    ),
    insert: `insert into ${target} (${names.join(', ')}) select ${selectedFrom(shape, names)} from ${rowsFrom(shape, names)}`,
    update: `update ${target} t set ${rest.map((name) => `${name} = r.${name}${castOf(encodingOf(columns[name]))}`).join(', ')}
      from ${rowsFrom(shape, names)} where ${matches}`,
    remove: `delete from ${target} t using ${rowsFrom(shape, key)} where ${matches}`,
  };
});

const idOf = (key: readonly string[]): string => (key.length === 1 && key[0] !== undefined ? key[0] : key.join(SEPARATOR));

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
  const preloaded = new Map<string, readonly string[]>();
  const preloadedBy = new Map(shape.owners?.map((column) => [column, new Set<string>()]));
  /** Rows by an owner, built on first use. */
  const owned = new Map<keyof Row & string, Map<unknown, Map<string, Kept<Row>>>>();
  /** Rows of a log that have not been read. */
  let unread: Row[] = [];
  /** Such rows that were already written. */
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

  const writes = (): Write[] => {
    const dirty = [...rows.values()].filter((kept) => kept.dirty);
    const of = (stored: boolean): Row[] => dirty.filter((kept) => kept.stored === stored).map(({ row }) => row);
    return [
      ...writeOf(statements.remove, shape.key, [...removed.values()]),
      ...writeOf(statements.insert, names, of(false).concat(unread)),
      ...writeOf(statements.update, names, of(true)),
    ];
  };

  return {
    preload: (...key) => {
      const id = idOf(key);
      if (!preloaded.has(id)) preloaded.set(id, key);
    },
    preloadBy: (column, value) => {
      const values = preloadedBy.get(column);
      if (!values) throw new Error(`${shape.table} is not preloaded by ${column}`);
      values.add(value);
    },
    load: async () => {
      const keys = [...preloaded.values()];
      const keyColumn = (name: keyof Row & string, index: number): Buffer =>
        arrayOf(
          encodingOf(shape.columns[name]),
          keys.map((key) => key[index]),
        );
      const found = await Promise.all([
        keys.length > 0 ? session.query<Row>(statements.byKey, shape.key.map(keyColumn)) : [],
        ...[...preloadedBy].map(([column, values]) =>
          values.size > 0
            ? session.query<Row>(statements.byOwner.get(column) ?? '', [arrayOf(encodingOf(shape.columns[column]), [...values])])
            : [],
        ),
      ]);
      for (const row of found.flat()) keep(keyOf(row), { row, stored: true, dirty: false });
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
      return writeOf(statements.insert, names, some);
    },
    writes,
    flush: async () => {
      await Promise.all(writes().map(({ text, values }) => session.query(text, values)));
    },
  };
};
