import { sql } from 'kysely';
import { connectDatabase } from './database.ts';
import { migrateAt, pendingMigrations } from './migrate.ts';
import { type DatabaseUrls, mayMigrate, openRoles, type RoleFinding } from './roles.ts';

/** The database lacks migrations, and the given logins may not apply them. */
export class MigrationsPending extends Error {
  override readonly name = 'MigrationsPending';
}

/**
 * Migrates the database as its owner, with roles, grants and row-level security, and returns its URLs. `ownerUrl` is null if
 * DATABASE_OWNER_URL is not set: then `databaseUrl` migrates if it is allowed to. Throws `MigrationsPending` if neither is and
 * migrations are pending.
 */
export const prepareDatabase = async (
  databaseUrl: string,
  ownerUrl: string | null,
  { onError }: { onError: (error: Error) => void },
): Promise<{ urls: DatabaseUrls; findings: readonly RoleFinding[] }> => {
  const migrating = ownerUrl ?? databaseUrl;
  if (await mayMigrate(migrating)) {
    await migrateAt(migrating, { onError });
    return openRoles(databaseUrl, migrating);
  }
  const opened = await openRoles(databaseUrl, null);
  const pending = await pendingMigrations(opened.urls.system);
  if (pending.length > 0) {
    throw new MigrationsPending(
      `The database lacks the migrations ${pending.join(', ')}, and this role is not allowed to apply them. Set DATABASE_OWNER_URL to the owner's login for at least one start.`,
    );
  }
  return opened;
};

/** Whether the product has ever migrated the database. */
export const holdsProduct = async (databaseUrl: string): Promise<boolean> => {
  const { db } = connectDatabase(databaseUrl, { max: 1, onError: () => undefined });
  try {
    const { rows } = await sql<{
      found: boolean;
    }>`select exists (select from pg_namespace where nspname = 'vault') as found`.execute(db);
    return rows[0]?.found === true;
  } finally {
    await db.destroy();
  }
};

/** Whether the database has sealed data: then the master secret must not be replaced by a new one. */
export const holdsSealedData = async (systemUrl: string): Promise<boolean> => {
  const { db } = connectDatabase(systemUrl, { max: 1, onError: () => undefined });
  try {
    const { rows } = await sql<{ found: string | null }>`select to_regclass('vault.data_key')::text as found`.execute(db);
    if (!rows[0]?.found) return false;
    return (await db.selectFrom('vault.data_key').select('key_id').limit(1).executeTakeFirst()) !== undefined;
  } finally {
    await db.destroy();
  }
};
