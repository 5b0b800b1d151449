import { type Kysely, type Migration, sql } from 'kysely';

/** Plans, and what a license copied of its plan. */
export const plans: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table read.plan (
        code text primary key,
        terms json not null,
        version integer not null,
        changed_at timestamptz not null,
        retired_at timestamptz
      )`.execute(db);
    await sql`alter table read.customer add column plan json`.execute(db);
  },
};
