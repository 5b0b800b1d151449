import { shownMachineId } from '../../contracts/machines.ts';
import type { User } from '../../contracts/users.ts';
import type { UserRole, UserStatus } from '../../domain/enumerations.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';

/** Who a user is, without what changes by the minute: connections, and machines that wait for approval. */
export type Person = Omit<User, 'currentlyConnected' | 'pendingMachines'>;

type Row = Readonly<{
  user_id: UserId;
  customer_id: CustomerId;
  username: string;
  email: string;
  role: UserRole;
  status: UserStatus;
  last_login: Date | null;
  machine_id: string | null;
  created_at: Date;
}>;

/** A row of `read.portal_user` as the contract describes it. */
export const personIn = (row: Row, customerName: string): Person => ({
  id: row.user_id,
  customerId: row.customer_id,
  customerName,
  username: row.username,
  email: row.email,
  role: row.role,
  status: row.status,
  lastLogin: row.last_login?.toISOString() ?? null,
  machineId: row.machine_id === null ? null : shownMachineId(row.machine_id),
  createdAt: row.created_at.toISOString(),
});
