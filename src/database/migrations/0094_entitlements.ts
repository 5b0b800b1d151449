import { type Kysely, type Migration, sql } from 'kysely';

/** What a license includes. */
export const entitlements: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.customer add column entitlements json`.execute(db);
  },
};
