import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { binaryParserOf } from './binary.ts';
import { Client } from './client.ts';
import { type Lookup, lookUpIn } from './lookup.ts';
import type { Tables } from './tables/tables.ts';

/** The typed query builder over every table. Each query takes a connection of the pool. */
export type Database = Kysely<Tables>;

const { INT8, TIMESTAMPTZ } = pg.types.builtins;
const parseInstant: (text: string) => unknown = pg.types.getTypeParser(TIMESTAMPTZ);
/** Of a year from 1 to 9999, as sessions in UTC have it. */
const IS_COMMON_INSTANT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/;

/** An instant as ISO 8601, which V8 reads several times faster than pg reads its own text. */
const readInstant = (text: string): unknown =>
  IS_COMMON_INSTANT.test(text) ? new Date(`${text.slice(0, 10)}T${text.slice(11)}:00`) : parseInstant(text);

const parsers = new Map<number, (text: string) => unknown>([
  // A JavaScript number holds every count and time of the product; positions are selected as text.
  [INT8, Number],
  [TIMESTAMPTZ, readInstant],
]);
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    format === 'binary' ? binaryParserOf(oid) : (parsers.get(oid) ?? pg.types.getTypeParser(oid, format)),
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
