import { type Kysely, type Migration, sql } from 'kysely';

/** Calls to services that the license did not include, and what it included since when. Both are filled by a rebuild of the read models. */
export const notIncluded: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table usage.customer add column services json`.execute(db);
    await sql`
      create table usage.not_included (
        customer_id uuid not null,
        at timestamptz not null,
        service text not null,
        calls int8 not null,
        primary key (customer_id, at, service)
      )`.execute(db);
  },
};
