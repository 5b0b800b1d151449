import { type Kysely, type Migration, sql } from 'kysely';

/** Sign-ins of the tool that wait for the approval of a user. What a machine says about itself is sealed. */
export const deviceRequests: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table auth.device_request (
        device_hash text primary key,
        user_hash text not null unique,
        source_hash text not null,
        request text not null,
        state text not null,
        approver text,
        user_id uuid,
        interval_s int4 not null,
        polled_at timestamptz,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index device_request_source on auth.device_request (source_hash)`.execute(db);
    await sql`create index device_request_expiry on auth.device_request (expires_at)`.execute(db);
  },
};
