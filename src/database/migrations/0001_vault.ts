import { type Kysely, type Migration, sql } from 'kysely';

/** Data keys of customers and integrators, wrapped by the master secret. */
export const vault: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create schema vault`.execute(db);
    await sql`
      create table vault.data_key (
        key_id uuid primary key,
        owner text not null unique,
        wrapped bytea,
        master_id text,
        created_at timestamptz not null default now(),
        destroyed_at timestamptz,
        check ((wrapped is null) = (destroyed_at is not null)),
        check ((wrapped is null) = (master_id is null))
      )`.execute(db);
    await sql`create index data_key_master on vault.data_key (master_id) where wrapped is not null`.execute(db);
  },
};
