import { type Kysely, type Migration, sql } from 'kysely';

/** Whose stream an entry of the history comes from, where it is an integrator's: its own or that of its themes. */
export const integratorHistory: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table read.history add column integrator_id uuid`.execute(db);
    await sql`
      create index history_of_integrator on read.history (integrator_id, position desc, revision desc)
      where integrator_id is not null`.execute(db);
    // With both columns that the policy looks at, entries are counted without reading the table.
    await sql`drop index read.history_of_customer`.execute(db);
    await sql`
      create index history_of_customer on read.history (customer_id, position desc, revision desc) include (theme_id)
      where customer_id is not null`.execute(db);
  },
};
