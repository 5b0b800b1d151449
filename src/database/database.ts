import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type Lookup, lookUpIn } from './lookup.ts';
import type { Tables } from './tables/tables.ts';

export type Database = Kysely<Tables>;

/** `int8` fits a JavaScript number for every count and time kept here; positions are read as text where they may not. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
};

/** A statement that takes longer holds up others: who waits for it is told in time to come again. */
const STATEMENT_MS = 10_000;

/** Of a pool, unless it asks for fewer. */
export const CONNECTIONS = 10;

export type Options = { max?: number; application?: string; statementMs?: number; onError: (error: Error) => void };

/** A pool of connections; see `connectDatabase`. */
export const openPool = (
  url: string,
  { max = CONNECTIONS, application = 'latchkey', statementMs = STATEMENT_MS, onError }: Options,
): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    application_name: application,
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementMs,
  });
  pool.on('error', onError);
  // Between two queries of a transaction nobody else listens, and an error that nobody hears ends the process; the next query fails.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
};

/**
 * A pool on PostgreSQL >= 14. `url` as libpq takes it; a broken idle connection is reported to `onError` and replaced. A statement is
 * given up with SQLSTATE 57014 after `statementMs`, where 0 is never.
 */
export const connectDatabase = (url: string, options: Options): { db: Database; pool: pg.Pool; lookUp: Lookup } => {
  const pool = openPool(url, options);
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), pool, lookUp: lookUpIn(pool) };
};
