import { type Kysely, type Migration, sql } from 'kysely';

/** What voids give back to the monthly quotas of API calls. */
export const quotasOfVoids: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table usage.void add column freed int8multirange, add column arrived json`.execute(db);
    await sql`alter table ops.call_claim add column after_void int8 not null default 0`.execute(db);
  },
};
