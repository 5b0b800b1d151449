import {
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
} from 'kysely';
import pg from 'pg';
import type { CustomerId, IntegratorId } from '../domain/ids.ts';
import { isBinary } from './binary.ts';
import { type Database, type Options, openPool } from './database.ts';
import { type Lookup, type LookupTexts, lookUpWith } from './lookup.ts';
import type { Tables } from './tables/tables.ts';

/**
 * Whose rows a statement may read: an integrator's with those of all its customers, or those of one customer of it. Without an
 * integrator it is the one to which the customer belongs when the statement runs.
 */
export type Tenant =
  | Readonly<{ integratorId: IntegratorId; customerId: CustomerId | null }>
  | Readonly<{ integratorId: null; customerId: CustomerId }>;

/** A read-only database in which row-level security limits every statement to the tenant's rows. */
type TenantDatabase = Readonly<{ db: Database; lookUp: Lookup }>;

/** The databases of all tenants, which share connections. */
export type TenantDatabases = Readonly<{
  /** Null sees no rows. It costs no round trip, so it may be called for each request. */
  of: (tenant: Tenant | null) => TenantDatabase;
  close: () => Promise<void>;
}>;

const SET_TENANT = {
  name: 'set_tenant',
  text: `select set_config('latchkey.customer', $2::text, true), set_config('latchkey.integrator',
    case when $1::text = '' and $2::text <> '' then tenant.integrator_of($2::text::uuid) else $1::text end, true)`,
};

/** The methods that `pg` calls on a query when its messages arrive. Its types lack them, though other packages use them. */
type Handlers = {
  submit: (connection: pg.Connection) => unknown;
  handleDataRow: (message: unknown) => void;
  handleCommandComplete: (message: unknown, connection: pg.Connection) => void;
};

type Statement = Readonly<{ name?: string; text: string; values: unknown[] }>;

type QueryOptions = pg.QueryConfig & { queryMode: 'extended'; binary: boolean };

const valuesOf = (tenant: Tenant | null): string[] => [tenant?.integratorId ?? '', tenant?.customerId ?? ''];

/**
 * The statement after a statement that sets the tenant, in the same message and the same transaction: PostgreSQL ends the transaction at
 * the statement's Sync, and the tenant with it. So no connection keeps a tenant for its next use.
 */
const boundQuery = (
  tenant: Tenant | null,
  statement: Statement,
  done: (error: Error | undefined, result: pg.QueryResult) => void,
): pg.Query => {
  const options: QueryOptions = { ...statement, queryMode: 'extended', binary: isBinary(statement.text) };
  const query = new pg.Query(options, (error, result) => done(error, result as pg.QueryResult));
  const handlers = query as unknown as Handlers;
  const [submit, takeRow, complete] = [
    handlers.submit.bind(query),
    handlers.handleDataRow.bind(query),
    handlers.handleCommandComplete.bind(query),
  ];
  let isSet = false;
  const own: Handlers = {
    submit: (connection) => {
      connection.stream.cork();
      try {
        connection.bind({ statement: SET_TENANT.name, values: valuesOf(tenant) }, false);
        connection.execute({ rows: '0' }, false);
        return submit(connection);
      } finally {
        connection.stream.uncork();
      }
    },
    handleDataRow: (message) => {
      if (isSet) takeRow(message);
    },
    handleCommandComplete: (message, connection) => {
      if (isSet) complete(message, connection);
      isSet = true;
    },
  };
  return Object.assign(query, own);
};

/** Connections on which `SET_TENANT` is prepared. */
const prepared = new WeakSet<pg.PoolClient>();

const queryAs = async (client: pg.PoolClient, tenant: Tenant | null, statement: Statement): Promise<pg.QueryResult> => {
  if (!prepared.has(client)) {
    await client.query({ ...SET_TENANT, values: valuesOf(null) });
    prepared.add(client);
  }
  return new Promise((resolve, reject) => {
    client.query(boundQuery(tenant, statement, (error, result) => (error ? reject(error) : resolve(result))));
  });
};

/** The pool as Kysely uses it, with each statement of its connections bound to the tenant. */
const poolOf = (pool: pg.Pool, tenant: Tenant | null): PostgresPool => ({
  connect: async () => {
    const client = await pool.connect();
    const bound: Pick<PostgresPoolClient, 'release'> & { query: (text: string, values: readonly unknown[]) => unknown } = {
      query: (text, values) => queryAs(client, tenant, { text, values: [...values] }),
      release: () => client.release(),
    };
    return bound as PostgresPoolClient; // cursors are not used on it
  },
  end: async () => undefined,
});

const adapter = new PostgresAdapter();
const compiler = new PostgresQueryCompiler();

const dialectOn = (pool: PostgresPool): Dialect => ({
  createAdapter: () => adapter,
  createDriver: () => new PostgresDriver({ pool }),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => compiler,
});

/** `url` is one whose sessions have the tenants' role; see `openRoles`. */
export const connectTenants = (url: string, options: Options): TenantDatabases => {
  const pool = openPool(url, options);
  const texts: LookupTexts = new Map();
  return {
    of: (tenant) => ({
      db: new Kysely<Tables>({ dialect: dialectOn(poolOf(pool, tenant)) }),
      lookUp: lookUpWith(texts, async <Row extends object>(statement: Statement) => {
        const client = await pool.connect();
        try {
          const { rows } = await queryAs(client, tenant, statement);
          return rows as Row[];
        } finally {
          client.release();
        }
      }),
    }),
    close: () => pool.end(),
  };
};
