import type { Compilable } from 'kysely';
import type pg from 'pg';

/** Runs a prepared statement with its keys. */
export type RunPrepared = <Row extends object>(statement: { name: string; text: string; values: unknown[] }) => Promise<Row[]>;

/**
 * Makes a statement that finds by key, with the keys as `$1`, `$2`…: each connection of the pool parses it once and plans it a few times, in
 * place of each time. So its plan must not depend on the key, and it names its columns: those of a prepared statement may not change.
 * `name` is the statement's own; it is built and compiled once, the first time that it is used.
 */
export type Lookup = <Row extends object>(
  name: string,
  statement: () => Compilable<Row>,
) => (...keys: readonly unknown[]) => Promise<Row[]>;

/** The texts of prepared statements by name, shared by all who run them. */
export type LookupTexts = Map<string, string>;

export const lookUpWith =
  (texts: LookupTexts, run: RunPrepared): Lookup =>
  <Row extends object>(name: string, statement: () => Compilable<Row>) => {
    const textOf = (): string => {
      const known = texts.get(name);
      if (known !== undefined) return known;
      const { sql: text, parameters } = statement().compile();
      if (parameters.length > 0) throw new Error('Of a statement that is prepared, only its keys are parameters');
      texts.set(name, text);
      return text;
    };
    return (...keys) => run<Row>({ name, text: textOf(), values: [...keys] });
  };

export const lookUpIn = (pool: pg.Pool): Lookup =>
  lookUpWith(new Map(), async <Row extends object>(statement: { name: string; text: string; values: unknown[] }) => {
    const { rows } = await pool.query<Row>(statement);
    return rows;
  });
