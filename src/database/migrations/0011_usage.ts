import { type Kysely, type Migration, sql } from 'kysely';
import { createCheckpoint } from './0010_read.ts';

/** The read models of the usage group. Rows are few and hot: half-empty pages and no index beyond the key keep an update in place. */
export const usage: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create schema usage`.execute(db);
    await createCheckpoint(db, 'usage');
    await rollups(db);
    await sources(db);
    await monitoring(db);
  },
};

const rollups = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table usage.customer (
      customer_id uuid primary key,
      integrator_id uuid,
      calls int8 not null,
      errors int8 not null,
      total_ms int8 not null,
      last_call_at timestamptz
    ) with (fillfactor = 50)`.execute(db);
  await sql`create index customer_calls on usage.customer (calls desc, customer_id desc)`.execute(db);
  await sql`
    create table usage.day (
      customer_id uuid not null,
      day date not null,
      calls int8 not null,
      errors int8 not null,
      total_ms int8 not null,
      histogram bytea not null,
      primary key (customer_id, day)
    ) with (fillfactor = 50)`.execute(db);
  await sql`
    create table usage.instance (
      customer_id uuid not null,
      instance_key uuid not null,
      service text not null,
      instance_url text not null,
      calls int8 not null,
      errors int8 not null,
      total_ms int8 not null,
      last_at timestamptz not null,
      primary key (customer_id, instance_key)
    ) with (fillfactor = 50)`.execute(db);
  await sql`
    create table usage.instance_day (
      customer_id uuid not null,
      day date not null,
      instance_key uuid not null,
      calls int8 not null,
      errors int8 not null,
      total_ms int8 not null,
      last_at timestamptz not null,
      histogram bytea not null,
      primary key (customer_id, day, instance_key)
    ) with (fillfactor = 50)`.execute(db);
  await sql`
    create table usage.scope_day (
      scope uuid not null,
      day date not null,
      calls int8 not null,
      errors int8 not null,
      total_ms int8 not null,
      primary key (scope, day)
    ) with (fillfactor = 50)`.execute(db);
};

const sources = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table usage.source (
      customer_id uuid not null,
      source_id text not null,
      seen int8multirange not null,
      primary key (customer_id, source_id)
    ) with (fillfactor = 50)`.execute(db);
  await sql`create table usage.deleted (customer_id uuid primary key)`.execute(db);
};

const monitoring = async (db: Kysely<unknown>): Promise<void> => {
  for (const bucket of ['second', 'minute']) {
    await sql`
      create table ${sql.table(`usage.${bucket}`)} (
        at timestamptz primary key,
        calls int8 not null,
        errors int8 not null,
        connected int8 not null,
        histogram bytea not null
      ) with (fillfactor = 50)`.execute(db);
  }
  await sql`
    create table usage.connection (
      connection_id uuid primary key,
      user_id uuid not null,
      customer_id uuid not null
    )`.execute(db);
  await sql`create index connection_of_user on usage.connection (user_id)`.execute(db);
  await sql`create index connection_of_customer on usage.connection (customer_id)`.execute(db);
};
