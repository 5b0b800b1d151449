import { type Kysely, type Migration, sql } from 'kysely';

/**
 * The index of recorded calls. The records do not compress, so PostgreSQL need not try. Most rows never change once they are full, so
 * that pages are nearly full as well.
 */
export const callChunk: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table usage.call_chunk (
        early int8 not null,
        late int8 not null,
        customer_id uuid not null,
        day date not null,
        chunk int4 not null,
        errors int4 not null,
        records bytea not null,
        primary key (day, customer_id, chunk)
      ) with (fillfactor = 90)`.execute(db);
    await sql`alter table usage.call_chunk alter column records set storage external`.execute(db);
  },
};
