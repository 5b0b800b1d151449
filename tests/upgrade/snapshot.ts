import type pg from 'pg';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';

type Audience = 'admin' | 'integrator' | 'portal' | 'tool';

/** A table with each row as the JSON text that PostgreSQL writes, which keeps the text of columns of the type json. */
type TableRows = readonly [table: string, rows: readonly string[]];

/** What an installation of an earlier version holds, and what it answered. */
export type Snapshot = {
  /** The commit of the version. */
  version: string;
  /** Rows of the product's database and of the embedded event store's. */
  product: readonly TableRows[];
  events: readonly TableRows[];
  people: {
    integrator: Pick<ServiceIntegrator, 'masterLicenseKey'>;
    customer: Pick<Customer, 'licenseKey'>;
    /** Of the customer's portal. */
    password: string;
    /** The headers of each one's session. */
    headers: Record<Audience, Record<string, string>>;
  };
  /** A call that was answered under an idempotency key. */
  repeated: { path: string; key: string; body: unknown; reply: unknown };
  /** Calls that a tool has sent. */
  recorded: { path: string; body: unknown };
  /** Replies by path, as each audience saw them. */
  replies: Record<Audience, Record<string, unknown>>;
};

const OWN = `select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition
    and n.nspname not in ('pg_catalog', 'information_schema', 'migration') and n.nspname not like 'pg_toast%'
  order by 1`;

/** All rows of a database, but not which migrations ran. */
export const readTables = async (client: pg.Client): Promise<TableRows[]> => {
  const tables: TableRows[] = [];
  for (const { name } of (await client.query<{ name: string }>(OWN)).rows) {
    const { rows } = await client.query<{ row: string }>(`select to_json(t)::text as row from ${name} t`);
    if (rows.length > 0) tables.push([name, rows.map(({ row }) => row)]);
  }
  return tables;
};

/** Writes rows into the tables of the same version; what the migrations themselves wrote is replaced. */
export const writeTables = async (client: pg.Client, tables: readonly TableRows[]): Promise<void> => {
  await client.query("begin; set local session_replication_role = 'replica'");
  for (const [table, rows] of tables) {
    await client.query(`delete from ${table}`);
    await client.query(`insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`, [
      `[${rows.join()}]`,
    ]);
  }
  await client.query('commit');
};
