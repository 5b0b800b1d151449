import { type Kysely, type Migration, sql } from 'kysely';

/** How, where and when the user of a session signed in; null for the sessions of the versions before. */
export const sessionClient: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      alter table auth.session
        add column session_id uuid not null default gen_random_uuid(),
        add column method text,
        add column address text,
        add column browser text,
        add column authenticated_at timestamptz`.execute(db);
    await sql`create unique index session_by_id on auth.session (session_id)`.execute(db);
    await sql`create index session_of_user on auth.session (user_id) where user_id is not null`.execute(db);
  },
};
