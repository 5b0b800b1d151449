import { type Kysely, type Migration, sql } from 'kysely';

/** Calls of each customer and integrator by four hours, for breakdowns of long periods, and the durations of all calls of a row. */
export const longBreakdowns: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const table of ['usage.traffic_minute', 'usage.traffic_hour']) {
      await sql`alter table ${sql.table(table)} add column histogram bytea`.execute(db);
    }
    await sql`
      create table usage.traffic_four_hours (
        at timestamptz not null,
        scope uuid not null,
        kind text not null,
        calls int8 not null,
        errors int8 not null,
        histogram bytea not null,
        primary key (at, scope)
      ) with (fillfactor = 50)`.execute(db);
  },
};
