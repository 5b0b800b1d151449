import { type Kysely, type Migration, sql } from 'kysely';

/** Who revoked an API token. */
export const tokenRevoker: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.api_token add column revoked_by text, add column revoked_by_user uuid`.execute(db);
  },
};
