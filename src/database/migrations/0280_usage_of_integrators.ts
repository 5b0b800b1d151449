import { type Kysely, type Migration, sql } from 'kysely';

/** Finds the calls of an integrator's customers without reading those of all customers. */
export const usageOfIntegrators: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create index customer_of_integrator on usage.customer (integrator_id, customer_id)`.execute(db);
  },
};
