import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Calls by quarter of an hour, so that usage can be shown in any time zone, instead of calls to instances by UTC day. The stored values
 * are compressed already, so PostgreSQL need not try.
 */
export const usageHours: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table usage.call_hour (
        customer_id uuid not null,
        user_id uuid not null,
        at timestamptz not null,
        quarters bytea not null,
        parts bytea not null,
        primary key (customer_id, user_id, at)
      ) with (fillfactor = 70)`.execute(db);
    await sql`alter table usage.call_hour alter column quarters set storage external, alter column parts set storage external`.execute(
      db,
    );
    await sql`alter table usage.day add column parts bytea`.execute(db);
    await sql`alter table usage.day alter column parts set storage external`.execute(db);
    await sql`drop table usage.instance_day, usage.user_instance_day`.execute(db);
  },
};
