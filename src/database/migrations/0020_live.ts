import { type Kysely, type Migration, sql } from 'kysely';

/** Open sockets of the command-line tool over all nodes. Leases are renewed in place: nothing indexes them. */
export const live: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create schema live`.execute(db);
    await sql`
      create table live.connection (
        connection_id uuid primary key,
        user_id uuid not null,
        customer_id uuid not null,
        integrator_id uuid not null,
        node text not null,
        connected_at timestamptz not null,
        lease_until timestamptz not null
      ) with (fillfactor = 50)`.execute(db);
    await sql`create index connection_user on live.connection (user_id)`.execute(db);
    await sql`create index connection_customer on live.connection (customer_id)`.execute(db);
    await sql`create index connection_node on live.connection (node)`.execute(db);
  },
};
