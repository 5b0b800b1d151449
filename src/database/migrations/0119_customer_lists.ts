import { type Kysely, type Migration, sql } from 'kysely';

/** What lists of customers are sorted and filtered by: the utilization of developer seats, and the state of the monthly quota. */
export const customerLists: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      alter table read.customer
        add column developer_utilization integer not null default 0,
        add column call_quota_month text,
        add column call_quota_state text`.execute(db);
    // Status and service integrator are in both so that a page and its number are read without rows.
    await sql`
      create index customer_developer_utilization on read.customer (developer_utilization, customer_id)
        include (status, integrator_id)`.execute(db);
    await sql`
      create index customer_call_quota on read.customer (call_quota_month, call_quota_state, created_at desc, customer_id desc)
        include (status, integrator_id) where call_quota_month is not null`.execute(db);
  },
};
