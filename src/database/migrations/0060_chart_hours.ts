import { type Kysely, type Migration, sql } from 'kysely';

/** Points of the charts by hour, for ranges of more than a day. */
export const chartHours: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table usage.hour (
        at timestamptz primary key,
        calls int8 not null,
        errors int8 not null,
        connected int8 not null,
        histogram bytea not null
      ) with (fillfactor = 50)`.execute(db);
    await sql`
      create table ops.projection_lag_hour (
        group_name text not null,
        at timestamptz not null,
        lag_ms int8 not null,
        primary key (group_name, at)
      ) with (fillfactor = 50)`.execute(db);
    await sql`
      insert into ops.projection_lag_hour (group_name, at, lag_ms)
      select group_name, date_trunc('hour', at), max(lag_ms) from ops.projection_lag_minute group by 1, 2`.execute(db);
  },
};
