import { type Kysely, type Migration, sql } from 'kysely';

/** The calls of each user, which a named user of the portal may see as its own. */
export const userUsage: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table usage.user_instance_day (
        customer_id uuid not null,
        user_id uuid not null,
        day date not null,
        instance_key uuid not null,
        calls int8 not null,
        errors int8 not null,
        total_ms int8 not null,
        last_at timestamptz not null,
        histogram bytea not null,
        primary key (customer_id, user_id, day, instance_key)
      ) with (fillfactor = 50)`.execute(db);
  },
};
