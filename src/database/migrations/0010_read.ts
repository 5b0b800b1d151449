import { type Kysely, type Migration, sql } from 'kysely';

/** What every schema of read models carries: how far it has come, and what it could not take in. */
export const createCheckpoint = async (db: Kysely<unknown>, schema: string): Promise<void> => {
  await sql`
    create table ${sql.table(`${schema}.checkpoint`)} (
      only_row boolean primary key default true check (only_row),
      version int4 not null default 0,
      position int8,
      store text,
      last_stream text,
      last_revision int8,
      last_event text,
      last_position int8,
      events int8 not null default 0,
      epoch int8 not null default 0,
      lag_ms int8 not null default 0,
      node text,
      heartbeat_at timestamptz
    ) with (fillfactor = 50)`.execute(db);
  await sql`insert into ${sql.table(`${schema}.checkpoint`)} default values`.execute(db);
  await sql`
    create table ${sql.table(`${schema}.parked`)} (
      stream text not null,
      revision int8 not null,
      position int8 not null,
      event_id text not null,
      type text not null,
      reason text not null,
      at timestamptz,
      primary key (stream, revision)
    )`.execute(db);
};

/**
 * The read models of the main group. A rebuild copies the shape of these tables, so a later migration that alters them is
 * all that a new shape needs (beside the projection's new version).
 */
export const read: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create extension if not exists pg_trgm`.execute(db);
    await sql`create schema read`.execute(db);
    await createCheckpoint(db, 'read');
    await customers(db);
    await integrators(db);
    await portalUsers(db);
    await themesAndCredentials(db);
    await history(db);
    await counters(db);
  },
};

const customers = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table read.customer (
      customer_id uuid primary key,
      integrator_id uuid not null,
      name text not null,
      contact_email text not null,
      company text,
      license_digest bytea,
      license_sealed text,
      license_event text,
      status text not null,
      theme text,
      theme_label text,
      tier text not null,
      developer_seats int4 not null,
      stakeholder_seats int4 not null,
      active_developer_seats int4 not null,
      active_stakeholder_seats int4 not null,
      seat_limits_enforced boolean not null,
      deletion_requested_at timestamptz,
      last_activity_at timestamptz,
      created_at timestamptz not null,
      sort_name text collate "C" not null,
      search text not null,
      revision int8 not null
    ) with (fillfactor = 80)`.execute(db);
  await sql`create index customer_created on read.customer (created_at desc, customer_id desc)`.execute(db);
  await sql`create index customer_of_integrator on read.customer (integrator_id, created_at desc, customer_id desc)`.execute(db);
  await sql`create index customer_status on read.customer (status, created_at desc, customer_id desc)`.execute(db);
  await sql`create index customer_name on read.customer (sort_name, customer_id)`.execute(db);
  await sql`create index customer_license on read.customer (license_digest)`.execute(db);
  await sql`create index customer_theme on read.customer (theme, customer_id) where theme is not null`.execute(db);
  await sql`create index customer_search on read.customer using gin (search gin_trgm_ops)`.execute(db);
};

const integrators = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table read.integrator (
      integrator_id uuid primary key,
      company_name text not null,
      contact_email text not null,
      billing_email text not null,
      master_digest bytea,
      master_sealed text,
      master_event text,
      status text not null,
      white_label_enabled boolean not null,
      custom_domain text,
      logo_url text,
      created_at timestamptz not null,
      sort_name text collate "C" not null,
      search text not null,
      revision int8 not null
    ) with (fillfactor = 80)`.execute(db);
  await sql`create index integrator_created on read.integrator (created_at desc, integrator_id desc)`.execute(db);
  await sql`create index integrator_name on read.integrator (sort_name, integrator_id)`.execute(db);
  await sql`create index integrator_master on read.integrator (master_digest)`.execute(db);
  await sql`create index integrator_domain on read.integrator (custom_domain) where custom_domain is not null`.execute(db);
  await sql`create index integrator_search on read.integrator using gin (search gin_trgm_ops)`.execute(db);
};

const portalUsers = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table read.portal_user (
      user_id uuid primary key,
      customer_id uuid not null,
      integrator_id uuid not null,
      username text not null,
      email text not null,
      role text not null,
      status text not null,
      machine_id text,
      last_login timestamptz,
      created_at timestamptz not null,
      sort_name text collate "C" not null,
      search text not null
    ) with (fillfactor = 80)`.execute(db);
  await sql`create index user_created on read.portal_user (created_at desc, user_id desc)`.execute(db);
  await sql`create index user_of_customer on read.portal_user (customer_id, created_at desc, user_id desc)`.execute(db);
  await sql`create index user_of_integrator on read.portal_user (integrator_id, created_at desc, user_id desc)`.execute(db);
  await sql`create index user_name on read.portal_user (sort_name, user_id)`.execute(db);
  await sql`create index user_login on read.portal_user (coalesce(last_login, '-infinity'), user_id)`.execute(db);
  await sql`create index user_search on read.portal_user using gin (search gin_trgm_ops)`.execute(db);
};

const themesAndCredentials = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table read.theme_catalogue (
      integrator_id uuid primary key,
      default_theme_id uuid,
      revision int8 not null
    )`.execute(db);
  await sql`
    create table read.theme (
      theme_id uuid primary key,
      integrator_id uuid not null,
      theme_name text not null,
      display_name text not null,
      description text,
      primary_color text not null,
      secondary_color text,
      accent_color text,
      is_active boolean not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create index theme_of_integrator on read.theme (integrator_id, created_at, theme_id)`.execute(db);
  await sql`
    create table read.credential (
      credential_id uuid primary key,
      customer_id uuid not null,
      service text not null,
      instance_url text not null,
      instance_key uuid not null,
      username text not null,
      has_api_token boolean not null,
      status text,
      tested_at timestamptz,
      expires_at timestamptz,
      created_at timestamptz not null,
      revision int8 not null
    )`.execute(db);
  await sql`create index credential_of_customer on read.credential (customer_id, created_at, credential_id)`.execute(db);
  await sql`
    create index credential_due on read.credential (expires_at)
    where expires_at is not null and status is distinct from 'expired'`.execute(db);
};

const history = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table read.history (
      position int8 not null,
      revision int8 not null,
      id uuid not null,
      customer_id uuid,
      theme_id uuid,
      at timestamptz not null,
      category text not null,
      type text not null,
      actor_kind text not null,
      actor_id text not null,
      summary text not null,
      facts json not null,
      primary key (position, revision)
    )`.execute(db);
  await sql`
    create index history_of_customer on read.history (customer_id, position desc, revision desc)
    where customer_id is not null`.execute(db);
  await sql`create index history_of_theme on read.history (theme_id, position desc) where theme_id is not null`.execute(db);
  await sql`
    create table read.theme_span (
      customer_id uuid not null,
      theme_id uuid not null,
      from_position int8 not null,
      to_position int8,
      primary key (customer_id, from_position)
    )`.execute(db);
};

const counters = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table read.tally (
      kind text not null,
      scope uuid not null,
      name text not null,
      n int8 not null,
      primary key (kind, scope, name)
    ) with (fillfactor = 50)`.execute(db);
  await sql`
    create table read.stat_day (
      scope uuid not null,
      day date not null,
      registered int8 not null,
      customers int8 not null,
      active int8 not null,
      integrators_registered int8 not null,
      integrators int8 not null,
      primary key (scope, day)
    ) with (fillfactor = 50)`.execute(db);
};
