import { type RawBuilder, sql } from 'kysely';

/** Whether a user has the command-line tool connected: a lease that runs out makes a dead node's connections end by themselves. */
export const isConnected = (userId: string): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from live.connection where live.connection.user_id = ${sql.ref(userId)} and live.connection.lease_until > now())`;

/** Open connections of a customer's users. */
export const connectionsOf = (customerId: string): RawBuilder<number> => sql<number>`(
  select count(*) from live.connection
  where live.connection.customer_id = ${sql.ref(customerId)} and live.connection.lease_until > now())`;
