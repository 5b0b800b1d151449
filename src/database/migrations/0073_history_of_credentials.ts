import { type Kysely, type Migration, sql } from 'kysely';

/** Which credential an entry of the history is about. */
export const historyOfCredentials: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.history add column credential_id uuid`.execute(db);
    await sql`
      create index history_of_credential on read.history (credential_id, position desc, revision desc)
      where credential_id is not null`.execute(db);
  },
};
