import { type Kysely, type Migration, sql } from 'kysely';

/** Passkeys of named users: how often each was used, and the challenges that were answered. */
export const passkeys: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.member add column passkeys json not null default '[]'`.execute(db);
    await sql`
      create table auth.passkey_use (
        passkey_id uuid primary key,
        user_id uuid not null,
        counter int8 not null,
        used_at timestamptz
      )`.execute(db);
    await sql`create index passkey_use_of_user on auth.passkey_use (user_id)`.execute(db);
    await sql`
      create table auth.passkey_challenge (challenge_hash text primary key, expires_at timestamptz not null)`.execute(db);
    await sql`create index passkey_challenge_expiry on auth.passkey_challenge (expires_at)`.execute(db);
  },
};
