import { type Kysely, type Migration, sql } from 'kysely';

/** The hash of the generated admin key; at most one. */
export const adminKey: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create table auth.admin_key (id boolean primary key default true check (id), hash text not null)`.execute(db);
  },
};
