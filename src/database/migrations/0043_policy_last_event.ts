import { type Kysely, type Migration, sql } from 'kysely';

/** The last event that a policy handled, which detects a store that was rolled back and has new events since. */
export const policyLastEvent: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      alter table policy.checkpoint
        add column last_stream text,
        add column last_revision numeric(20),
        add column last_event text,
        add column last_position numeric(20)`.execute(db);
  },
};
