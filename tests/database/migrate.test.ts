import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { migrate, migrateAt, pendingMigrations } from '../../src/database/migrate.ts';
import { openDatabase, type TestDatabase } from '../support/stores.ts';

let database: TestDatabase;
let db: Database;
const onError = (): void => undefined;

beforeAll(async () => {
  database = await openDatabase();
  db = connectDatabase(database.databaseUrl, { onError }).db;
});
afterAll(async () => {
  await db.destroy();
  await database.close();
});

const applied = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select name from migration.kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
};

it('applies what is pending, by any number of nodes at once, and then nothing', async () => {
  const all = await pendingMigrations(database.databaseUrl);
  expect(all.slice(0, 2)).toEqual(['0001_vault', '0002_policy']);
  await migrate(db, { upTo: '0010_read' });
  expect(await pendingMigrations(database.databaseUrl)).toEqual(all.slice(3));
  await Promise.all([1, 2, 3].map(() => migrateAt(database.databaseUrl, { onError })));
  expect(await applied()).toEqual(all);
  expect(await pendingMigrations(database.databaseUrl)).toEqual([]);
  await migrateAt(database.databaseUrl, { onError });
  expect(await applied()).toEqual(all);
});

it('reads no catalog of tables where nothing is pending', async () => {
  await migrateAt(database.databaseUrl, { onError });
  const statements: string[] = [];
  const counting = connectDatabase(database.databaseUrl, { onError });
  const logged = counting.db.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await migrate(logged);
  expect(statements).toHaveLength(2);
  await counting.db.destroy();
});

it('refuses a database that a newer version has migrated', async () => {
  await migrateAt(database.databaseUrl, { onError });
  await sql`insert into migration.kysely_migration (name, timestamp) values ('9999_later', '2030-01-01T00:00:00.000Z')`.execute(db);
  await expect(migrateAt(database.databaseUrl, { onError })).rejects.toThrow('9999_later');
});
