import { type Kysely, type Migration, sql } from 'kysely';

/** First replies by `Idempotency-Key`, sealed, kept for a day. */
export const http: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create schema http`.execute(db);
    await sql`
      create table http.idempotency (
        principal text not null,
        key text not null,
        fingerprint text not null,
        claim uuid not null,
        claimed_until timestamptz not null,
        created_at timestamptz not null,
        status integer,
        headers jsonb,
        sealed_body bytea,
        primary key (principal, key)
      )`.execute(db);
    await sql`create index idempotency_age on http.idempotency (created_at)`.execute(db);
  },
};
