import type { Client } from 'pg';

/** The value of column `revision` for a tombstone event. */
export const TOMBSTONE_COLUMN = '9223372036854775807';

/** `stream_end` holds the last revision of streams whose last event was scavenged. */
const TABLES = `
  create schema if not exists eventstore;
  create table if not exists eventstore.event (
    position int8 primary key,
    stream text collate "C" not null,
    revision int8 not null,
    id uuid not null,
    type text collate "C" not null,
    is_json bool not null,
    data bytea not null,
    metadata bytea not null,
    created int8 not null,
    unique (stream, revision)
  );
  create table if not exists eventstore.stream_end (
    stream text collate "C" primary key,
    revision int8 not null
  );
  create index if not exists event_tombstone on eventstore.event (stream) where revision = ${TOMBSTONE_COLUMN}`;

/** LZ4 compresses large payloads four times as fast as pglz, but is missing in some builds of PostgreSQL. */
const FAST_COMPRESSION = `
  do $$
  begin
    if exists (select from pg_attribute where attrelid = 'eventstore.event'::regclass and attname = 'data' and attcompression = '') then
      alter table eventstore.event alter column data set compression lz4;
    end if;
  exception when feature_not_supported then null;
  end $$`;

/** Creates missing tables and grants `login` access to rows. The caller must hold the writer's lock. */
export const createTables = async (owner: Client, login: string): Promise<void> => {
  await owner.query(TABLES);
  await owner.query(FAST_COMPRESSION);
  const name = owner.escapeIdentifier(login);
  await owner.query(`grant usage on schema eventstore to ${name};
    grant select, insert, update, delete on all tables in schema eventstore to ${name}`);
};
