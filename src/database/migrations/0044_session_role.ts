import { type Kysely, type Migration, sql } from 'kysely';

/** The role of a session of a named user; null for sign-ins with a key, which have all permissions of their tenant. */
export const sessionRole: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table auth.session add column role text`.execute(db);
  },
};
