import { type Kysely, type Migration, sql } from 'kysely';

/** What is observed rather than recorded as an event, so that no rebuild of a read model may touch it. */
export const ops: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create schema ops`.execute(db);
    await sql`
      create table ops.verified_domain (
        integrator_id uuid primary key,
        host text not null,
        verified_at timestamptz not null
      )`.execute(db);
    await sql`
      create table ops.projection_lag (
        group_name text not null,
        at timestamptz not null,
        lag_ms int8 not null,
        primary key (group_name, at)
      )`.execute(db);
  },
};
