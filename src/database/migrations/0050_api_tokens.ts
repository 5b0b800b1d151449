import { type Kysely, type Migration, sql } from 'kysely';

/** API tokens of tenants, their last uses, and the token that the actor of an entry used. */
export const apiTokens: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table read.api_token (
        token_id uuid primary key,
        team_id text not null,
        customer_id uuid,
        integrator_id uuid,
        name text not null,
        scopes json not null,
        networks text not null,
        token_hash text not null,
        created_by uuid,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        revoked_at timestamptz
      ) with (fillfactor = 80)`.execute(db);
    await sql`create index api_token_of_team on read.api_token (team_id, created_at)`.execute(db);
    await sql`create index api_token_of_customer on read.api_token (customer_id) where customer_id is not null`.execute(db);
    await sql`create index api_token_of_integrator on read.api_token (integrator_id) where integrator_id is not null`.execute(db);
    await sql`create index api_token_by_hash on read.api_token (token_hash)`.execute(db);
    await sql`
      create table auth.api_token_use (
        token_id uuid primary key,
        team_id text not null,
        used_at timestamptz not null,
        address text
      ) with (fillfactor = 70)`.execute(db);
    await sql`alter table read.history add column actor_token_id uuid`.execute(db);
  },
};
