import { type Kysely, type Migration, sql } from 'kysely';

/** The term of a license, and an index of the licenses that have one. */
export const licenseTerm: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      alter table read.customer
        add column term_starts_at timestamptz,
        add column term_expires_at timestamptz,
        add column term_ends_at timestamptz,
        add column term_grace_days integer,
        add column term_is_trial boolean`.execute(db);
    await sql`
      create index customer_term on read.customer (term_expires_at, integrator_id)
      where term_expires_at is not null`.execute(db);
  },
};
