import { type Kysely, type Migration, sql } from 'kysely';

/** Calls of each minute and hour: in total, by service integrator and by customer; `cells` divide them further. */
export const callBreakdown: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const table of ['usage.traffic_minute', 'usage.traffic_hour']) {
      await sql`
        create table ${sql.table(table)} (
          at timestamptz not null,
          scope uuid not null,
          kind text not null,
          calls int8 not null,
          errors int8 not null,
          cells bytea not null,
          primary key (at, scope)
        ) with (fillfactor = 50)`.execute(db);
    }
  },
};
