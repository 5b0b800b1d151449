import type { Column } from '../../database/tables/defineTable.ts';
import { arrayOf, castOf, type Encoding, elementTypeOf, readCastOf } from '../../database/tables/encoding.ts';

/** A table of `defineTable`, or some of its columns. */
export type TableShape<Row extends object> = Readonly<{
  table: string;
  columns: { readonly [C in keyof Row & string]: Column<unknown, Row[C]> };
  key: readonly (keyof Row & string)[];
  owners?: readonly (keyof Row & string)[];
  isLog?: true;
}>;

/** How a column is written in bulk. */
export const encodingOf = ({ sql, encoding }: Column): Encoding => {
  if (encoding === null) throw new Error(`Columns of type ${sql} are not written in bulk`);
  return encoding;
};

/** The columns of a table. */
export const namesOf = <Row extends object>({ columns }: TableShape<Row>): (keyof Row & string)[] =>
  Object.keys(columns) as (keyof Row & string)[];

/** `$1`, `$2`… as the rows `r` of the given columns; their values are `valuesOf` the same columns. */
export const rowsFrom = <Row extends object>({ columns }: TableShape<Row>, names: readonly (keyof Row & string)[]): string =>
  `unnest(${names.map((name, index) => `$${index + 1}::${elementTypeOf(encodingOf(columns[name]))}[]`).join(', ')}) as r(${names.join(', ')})`;

/** The rows' values, as parameters of a statement with `rowsFrom`. */
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

/** Inserts rows whose other columns are null. */
export const insertOf = <Row extends object>(
  shape: TableShape<Row>,
  schema: string,
  given: readonly (keyof Row & string)[],
): string => {
  const names = namesOf(shape);
  const values = names.map((name) => (given.includes(name) ? `r.${name}${castOf(encodingOf(shape.columns[name]))}` : 'null'));
  return `insert into ${schema}.${shape.table} (${names.join(', ')}) select ${values.join(', ')} from ${rowsFrom(shape, given)}`;
};

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

/** The statements of a table in a schema. */
export const statementsOf = onceByTable(<Row extends object>(shape: TableShape<Row>, schema: string) => {
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
    insert: insertOf(shape, schema, names),
    /** Inserts of other columns, made by `insertOf` at their first use, by the columns. */
    sparse: new Map<string, string>(),
    update: `update ${target} t set ${rest.map((name) => `${name} = r.${name}${castOf(encodingOf(columns[name]))}`).join(', ')}
      from ${rowsFrom(shape, names)} where ${matches}`,
    remove: `delete from ${target} t using ${rowsFrom(shape, key)} where ${matches}`,
  };
});
