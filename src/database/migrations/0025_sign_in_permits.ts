import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Permits to evaluate a guess, by client address: those held while a key is evaluated, and those spent on a wrong one. Unlogged, as a
 * permit matters for a minute only and a sign-in should not wait for the disk.
 */
export const signInPermits: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create unlogged table auth.sign_in_permit (
        bucket text primary key,
        held timestamptz[] not null,
        spent timestamptz[] not null,
        touched_at timestamptz not null default clock_timestamp()
      ) with (fillfactor = 50)`.execute(db);
    await sql`create index sign_in_failures_window on auth.sign_in_failures (window_start)`.execute(db);
  },
};
