import { type Kysely, type Migration, sql } from 'kysely';

/** Wrong passwords of named users by minute, for keyed hashes of email addresses. */
export const accountFailures: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table auth.account_failure (
        account text not null,
        minute timestamptz not null,
        failures int4 not null,
        primary key (account, minute)
      )`.execute(db);
    await sql`create index account_failure_minute on auth.account_failure (minute)`.execute(db);
  },
};
