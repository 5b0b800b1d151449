import type { UserRow } from '../../database/tables/users.ts';
import { ERASED } from '../../domain/event.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { UserId } from '../../domain/ids.ts';
import type { Fact } from '../engine/fact.ts';
import type { Projection } from '../engine/projection.ts';
import { searchTextOf, sortNameOf } from '../lists/search.ts';
import { lastApproved } from '../machines/projection.ts';
import type { MainRows } from '../main/rows.ts';
import { EVERYTHING } from '../scope.ts';

const named = (username: string, email: string) => ({
  username,
  email,
  sort_name: sortNameOf(username),
  search: searchTextOf(username, email),
});

const count = (rows: MainRows, { integrator_id }: Pick<UserRow, 'integrator_id'>, status: UserRow['status'], n: 1 | -1): void => {
  for (const scope of [integrator_id, EVERYTHING]) rows.tally.add({ kind: 'user', scope, name: status, n });
};

const became =
  (status: UserRow['status']) =>
  (fact: Fact<AnyEvent & { data: { userId: UserId } }>, rows: MainRows): void => {
    const user = rows.users.get(fact.event.data.userId);
    if (!user) return;
    count(rows, user, user.status, -1);
    count(rows, user, status, 1);
    rows.users.change(user, { status });
  };

/** One row a user of a customer. Whether one is connected is not an event's to say: see `presence.ts`. */
export const users: Projection<MainRows> = {
  name: 'users',
  version: 2,
  on: {
    customer: {
      CustomerRegistered: 'ignored',
      LicenseIssued: 'ignored',
      LicenseKeyRotated: 'ignored',
      SeatsAllocated: 'ignored',
      SeatLimitsEnforced: 'ignored',
      SeatLimitsRelaxed: 'ignored',
      CustomerDetailsChanged: 'ignored',
      CustomerSuspended: 'ignored',
      CustomerReactivated: 'ignored',
      CustomerChurned: 'ignored',
      ThemeAssigned: 'ignored',
      ThemeUnassigned: 'ignored',
      UserRegistered: (fact, rows) => {
        const { userId, username, email, role, machineId } = fact.event.data;
        const customer = rows.customers.get(fact.subject);
        if (!customer) throw new Error('The customer of this user is unknown');
        const user: UserRow = {
          user_id: userId,
          customer_id: fact.subject,
          integrator_id: customer.integrator_id,
          ...named(username, email),
          role,
          status: 'active',
          machine_id: machineId,
          last_login: null,
          created_at: fact.at,
        };
        rows.users.put(user);
        count(rows, user, user.status, 1);
      },
      UserDetailsChanged: (fact, rows) => {
        const { userId, username, email } = fact.event.data;
        rows.users.change(rows.users.get(userId), named(username, email));
      },
      UserRoleChanged: (fact, rows) => {
        const { userId, role } = fact.event.data;
        rows.users.change(rows.users.get(userId), { role });
      },
      UserMachineChanged: (fact, rows) => {
        const { userId, machineId } = fact.event.data;
        rows.users.change(rows.users.get(userId), { machine_id: machineId });
      },
      MachineApprovalRequested: 'ignored',
      MachineApproved: (fact, rows) => {
        const { userId, machineId } = fact.event.data;
        const user = rows.users.get(userId);
        if (user?.machine_id === null) rows.users.change(user, { machine_id: machineId });
      },
      MachineRejected: 'ignored',
      MachineRemoved: (fact, rows) => {
        const { userId, machineId } = fact.event.data;
        const user = rows.users.get(userId);
        // Erased machine ids are all alike: which one was removed is not known any more.
        if (user?.machine_id === machineId && machineId !== ERASED)
          rows.users.change(user, { machine_id: lastApproved(rows, userId, machineId) });
      },
      MachineApprovalEnforced: 'ignored',
      MachineApprovalRelaxed: 'ignored',
      UserActivated: became('active'),
      UserDeactivated: became('inactive'),
      UserSuspended: became('suspended'),
      SeatClaimed: 'ignored',
      SeatReleased: 'ignored',
      PasswordChanged: 'ignored',
      PasswordReset: 'ignored',
      AccountDeletionRequested: 'ignored',
      AccountDeletionWithdrawn: 'ignored',
      CustomerDeleted: (fact, rows) => {
        for (const user of rows.users.by('customer_id', fact.subject)) {
          count(rows, user, user.status, -1);
          rows.users.remove(user);
        }
      },
    },
    userActivity: {
      UserAuthenticated: (fact, rows) => {
        const user = rows.users.get(fact.event.data.userId);
        if (user && (user.last_login === null || fact.at > user.last_login)) rows.users.change(user, { last_login: fact.at });
      },
      UserConnected: 'ignored',
      UserDisconnected: 'ignored',
    },
    integrator: 'ignored',
    themes: 'ignored',
    credential: 'ignored',
    apiCalls: 'ignored',
    adminActivity: 'ignored',
    signIns: 'ignored',
  },
};
