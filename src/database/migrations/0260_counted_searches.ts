import { type Kysely, type Migration, sql } from 'kysely';

/** In bytes. As `searchTextOf` cuts since this migration. */
const SEARCH_BYTES = 2_500;

const ORDERS = [
  { index: 'customer_created', table: 'read.customer', columns: 'created_at desc, customer_id desc' },
  { index: 'customer_of_integrator', table: 'read.customer', columns: 'integrator_id, created_at desc, customer_id desc' },
  { index: 'user_created', table: 'read.portal_user', columns: 'created_at desc, user_id desc' },
  { index: 'user_of_integrator', table: 'read.portal_user', columns: 'integrator_id, created_at desc, user_id desc' },
];

/** The orders of lists by creation also hold what a search reads, so that counting its matches reads no rows. */
export const countedSearches: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const table of ['read.customer', 'read.portal_user']) {
      const { numAffectedRows } = await sql`
        update ${sql.table(table)} set search = (
          select left(search, max(length)) from generate_series(1, ${sql.lit(SEARCH_BYTES)}) as length
          where octet_length(left(search, length)) <= ${sql.lit(SEARCH_BYTES)})
        where octet_length(search) > ${sql.lit(SEARCH_BYTES)}`.execute(db);
      // A new index would have the rows from before the update, too, so the table is written again without them.
      if (numAffectedRows) await sql`alter table ${sql.table(table)} alter column search type text using search || ''`.execute(db);
    }
    for (const { index, table, columns } of ORDERS) {
      await sql`drop index read.${sql.id(index)}`.execute(db);
      await sql`create index ${sql.id(index)} on ${sql.table(table)} (${sql.raw(columns)}) include (status, search)`.execute(db);
    }
  },
};
