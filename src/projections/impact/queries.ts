import { sql } from 'kysely';
import type { CustomerImpact, IntegratorImpact, Named } from '../../contracts/impact.ts';
import type { Database } from '../../database/database.ts';
import type { CustomerId, IntegratorId, ThemeId } from '../../domain/ids.ts';
import { MAX_NAMED } from '../../domain/limits.ts';
import { sortNameOf } from '../lists/search.ts';
import { connectionsOf, isConnected } from '../presence.ts';

type CustomerCounts = Pick<
  CustomerImpact,
  'connections' | 'users' | 'activeDeveloperSeats' | 'activeStakeholderSeats' | 'credentials' | 'apiCalls'
>;

/** Queries on what a change of a customer or a service integrator affects. Sessions are counted elsewhere. */
export const impactQueries = (db: Database) => ({
  /** Null where the read models do not hold the customer. */
  ofCustomer: async (customerId: CustomerId): Promise<CustomerCounts | null> => {
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

  /** Users of a customer whose command-line tool is connected: how many there are, and the first by name. */
  connectedUsers: async (customerId: CustomerId): Promise<Named> => {
    const rows = await db
      .selectFrom('read.portal_user as u')
      .select(['u.username', sql<number>`count(*) over ()`.as('n')])
      .where('u.customer_id', '=', customerId)
      .where(isConnected('u.user_id'))
      .orderBy('u.sort_name')
      .limit(MAX_NAMED)
      .execute();
    return { count: Number(rows[0]?.n ?? 0), names: rows.map(({ username }) => username) };
  },

  /** Customers that have a custom theme: how many there are, and the first by name. */
  customersWithTheme: async (themeId: ThemeId): Promise<Named> => {
    const rows = await db
      .selectFrom('read.customer as c')
      .select(['c.name', sql<number>`count(*) over ()`.as('n')])
      .where('c.theme', '=', themeId)
      .orderBy('c.sort_name')
      .orderBy('c.customer_id')
      .limit(MAX_NAMED)
      .execute();
    return { count: Number(rows[0]?.n ?? 0), names: rows.map(({ name }) => name) };
  },

  /** The first customers of a service integrator by name. */
  customerNames: async (integratorId: IntegratorId): Promise<string[]> => {
    const rows = await db
      .selectFrom('read.customer as c')
      .select('c.name')
      .where('c.integrator_id', '=', integratorId)
      .orderBy('c.sort_name')
      .orderBy('c.customer_id')
      .limit(MAX_NAMED)
      .execute();
    return rows.map(({ name }) => name);
  },

  /** Whether a service integrator has a customer of a name, whatever its case. */
  hasCustomerNamed: async (integratorId: IntegratorId, name: string): Promise<boolean> => {
    const row = await db
      .selectFrom('read.customer as c')
      .select('c.customer_id')
      .where('c.integrator_id', '=', integratorId)
      .where('c.sort_name', '=', sortNameOf(name))
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },

  /** Null where the read models do not hold the service integrator. */
  ofIntegrator: async (integratorId: IntegratorId): Promise<Omit<IntegratorImpact, 'sessions' | 'customerNames'> | null> => {
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
