import { type Kysely, type Migration, sql } from 'kysely';

/** Calls of each row of the breakdowns by outcome alone, so that charts of failed calls read no cells. */
export const outcomesOfBreakdowns: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const table of ['usage.traffic_minute', 'usage.traffic_hour']) {
      await sql`alter table ${sql.table(table)} add column outcomes bytea`.execute(db);
    }
  },
};
