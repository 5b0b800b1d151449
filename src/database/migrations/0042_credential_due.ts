import { type Kysely, type Migration, sql } from 'kysely';

/** No query uses the index: a policy keeps when credentials expire in `policy.note`. */
export const credentialDue: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`drop index if exists read.credential_due`.execute(db);
  },
};
