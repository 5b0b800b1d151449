import { type Kysely, type Migration, sql } from 'kysely';

/** The hash of the admin key that the environment gave last, by which another one is noticed; at most one. */
export const givenAdminKey: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create table auth.given_admin_key (id boolean primary key default true check (id), hash text not null)`.execute(db);
  },
};
