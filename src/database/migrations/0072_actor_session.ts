import { type Kysely, type Migration, sql } from 'kysely';

/** The session in which an actor acted. */
export const actorSession: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.history add column actor_session_id uuid`.execute(db);
  },
};
