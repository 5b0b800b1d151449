import { type Kysely, type Migration, sql } from 'kysely';

/** Floating seats: the minutes of each license, who holds one, and when each was used last. */
export const floatingSeats: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      alter table read.customer
        add column floating_developer_minutes integer,
        add column floating_stakeholder_minutes integer,
        add column leased_developer_seats integer not null default 0,
        add column leased_stakeholder_seats integer not null default 0`.execute(db);
    await sql`alter table read.portal_user add column leased_seat text, add column leased_at timestamptz`.execute(db);
    await sql`
      create table live.seat_use (
        user_id uuid primary key,
        customer_id uuid not null,
        used_at timestamptz not null
      ) with (fillfactor = 50)`.execute(db);
    await sql`create index seat_use_customer on live.seat_use (customer_id)`.execute(db);
    await sql`call tenant.protect('live')`.execute(db);
  },
};
