import { type Kysely, type Migration, sql } from 'kysely';

/** What a company keeps about a customer: external id, tags, notes and custom fields; an index finds customers by tags. */
export const customerRecords: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      alter table read.customer
        add column external_id text,
        add column tags text,
        add column notes text,
        add column custom_fields text`.execute(db);
    await sql`
      create index customer_tags on read.customer using gin (string_to_array(tags, e'\n'))
      where tags is not null`.execute(db);
  },
};
