import { type Kysely, type Migration, sql } from 'kysely';

/** Named users of tenants, and the member that an entry of the history is about. */
export const team: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table read.member (
        user_id uuid primary key,
        team_id text not null,
        customer_id uuid,
        integrator_id uuid,
        name text not null,
        email text not null,
        email_key text not null,
        role text not null,
        status text not null check (status in ('invited', 'joined')),
        invitation_id uuid,
        invitation_expires_at timestamptz,
        invited_at timestamptz not null,
        joined_at timestamptz,
        has_password boolean not null,
        has_second_factor boolean not null,
        sort_name text not null
      ) with (fillfactor = 80)`.execute(db);
    await sql`create index member_of_team on read.member (team_id, sort_name)`.execute(db);
    await sql`create index member_of_customer on read.member (customer_id) where customer_id is not null`.execute(db);
    await sql`create index member_of_integrator on read.member (integrator_id) where integrator_id is not null`.execute(db);
    await sql`create index member_by_invitation on read.member (invitation_id) where invitation_id is not null`.execute(db);
    await sql`create index member_by_email on read.member (email_key)`.execute(db);
    await sql`
      create table read.team (
        team_id text primary key,
        customer_id uuid,
        integrator_id uuid,
        key_sign_in text not null check (key_sign_in in ('allowed', 'break_glass', 'off')),
        second_factor_required boolean not null
      )`.execute(db);
    await sql`create index team_of_customer on read.team (customer_id) where customer_id is not null`.execute(db);
    await sql`create index team_of_integrator on read.team (integrator_id) where integrator_id is not null`.execute(db);
    await sql`create table auth.one_time_password (user_id uuid primary key, step int8 not null)`.execute(db);
    await sql`alter table read.history add column member_id uuid, add column actor_user_id uuid`.execute(db);
    await sql`create index history_of_member on read.history (member_id) where member_id is not null`.execute(db);
    // The administration's entries belong to no tenant.
    await sql`
      create index history_of_administration on read.history (position desc, revision desc)
      where customer_id is null and integrator_id is null and theme_id is null`.execute(db);
  },
};
