import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { Client } from './client.ts';
import { type Lookup, lookUpIn } from './lookup.ts';
import type { Tables } from './tables/tables.ts';

/** The typed query builder over every table. Each query takes a connection of the pool. */
export type Database = Kysely<Tables>;

/** A JavaScript number holds every `int8` count and time of the product; positions are selected as text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
};

/** A longer statement would block others; it is cancelled, and the request fails in time to be retried. */
const STATEMENT_MS = 10_000;

/** The default size of a pool. */
export const CONNECTIONS = 10;

export type Options = { max?: number; application?: string; statementMs?: number; onError: (error: Error) => void };

/** A pool of connections; see `connectDatabase`. */
export const openPool = (
  url: string,
  { max = CONNECTIONS, application = 'latchkey', statementMs = STATEMENT_MS, onError }: Options,
): pg.Pool => {
  const pool = new pg.Pool({
    Client,
    connectionString: url,
    max,
    types,
    application_name: application,
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementMs,
  });
  pool.on('error', onError);
  // Between two queries of a transaction no other listener exists, and an unhandled error would end the process; the next query fails.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
};

/**
 * A pool on PostgreSQL >= 14. `url` as libpq accepts it; a broken idle connection is reported to `onError` and replaced. A statement is
 * cancelled with SQLSTATE 57014 after `statementMs`; 0 disables the limit.
 */
export const connectDatabase = (url: string, options: Options): { db: Database; pool: pg.Pool; lookUp: Lookup } => {
  const pool = openPool(url, options);
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), pool, lookUp: lookUpIn(pool) };
};
