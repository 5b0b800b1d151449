import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Announcements of the expiry of licenses. The policy had noted when they expire; it looks 30 days earlier, and notes their next step
 * itself.
 */
export const announcements: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`update policy.note set due_at = due_at - interval '30 days' where policy = 'advanceTerms'`.execute(db);
  },
};
