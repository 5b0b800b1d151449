import { type Kysely, type Migration, sql } from 'kysely';

/** How late the read models were at worst in each minute of a day; the samples themselves are needed for a quarter of an hour. */
export const lagMinutes: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table ops.projection_lag_minute (
        group_name text not null,
        at timestamptz not null,
        lag_ms int8 not null,
        primary key (group_name, at)
      ) with (fillfactor = 50)`.execute(db);
    await sql`
      insert into ops.projection_lag_minute (group_name, at, lag_ms)
      select group_name, date_trunc('minute', at), max(lag_ms) from ops.projection_lag group by 1, 2`.execute(db);
  },
};
