import type { Session } from './session.ts';

/** `position` is an `int8` that may be past what a number holds, so it is text in memory; `bytea` is text too, as `\\x00ff`. */
export type ColumnType =
  | 'uuid'
  | 'text'
  | 'int4'
  | 'int8'
  | 'position'
  | 'boolean'
  | 'timestamptz'
  | 'date'
  | 'bytea'
  | 'jsonb'
  | 'int8multirange';

export type TableShape<Row extends object> = Readonly<{
  table: string;
  columns: { readonly [C in keyof Row & string]: ColumnType };
  key: readonly (keyof Row & string)[];
  /** Columns by which many rows are wanted at once. */
  owners?: readonly (keyof Row & string)[];
}>;

/** Rows of one table, in memory for one batch. What is got was wanted before `load`, or put since. */
export type Sheet<Row extends object> = Readonly<{
  want: (...key: string[]) => void;
  wantBy: (column: keyof Row & string, value: string) => void;
  load: () => Promise<void>;
  get: (...key: string[]) => Readonly<Row> | undefined;
  /** All rows with that value; they were wanted by it. */
  by: (column: keyof Row & string, value: string) => Readonly<Row>[];
  put: (row: Row) => void;
  /** Does nothing where there is no such row. */
  change: (row: Readonly<Row> | undefined, change: Partial<Row>) => void;
  remove: (row: Readonly<Row>) => void;
  flush: () => Promise<void>;
}>;

/** Parts of a key cannot hold NUL: PostgreSQL has no text with it. */
const SEPARATOR = '\0';

const typeInPostgres = (type: ColumnType): string => (type === 'position' ? 'int8' : type);

/** `$1`, an array of rows as JSON, as rows of the given columns. */
export const recordset = <Row extends object>({ columns }: TableShape<Row>, names: readonly (keyof Row & string)[]): string =>
  `json_to_recordset($1::json) as r(${names.map((name) => `${name} ${typeInPostgres(columns[name])}`).join(', ')})`;

const statementsOf = <Row extends object>(shape: TableShape<Row>, schema: string) => {
  const { columns, key } = shape;
  const target = `${schema}.${shape.table}`;
  const names = Object.keys(columns) as (keyof Row & string)[];
  const selected = names.map((name) => (columns[name] === 'position' ? `t.${name}::text as ${name}` : `t.${name}`)).join(', ');
  const rest = names.filter((name) => !key.includes(name));
  const matches = key.map((name) => `t.${name} = r.${name}`).join(' and ');
  return {
    byKey: `select ${selected} from ${recordset(shape, key)} join ${target} t on ${matches}`,
    byColumn: (column: keyof Row & string): string =>
      `select ${selected} from ${target} t where t.${column} = any($1::${typeInPostgres(columns[column])}[])`,
    upsert: `insert into ${target} (${names.join(', ')}) select ${names.map((name) => `r.${name}`).join(', ')}
      from ${recordset(shape, names)} on conflict (${key.join(', ')}) do ${
        rest.length > 0 ? `update set ${rest.map((name) => `${name} = excluded.${name}`).join(', ')}` : 'nothing'
      }`,
    remove: `delete from ${target} t using ${recordset(shape, key)} where ${matches}`,
  };
};

export const openSheet = <Row extends object>(shape: TableShape<Row>, session: Session, schema: string): Sheet<Row> => {
  const statements = statementsOf(shape, schema);
  const rows = new Map<string, Row>();
  const wanted = new Map<string, readonly string[]>();
  const wantedBy = new Map(shape.owners?.map((column) => [column, new Set<string>()]));
  const dirty = new Set<string>();
  const removed = new Map<string, Row>();
  const keyOf = (row: Row): string => shape.key.map((name) => row[name]).join(SEPARATOR);

  return {
    want: (...key) => void wanted.set(key.join(SEPARATOR), key),
    wantBy: (column, value) => {
      const values = wantedBy.get(column);
      if (!values) throw new Error(`${shape.table} is not wanted by ${column}`);
      values.add(value);
    },
    load: async () => {
      const keys = [...wanted.values()].map((key) => Object.fromEntries(shape.key.map((name, index) => [name, key[index]])));
      const found = await Promise.all([
        keys.length > 0 ? session.query<Row>(statements.byKey, [JSON.stringify(keys)]) : [],
        ...[...wantedBy].map(([column, values]) =>
          values.size > 0 ? session.query<Row>(statements.byColumn(column), [[...values]]) : [],
        ),
      ]);
      for (const row of found.flat()) rows.set(keyOf(row), row);
    },
    get: (...key) => rows.get(key.join(SEPARATOR)),
    by: (column, value) => [...rows.values()].filter((row) => row[column] === value),
    put: (row) => {
      const key = keyOf(row);
      rows.set(key, row);
      removed.delete(key);
      dirty.add(key);
    },
    change: (row, change) => {
      if (!row) return;
      const key = keyOf(row);
      const known = rows.get(key);
      if (!known) return;
      Object.assign(known, change);
      dirty.add(key);
    },
    remove: (row) => {
      const key = keyOf(row);
      const known = rows.get(key);
      if (!known) return;
      rows.delete(key);
      dirty.delete(key);
      removed.set(key, known);
    },
    flush: async () => {
      const gone = [...removed.values()];
      const changed = [...dirty].map((key) => rows.get(key)).filter((row) => row !== undefined);
      await Promise.all([
        gone.length > 0 ? session.query(statements.remove, [JSON.stringify(gone)]) : [],
        changed.length > 0 ? session.query(statements.upsert, [JSON.stringify(changed)]) : [],
      ]);
    },
  };
};
