import type { Generated } from 'kysely';
import type { Encoding } from './encoding.ts';

/**
 * One column. `sql` is its type as PostgreSQL's `format_type` prints it. In TypeScript it has two types: `Queried` is that of Kysely's
 * queries, `Row` that of a projection's rows in memory, where times are ISO-8601 text and positions are text.
 */
export type Column<Queried = unknown, Row = unknown> = Readonly<{
  sql: string;
  isNullable: boolean;
  /** How projections write it in bulk; null for a column that only queries write. */
  encoding: Encoding | null;
  /** Never set: it carries the types. */
  types?: { queried: Queried; row: Row };
}>;

type Columns = Readonly<Record<string, Column>>;

/** A table. `name` has its schema, `table` has not: a rebuild writes tables of the same shape into another schema. */
export type Table<Name extends string, C extends Columns> = Readonly<{
  name: Name;
  table: string;
  columns: C;
  key: readonly (keyof C & string)[];
  owners?: readonly (keyof C & string)[];
  isLog?: true;
}>;

/**
 * Defines a table once: Kysely's type of it is `QueriedTable`, a projection's row is `RowOf`, and the columns hold the encoding in which
 * rows are written in bulk. A migration creates the table; a test compares both.
 */
export const defineTable = <const Name extends `${string}.${string}`, C extends Columns>(
  name: Name,
  definition: Readonly<{
    columns: C;
    /** The primary key, in its order. */
    key: readonly (keyof C & string)[];
    /** Columns by which a projection preloads many rows. */
    owners?: readonly (keyof C & string)[];
    /** Rows are only appended: each has a key that no row had before. */
    isLog?: true;
  }>,
): Table<Name, C> => ({ ...definition, name, table: name.slice(name.indexOf('.') + 1) });

type Named = Readonly<{ name: string; columns: Columns }>;

/** The type of a table in Kysely's queries. */
export type QueriedTable<T extends Named> = {
  [Name in keyof T['columns'] & string]: T['columns'][Name] extends Column<infer Queried> ? Queried : never;
};

/** A row of a table in a projection's memory. */
export type RowOf<T extends Named> = {
  -readonly [Name in keyof T['columns'] & string]: T['columns'][Name] extends Column<unknown, infer Row> ? Row : never;
};

const encoded = <Queried, Row>(sql: string, encoding: Encoding): Column<Queried, Row> => ({ sql, isNullable: false, encoding });

export const uuid = <Id extends string = string>() => encoded<Id, Id>('uuid', 'uuid');
export const text = <Value extends string = string>() => encoded<Value, Value>('text', 'text');
export const int4 = () => encoded<number, number>('integer', 'int4');
/** For counts and times that a JavaScript number holds; see `position` for others. */
export const int8 = () => encoded<number, number>('bigint', 'int8');
/** A position in the event store. It may exceed what a number holds: it is text in memory, and queries select it as text. */
export const position = () => encoded<number, string>('bigint', 'position');
export const boolean = () => encoded<boolean, boolean>('boolean', 'boolean');
/** ISO-8601 UTC in memory. */
export const timestamptz = () => encoded<Date, string>('timestamp with time zone', 'timestamptz');
/** yyyy-mm-dd; queries select it as text. */
export const date = () => encoded<string, string>('date', 'date');
export const bytea = () => encoded<Buffer, Buffer>('bytea', 'bytea');
export const json = <Value>() => encoded<Value, Value>('json', 'json');
/** An `int8multirange`, as the text that PostgreSQL writes. */
export const ranges = () => encoded<string, string>('int8multirange', 'ranges');
/** In memory as the text that PostgreSQL writes. */
export const int4Array = () => encoded<number[], string>('integer[]', 'int4s');
/** A column of any type (as `format_type` prints it) that only queries write. */
export const column = <Queried>(sql: string): Column<Queried, never> => ({ sql, isNullable: false, encoding: null });

export const nullable = <Queried, Row>({ sql, encoding }: Column<Queried, Row>): Column<Queried | null, Row | null> => ({
  sql,
  isNullable: true,
  encoding,
});

/** A column with a default, which an insert may leave out. */
export const defaulted = <Queried, Row>({ sql, isNullable, encoding }: Column<Queried, Row>): Column<Generated<Queried>, Row> => ({
  sql,
  isNullable,
  encoding,
});
