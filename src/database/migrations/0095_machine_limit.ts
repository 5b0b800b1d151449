import { type Kysely, type Migration, sql } from 'kysely';

/** How many machines each user of a license may have. */
export const machineLimit: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.customer add column machine_limit integer`.execute(db);
  },
};
