import { type Kysely, type Migration, sql } from 'kysely';

/** Members who sign in with OpenID Connect, and the email domains whose ownership a tenant has verified. */
export const identityProvider: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.member add column has_identity boolean not null default false`.execute(db);
    await sql`
      create table auth.email_domain (
        tenant_kind text not null,
        domain text not null,
        team_id text not null,
        verified_at timestamptz not null,
        primary key (tenant_kind, domain)
      )`.execute(db);
    await sql`create index email_domain_of_team on auth.email_domain (team_id)`.execute(db);
    await sql`create table auth.openid_state (state_hash text primary key, expires_at timestamptz not null)`.execute(db);
    await sql`create index openid_state_expiry on auth.openid_state (expires_at)`.execute(db);
  },
};
