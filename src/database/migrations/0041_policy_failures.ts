import { type Kysely, type Migration, sql } from 'kysely';

/** Policies that fail, for the health check of every node: a policy runs on one of them. */
export const policyFailures: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table policy.failure (
        policy text primary key,
        error text not null,
        failed_at timestamptz not null
      )`.execute(db);
  },
};
