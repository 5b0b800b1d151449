import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Whose data key seals a stored reply. Replies stored before are sealed with a key that outlives their owner, so they are deleted:
 * a request that is repeated then runs again, under the same command id.
 */
export const replyOwner: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table http.idempotency add column owner text`.execute(db);
    await sql`delete from http.idempotency where status is not null`.execute(db);
    await sql`create index idempotency_owner on http.idempotency (owner) where owner is not null`.execute(db);
  },
};
