import { type Kysely, type Migration, sql } from 'kysely';

/** The Merkle tree over all events, its checkpoints and its keys. No rebuild of read models changes these tables. */
export const auditLog: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create schema audit`.execute(db);
    await sql`
      create table audit.log (
        id bool primary key default true check (id),
        log_id uuid not null default gen_random_uuid(),
        size int8 not null default 0,
        position int8,
        store text,
        last_stream text,
        last_revision int8,
        last_event text,
        last_position int8,
        node text,
        heartbeat_at timestamptz,
        error text
      )`.execute(db);
    await sql`insert into audit.log default values`.execute(db);
    await sql`
      create table audit.tile (
        level int4 not null,
        number int8 not null,
        hashes bytea not null,
        positions bytea,
        first_position int8,
        primary key (level, number)
      )`.execute(db);
    // Hashes cannot be compressed.
    await sql`alter table audit.tile alter column hashes set storage external`.execute(db);
    await sql`create index tile_position on audit.tile (first_position) where first_position is not null`.execute(db);
    await sql`
      create table audit.checkpoint (
        size int8 primary key,
        note text not null,
        signed_at timestamptz not null
      )`.execute(db);
    await sql`
      create table audit.signing_key (
        verifier_key text primary key,
        sealed text not null,
        created_at timestamptz not null,
        retired_at timestamptz
      )`.execute(db);
    await sql`create unique index signing_key_active on audit.signing_key ((true)) where retired_at is null`.execute(db);
  },
};
