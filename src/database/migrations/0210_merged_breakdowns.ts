import { type Kysely, type Migration, sql } from 'kysely';

/** Calls of four hours that are over, divided as those of hours are, so that breakdowns of long periods read fewer rows. */
export const mergedBreakdowns: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table usage.traffic_merged_hours (
        at timestamptz not null,
        scope uuid not null,
        calls int8 not null,
        errors int8 not null,
        histogram bytea not null,
        services bytea not null,
        cells bytea not null,
        primary key (at, scope)
      )`.execute(db);
  },
};
