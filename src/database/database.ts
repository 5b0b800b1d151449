import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;

/** `int8` fits a JavaScript number for every count and time kept here; positions are read as text where they may not. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
};

/** A pool on PostgreSQL >= 14. `url` as libpq takes it; a broken idle connection is reported to `onError` and replaced. */
export const connectDatabase = (
  url: string,
  { max = 10, application = 'latchkey', onError }: { max?: number; application?: string; onError: (error: Error) => void },
): { db: Database; pool: pg.Pool } => {
  const pool = new pg.Pool({ connectionString: url, max, types, application_name: application, connectionTimeoutMillis: 10_000 });
  pool.on('error', onError);
  // Between two queries of a transaction nobody else listens, and an error that nobody hears ends the process; the next query fails.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), pool };
};
