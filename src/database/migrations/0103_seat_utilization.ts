import { type Kysely, type Migration, sql } from 'kysely';

/**
 * How many seats of each kind were held, by quarters of an hour in which they changed; and the quarter of the last change, which is still
 * counted. Both are filled by a rebuild of the read models.
 */
export const seatUtilization: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create table read.seat_quarter (
        customer_id uuid not null,
        kind text not null,
        at timestamptz not null,
        held int4 not null,
        seat_limit int4 not null,
        peak int4 not null,
        held_ms int8 not null,
        above_limit_ms int8 not null,
        primary key (customer_id, kind, at)
      )`.execute(db);
    await sql`
      create table read.seat_count (
        customer_id uuid not null,
        kind text not null,
        at timestamptz not null,
        counted_to timestamptz not null,
        held int4 not null,
        seat_limit int4 not null,
        peak int4 not null,
        held_ms int8 not null,
        above_limit_ms int8 not null,
        primary key (customer_id, kind)
      ) with (fillfactor = 70)`.execute(db);
  },
};
