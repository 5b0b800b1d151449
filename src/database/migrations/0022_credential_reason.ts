import { type Kysely, type Migration, sql } from 'kysely';

/** Why a credential's last test failed, in words; null where it did not. */
export const credentialReason: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.credential add column reason text`.execute(db);
  },
};
