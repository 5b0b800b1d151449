import { type Kysely, type Migration, sql } from 'kysely';

/** Orders of lists of customers: by the seats that are held, and by the last call. */
export const ordersOfLists: Migration = {
  up: async (db: Kysely<unknown>) => {
    // Without the columns of the expression, PostgreSQL would read the row of each customer that a filter excludes.
    await sql`
      create index customer_held_developers on read.customer (
        (case when floating_developer_minutes is null then active_developer_seats else leased_developer_seats end), customer_id)
        include (status, integrator_id, floating_developer_minutes, active_developer_seats, leased_developer_seats)`.execute(db);
    await sql`
      create index customer_held_stakeholders on read.customer (active_stakeholder_seats, customer_id)
        include (status, integrator_id)`.execute(db);
    await sql`create index customer_last_call on usage.customer (coalesce(last_call_at, '-infinity'), customer_id)`.execute(db);
  },
};
