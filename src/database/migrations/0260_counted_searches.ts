import { type Kysely, type Migration, sql } from 'kysely';

/** In bytes. As `searchTextOf` cuts since this migration. */
const SEARCH_BYTES = 2_500;

const CUSTOMERS = { table: 'read.customer', order: 'created_at desc, customer_id desc', held: 'status, search, key_fragments' };
const USERS = { table: 'read.portal_user', order: 'created_at desc, user_id desc', held: 'status, search' };
const INDEXES = [
  { ...CUSTOMERS, name: 'customer_created' },
  { ...CUSTOMERS, name: 'customer_of_integrator', order: `integrator_id, ${CUSTOMERS.order}` },
  { ...USERS, name: 'user_created' },
  { ...USERS, name: 'user_of_integrator', order: `integrator_id, ${USERS.order}` },
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
    for (const { name, table, order, held } of INDEXES) {
      await sql`create index ${sql.id(`${name}_next`)} on ${sql.table(table)} (${sql.raw(order)}) include (${sql.raw(held)})`.execute(
        db,
      );
    }
    // Last, because lists cannot be read from here to the end of the migration.
    for (const { name } of INDEXES) {
      await sql`drop index read.${sql.id(name)}`.execute(db);
      await sql`alter index read.${sql.id(`${name}_next`)} rename to ${sql.id(name)}`.execute(db);
    }
    // A rebuild that a version before began has its indexes and texts; it begins again.
    await sql`drop schema if exists read_next cascade`.execute(db);
  },
};
