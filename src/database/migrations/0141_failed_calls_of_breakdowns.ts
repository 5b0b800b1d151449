import { type Kysely, type Migration, sql } from 'kysely';

/** Calls of each failed outcome in the rows of the breakdowns, to rank customers and integrators without reading their cells. */
export const failedCallsOfBreakdowns: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const table of ['usage.traffic_minute', 'usage.traffic_hour', 'usage.traffic_four_hours']) {
      await sql`alter table ${sql.table(table)} add column calls_4xx int8, add column calls_5xx int8, add column calls_error int8`.execute(
        db,
      );
    }
  },
};
