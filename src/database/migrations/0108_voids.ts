import { type Kysely, type Migration, sql } from 'kysely';

/** Recorded calls that do not count any more. */
export const voids: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table usage.void (
        customer_id uuid not null,
        position int8 not null,
        void_id uuid not null,
        source_id text not null,
        first_sequence int8,
        last_sequence int8,
        made_from timestamptz,
        made_until timestamptz,
        reason text,
        at timestamptz not null,
        actor_kind text not null,
        actor_id text not null,
        actor_user_id uuid,
        actor_token_id uuid,
        calls int8 not null,
        errors int8 not null,
        users int8 not null,
        first_at timestamptz,
        last_at timestamptz,
        primary key (customer_id, position)
      )`.execute(db);
    await sql`alter table usage.customer add column voids int8 not null default 0`.execute(db);
  },
};
