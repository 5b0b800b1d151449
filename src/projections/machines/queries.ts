import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { CustomerId, IntegratorId, MachineRequestId, UserId } from '../../domain/ids.ts';

/** An approved machine; `machineId` must not leave the server as a whole. Times are ISO-8601 UTC. */
export type ApprovedMachine = Readonly<{ userId: UserId; machineId: string; machineName: string | null; approvedAt: string }>;

/** A machine that waits for approval. */
export type PendingMachine = Readonly<{
  requestId: MachineRequestId;
  userId: UserId;
  username: string;
  customerId: CustomerId;
  customerName: string;
  machineId: string;
  machineName: string | null;
  requestedAt: string;
  expiresAt: string;
}>;

/** The customer or integrator whose requests are listed; all without either. */
export type PendingFilter = Readonly<{
  userId?: UserId | undefined;
  customerIds?: readonly CustomerId[] | undefined;
  integratorId?: IntegratorId | undefined;
}>;

/** Requests that one answer lists; a user has at most five. */
const MAX_PENDING = 100;

/** How many machines of a user wait for approval. */
export const pendingMachinesOf = (userId: string): RawBuilder<number> => sql<number>`(
  select count(*)::int4 from read.machine m
  where m.user_id = ${sql.ref(userId)} and m.state = 'pending' and m.expires_at > now())`;

/** Queries on the machines of users. */
export const machineQueries = (db: Database) => ({
  /** The approved machines of the given users, the oldest approval first. */
  approved: async (userIds: readonly UserId[]): Promise<ApprovedMachine[]> => {
    const rows = await db
      .selectFrom('read.machine as m')
      .select(['m.user_id', 'm.machine_id', 'm.machine_name', 'm.approved_at'])
      .where(sql<boolean>`m.user_id = any(${userIds}::uuid[])`)
      .where('m.state', '=', 'approved')
      .orderBy('m.approved_at')
      .execute();
    return rows.map((row) => ({
      userId: row.user_id,
      machineId: row.machine_id,
      machineName: row.machine_name,
      approvedAt: row.approved_at?.toISOString() ?? '',
    }));
  },

  /** Requests that wait at `at` (ISO-8601 UTC), the oldest first. */
  pending: async ({ userId, customerIds, integratorId }: PendingFilter, at: string): Promise<PendingMachine[]> => {
    let query = db
      .selectFrom('read.machine as m')
      .innerJoin('read.portal_user as u', 'u.user_id', 'm.user_id')
      .innerJoin('read.customer as c', 'c.customer_id', 'm.customer_id')
      .select(['m.request_id', 'm.user_id', 'u.username', 'm.customer_id', 'c.name as customer_name'])
      .select(['m.machine_id', 'm.machine_name', 'm.requested_at', 'm.expires_at'])
      .where('m.state', '=', 'pending')
      .where('m.expires_at', '>', new Date(at))
      .orderBy('m.requested_at')
      .orderBy('m.request_id')
      .limit(MAX_PENDING);
    if (userId) query = query.where('m.user_id', '=', userId);
    if (customerIds) query = query.where(sql<boolean>`m.customer_id = any(${customerIds}::uuid[])`);
    if (integratorId) query = query.where('m.integrator_id', '=', integratorId);
    const rows = await query.execute();
    return rows.flatMap((row) =>
      row.request_id && row.requested_at && row.expires_at
        ? [
            {
              requestId: row.request_id,
              userId: row.user_id,
              username: row.username,
              customerId: row.customer_id,
              customerName: row.customer_name,
              machineId: row.machine_id,
              machineName: row.machine_name,
              requestedAt: row.requested_at.toISOString(),
              expiresAt: row.expires_at.toISOString(),
            },
          ]
        : [],
    );
  },
});
