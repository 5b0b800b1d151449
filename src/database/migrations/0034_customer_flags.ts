import { type Kysely, type Migration, sql } from 'kysely';

/** Whether a customer has a portal password, and an index of the few customers that requested their deletion. */
export const customerFlags: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.customer add column has_password boolean not null default false`.execute(db);
    await sql`
      create index customer_deletion_requested on read.customer (integrator_id, created_at desc, customer_id desc)
      where deletion_requested_at is not null`.execute(db);
  },
};
