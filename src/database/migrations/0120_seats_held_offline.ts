import { type Kysely, type Migration, sql } from 'kysely';

/** Until when an offline license holds the floating seat of a user. */
export const seatsHeldOffline: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.portal_user add column leased_until timestamptz`.execute(db);
  },
};
