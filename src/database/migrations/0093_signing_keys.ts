import { type Kysely, type Migration, sql } from 'kysely';

/** The keys that sign offline licenses and statements of usage. One of them is not retired. */
export const signingKeys: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table auth.signing_key (
        kid text primary key,
        public_key text not null,
        sealed text not null,
        created_at timestamptz not null,
        retired_at timestamptz,
        signs_until timestamptz
      )`.execute(db);
    await sql`create unique index signing_key_active on auth.signing_key ((true)) where retired_at is null`.execute(db);
  },
};
