import { type Kysely, type Migration, sql } from 'kysely';

/** The machine that a session of the command-line tool was opened on; null for sessions of the versions before. */
export const sessionMachine: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table auth.session add column machine uuid`.execute(db);
  },
};
