import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { tables } from '../../src/database/tables/tables.ts';
import { openDatabase, type TestDatabase } from '../support/stores.ts';

type Columns = Record<string, { sql: string; isNullable: boolean }>;
type Found = { table: string; columns: Columns; key: string[] };

let database: TestDatabase;
let db: Database;
let migrated: Map<string, Found>;

beforeAll(async () => {
  database = await openDatabase();
  ({ db } = connectDatabase(database.databaseUrl, { onError: () => undefined }));
  await migrate(db);
  const { rows } = await sql<Found>`
    select n.nspname || '.' || c.relname as table,
      (select json_object_agg(a.attname, json_build_object('sql', format_type(a.atttypid, a.atttypmod), 'isNullable', not a.attnotnull))
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select array_agg(a.attname::text order by k.place)
        from pg_index i, unnest(i.indkey) with ordinality as k(number, place), pg_attribute a
        where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.number) as key
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'migration')`.execute(db);
  migrated = new Map(rows.map((row) => [row.table, row]));
});

afterAll(async () => {
  await db.destroy();
  await database.close();
});

describe('the tables in the migrated schema', () => {
  it('are all defined, each once', () => {
    expect(tables.map(({ name }) => name).sort()).toEqual([...migrated.keys()].sort());
  });

  it.each(tables.map((table) => [table.name, table] as const))('%s has the defined columns and key', (name, { columns, key }) => {
    const defined = Object.fromEntries(
      Object.entries(columns).map(([column, { sql: type, isNullable }]) => [column, { sql: type, isNullable }]),
    );
    expect(migrated.get(name)?.columns).toEqual(defined);
    expect(migrated.get(name)?.key).toEqual(key);
  });
});
