import { type Kysely, type Migration, sql } from 'kysely';

/** Sessions and the budgets of failed sign-ins. Tokens are kept as SHA-256 only. */
export const auth: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create schema auth`.execute(db);
    await sql`
      create table auth.session (
        token_hash text primary key,
        kind text not null check (kind in ('admin', 'customer', 'integrator', 'cli')),
        user_id uuid,
        customer_id uuid,
        integrator_id uuid,
        created_at timestamptz not null,
        last_seen_at timestamptz not null,
        expires_at timestamptz not null,
        ended_at timestamptz,
        ended_reason text
      ) with (fillfactor = 80)`.execute(db);
    await sql`create index session_customer on auth.session (customer_id) where ended_at is null`.execute(db);
    await sql`create index session_integrator on auth.session (integrator_id) where ended_at is null and kind = 'integrator'`.execute(
      db,
    );
    await sql`create index session_expiry on auth.session (expires_at)`.execute(db);
    await sql`
      create table auth.sign_in_failures (
        bucket text not null,
        window_start timestamptz not null,
        failures integer not null,
        primary key (bucket, window_start)
      )`.execute(db);
  },
};
