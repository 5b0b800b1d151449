import { type Kysely, type Migration, sql } from 'kysely';

/** Keyed hashes of the parts of license keys, so that a search for a part finds its customer or integrator. */
export const keyFragments: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const table of ['customer', 'integrator']) {
      await sql`alter table read.${sql.ref(table)} add column key_fragments int4[] not null default '{}'`.execute(db);
      await sql`create index ${sql.ref(`${table}_key_fragments`)} on read.${sql.ref(table)} using gin (key_fragments)`.execute(db);
    }
  },
};
