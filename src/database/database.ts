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
/** Of a year from 1000 to 9999, as sessions in UTC have it. */
const IS_COMMON_INSTANT = /^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00$/;
const ZERO = '0'.charCodeAt(0);

/** The number that the digits from one place to another make. */
const numberIn = (text: string, from: number, to: number): number => {
  let number = 0;
  for (let at = from; at < to; at++) number = number * 10 + text.charCodeAt(at) - ZERO;
  return number;
};

/** The milliseconds of `.123456+00`, whose digits begin at `at`; 0 without them. */
const msIn = (text: string, at: number): number => {
  const end = Math.min(at + 3, text.length - '+00'.length);
  return end <= at ? 0 : numberIn(text, at, end) * 10 ** (at + 3 - end);
};

/** An instant by its digits: a page has thousands, and cutting the text takes twice as long. */
const readInstant = (text: string): unknown => {
  if (!IS_COMMON_INSTANT.test(text)) return parseInstant(text);
  const midnight = Date.UTC(numberIn(text, 0, 4), numberIn(text, 5, 7) - 1, numberIn(text, 8, 10));
  const minutes = numberIn(text, 11, 13) * 60 + numberIn(text, 14, 16);
  return new Date(midnight + (minutes * 60 + numberIn(text, 17, 19)) * 1000 + msIn(text, 20));
};

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
