import { type Migration, Migrator, sql } from 'kysely';
import type { Database } from './database.ts';

/** Names sort by number: each is applied once, in that order, and never changed after a release. */
const migrations: Record<string, Migration> = {};

/**
 * Brings the database's schemas up to date. Any number of nodes may call it at once: one applies, the others wait.
 * Throws when a migration fails; what it did is rolled back.
 */
export const migrate = async (db: Database): Promise<void> => {
  await sql`create schema if not exists migration`.execute(db);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableSchema: 'migration',
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
};
