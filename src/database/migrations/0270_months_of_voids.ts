import { type Kysely, type Migration, sql } from 'kysely';

/** Voided calls by the month in which they were made, for the statements of that month. */
export const monthsOfVoids: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table usage.void add column made json`.execute(db);
    // A rebuild that a version before began lacks the column; it begins again.
    await sql`drop schema if exists usage_next cascade`.execute(db);
  },
};
