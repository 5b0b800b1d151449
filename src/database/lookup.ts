import type { Compilable } from 'kysely';
import type pg from 'pg';

/** Runs a prepared statement with its keys. */
export type RunPrepared = <Row extends object>(statement: { name: string; text: string; values: unknown[] }) => Promise<Row[]>;

/**
 * Creates a prepared statement that finds rows by key, with the keys as `$1`, `$2`…: each connection of the pool parses it once and plans
 * it a few times instead of every time. So its plan must not depend on the key, and it names its columns, because those of a prepared
 * statement may not change. `name` is unique to the statement; it is built and compiled at its first use.
 */
export type Lookup = <Row extends object>(
  name: string,
  statement: () => Compilable<Row>,
) => (...keys: readonly unknown[]) => Promise<Row[]>;

/** The texts of prepared statements by name, shared by all connections. */
export type LookupTexts = Map<string, string>;

export const lookUpWith =
  (texts: LookupTexts, run: RunPrepared): Lookup =>
  <Row extends object>(name: string, statement: () => Compilable<Row>) => {
    const textOf = (): string => {
      const known = texts.get(name);
      if (known !== undefined) return known;
      const { sql: text, parameters } = statement().compile();
      if (parameters.length > 0) throw new Error('A prepared statement may have no parameters but its keys');
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
