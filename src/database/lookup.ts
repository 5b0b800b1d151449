import type { Compilable } from 'kysely';
import type pg from 'pg';

/**
 * Makes a statement that finds by key, with the keys as `$1`, `$2`…: each connection of the pool parses it once and plans it a few times, in
 * place of each time. So its plan must not depend on the key, and it names its columns: those of a prepared statement may not change.
 */
export type Lookup = <Row extends object>(statement: Compilable<Row>) => (...keys: readonly unknown[]) => Promise<Row[]>;

export const lookUpIn = (pool: pg.Pool): Lookup => {
  let made = 0;
  return <Row extends object>(statement: Compilable<Row>) => {
    const { sql: text, parameters } = statement.compile();
    if (parameters.length > 0) throw new Error('Of a statement that is prepared, only its keys are parameters');
    const name = `lookup_${made++}`;
    return async (...keys) => (await pool.query<Row>({ name, text, values: [...keys] })).rows;
  };
};
