import { sql } from 'kysely';
import type { CustomerImpact, IntegratorImpact } from '../../contracts/impact.ts';
import type { Database } from '../../database/database.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import { connectionsOf } from '../presence.ts';

/** Queries on what a change of a customer or a service integrator affects. Sessions are counted elsewhere. */
export const impactQueries = (db: Database) => ({
  /** Null where the read models do not hold the customer. */
  ofCustomer: async (customerId: CustomerId): Promise<Omit<CustomerImpact, 'portalSessions'> | null> => {
    const row = await db
      .selectFrom('read.customer as c')
      .leftJoin('usage.customer as u', 'u.customer_id', 'c.customer_id')
      .select(['c.active_developer_seats', 'c.active_stakeholder_seats', 'u.calls'])
      .select(connectionsOf('c.customer_id').as('connections'))
      .select(sql<number>`(select count(*) from read.portal_user where customer_id = c.customer_id)`.as('users'))
      .select(sql<number>`(select count(*) from read.credential where customer_id = c.customer_id)`.as('credentials'))
      .where('c.customer_id', '=', customerId)
      .executeTakeFirst();
    if (!row) return null;
    return {
      connections: row.connections,
      users: row.users,
      activeDeveloperSeats: row.active_developer_seats,
      activeStakeholderSeats: row.active_stakeholder_seats,
      credentials: row.credentials,
      apiCalls: row.calls ?? 0,
    };
  },

  /** Null where the read models do not hold the service integrator. */
  ofIntegrator: async (integratorId: IntegratorId): Promise<Omit<IntegratorImpact, 'sessions'> | null> => {
    const row = await db
      .selectFrom('read.integrator as i')
      .select(
        sql<number>`(
          select coalesce(sum(n), 0)::int8 from read.tally where kind = 'customer' and scope = i.integrator_id)`.as('customers'),
      )
      .select(sql<number>`(select count(*) from read.theme where integrator_id = i.integrator_id)`.as('themes'))
      .where('i.integrator_id', '=', integratorId)
      .executeTakeFirst();
    return row ? { customers: row.customers, customThemes: row.themes } : null;
  },
});
