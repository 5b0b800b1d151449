import { type Kysely, type Migration, sql } from 'kysely';

/** Which integrator took a custom domain last: what makes one of two win who ask for it at the same time. */
export const domainClaims: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table http.domain_claim (
        host text primary key,
        integrator_id uuid not null,
        pending_until timestamptz not null
      )`.execute(db);
  },
};
