import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Finds active customers by the percentage of their seats that they use, which alert rules ask for every few seconds. Queries must use the
 * same expression.
 */
export const seatsOfAlerts: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      create index customer_seat_utilization on read.customer ((greatest(
        case when developer_seats > 0 then 100.0
          * case when floating_developer_minutes is null then active_developer_seats else leased_developer_seats end
          / developer_seats else 0 end,
        case when stakeholder_seats > 0 then 100.0 * active_stakeholder_seats / stakeholder_seats else 0 end
      )::float8) desc, customer_id) where status = 'active'`.execute(db);
  },
};
