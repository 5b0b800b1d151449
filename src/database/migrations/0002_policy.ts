import { type Kysely, type Migration, sql } from 'kysely';

/** Checkpoints and notes of the policies. */
export const policy: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create schema policy`.execute(db);
    await sql`
      create table policy.checkpoint (
        policy text primary key,
        position numeric(20) not null,
        store_id text
      ) with (fillfactor = 50)`.execute(db);
    await sql`
      create table policy.note (
        policy text not null,
        key text not null,
        value text not null,
        due_at timestamptz,
        primary key (policy, key)
      )`.execute(db);
    await sql`create index note_value on policy.note (policy, value)`.execute(db);
    await sql`create index note_due on policy.note (policy, due_at) where due_at is not null`.execute(db);
  },
};
