import { type Kysely, type Migration, sql } from 'kysely';

/** An index of customers by plan, in the order of their lists; the status is in it so that counting reads no rows. */
export const customersByPlan: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create index customer_plan on read.customer (tier, created_at desc, customer_id desc) include (status)`.execute(db);
  },
};
