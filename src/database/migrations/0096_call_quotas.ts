import { type Kysely, type Migration, sql } from 'kysely';

/**
 * The monthly quota of API calls, and which calls of it are claimed. Claims are decided before the calls are appended, so no rebuild of a
 * read model may touch them.
 */
export const callQuotas: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.customer add column call_quota json, add column call_quota_notices json`.execute(db);
    await sql`
      create table ops.call_quota_month (
        customer_id uuid not null,
        month date not null,
        noticed_limit int8 not null,
        noticed_percent integer not null,
        primary key (customer_id, month)
      ) with (fillfactor = 50)`.execute(db);
    await sql`
      create table ops.call_claim (
        customer_id uuid not null,
        month date not null,
        source_id text not null,
        claimed int8multirange not null,
        claimed_at timestamptz not null,
        primary key (customer_id, month, source_id)
      ) with (fillfactor = 50)`.execute(db);
  },
};
