import { type Kysely, type Migration, sql } from 'kysely';

/** Whether a credential has a password: since then an API token may stand alone. */
export const credentialPassword: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.credential add column has_password boolean not null default true`.execute(db);
  },
};
