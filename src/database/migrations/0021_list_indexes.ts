import { type Kysely, type Migration, sql } from 'kysely';

/** Lists of one status, also of an integrator's: few may have it among very many. */
export const listIndexes: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create index customer_of_integrator_status on read.customer (integrator_id, status, created_at desc, customer_id desc)`.execute(
      db,
    );
    await sql`create index user_status on read.portal_user (status, created_at desc, user_id desc)`.execute(db);
    await sql`
      create index user_of_integrator_status on read.portal_user (integrator_id, status, created_at desc, user_id desc)`.execute(
      db,
    );
  },
};
