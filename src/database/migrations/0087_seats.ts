import { type Kysely, type Migration, sql } from 'kysely';

/** Who holds a seat since when, and when each user made the last call. Both are filled by a rebuild of the read models. */
export const seats: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.portal_user add column seat text, add column seat_since timestamptz`.execute(db);
    await sql`
      create table usage.user_call (
        customer_id uuid not null,
        user_id uuid not null,
        last_call_at timestamptz not null,
        primary key (customer_id, user_id)
      ) with (fillfactor = 70)`.execute(db);
  },
};
