import { type Kysely, type Migration, sql } from 'kysely';

/** After how many idle days seats are released automatically, and the sessions of the portal users of a customer, also those that have ended. */
export const idleRelease: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.customer add column idle_release_days integer`.execute(db);
    await sql`
      create index session_of_portal_user on auth.session (customer_id)
      where kind = 'customer' and user_id is not null`.execute(db);
  },
};
