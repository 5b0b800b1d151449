import { type Kysely, type Migration, sql } from 'kysely';

/** Notices to members, the browsers and addresses that members signed in from, and wrong codes after a right password. */
export const notices: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table read.notice (
        user_id uuid not null,
        notice_id uuid not null,
        team_id text not null,
        customer_id uuid,
        integrator_id uuid,
        kind text not null check (kind in ('break_glass', 'new_sign_in', 'wrong_codes')),
        at timestamptz not null,
        address text,
        browser text,
        primary key (user_id, notice_id)
      )`.execute(db);
    await sql`create index notice_of_customer on read.notice (customer_id) where customer_id is not null`.execute(db);
    await sql`create index notice_of_integrator on read.notice (integrator_id) where integrator_id is not null`.execute(db);
    await sql`create index notice_at on read.notice (at)`.execute(db);
    await sql`
      create table auth.member_place (
        user_id uuid not null,
        place text not null,
        used_at timestamptz not null,
        primary key (user_id, place)
      )`.execute(db);
    await sql`
      create table auth.wrong_code (
        user_id uuid primary key,
        since timestamptz not null,
        n integer not null
      )`.execute(db);
  },
};
