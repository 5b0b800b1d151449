import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Look-ups of entries by trees. The hash index by request takes quadratic time where many entries are of one request, as those of a policy
 * are, and both are twice as expensive to create as a tree.
 */
export const historyLookUps: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`drop index read.history_entry`.execute(db);
    await sql`create index history_entry on read.history (id)`.execute(db);
    await sql`drop index read.history_request`.execute(db);
    await sql`create index history_request on read.history (correlation_id) where category <> 'userActivity'`.execute(db);
  },
};
