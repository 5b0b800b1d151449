import type { UserRow } from '../../database/tables/users.ts';
import { ERASED } from '../../domain/event.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { UserId } from '../../domain/ids.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import { searchTextOf, sortNameOf } from '../lists/search.ts';
import { lastApproved } from '../machines/projection.ts';
import type { MainRows } from '../main/rows.ts';
import { EVERYTHING } from '../scope.ts';
import { eraseUserAddresses } from '../signIns/projection.ts';

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
  (recorded: RecordedEvent<AnyEvent & { data: { userId: UserId } }>, rows: MainRows): void => {
    const user = rows.users.get(recorded.event.data.userId);
    if (!user) return;
    count(rows, user, user.status, -1);
    count(rows, user, status, 1);
    rows.users.change(user, { status });
  };

/** One row a user of a customer. Whether one is connected is not an event's to say: see `presence.ts`. */
export const users: Projection<MainRows> = {
  name: 'users',
  version: 3,
  on: {
    customer: {
      CustomerRegistered: 'ignored',
      LicenseIssued: 'ignored',
      LicenseKeyRotated: 'ignored',
      LicensePlanApplied: 'ignored',
      LicensePlanRemoved: 'ignored',
      CustomerRecordsChanged: 'ignored',
      LicenseTermSet: 'ignored',
      LicenseEntitlementsSet: 'ignored',
      LicenseTermRemoved: 'ignored',
      LicenseRenewed: 'ignored',
      LicenseExtended: 'ignored',
      LicenseExpiryAnnounced: 'ignored',
      LicenseEnteredGrace: 'ignored',
      LicenseExpired: 'ignored',
      SeatsAllocated: 'ignored',
      SeatLimitsEnforced: 'ignored',
      SeatLimitsRelaxed: 'ignored',
      CustomerDetailsChanged: 'ignored',
      CustomerSuspended: 'ignored',
      CustomerReactivated: 'ignored',
      CustomerChurned: 'ignored',
      ThemeAssigned: 'ignored',
      ThemeUnassigned: 'ignored',
      UserRegistered: (recorded, rows) => {
        const { userId, username, email, role, machineId } = recorded.event.data;
        const customer = rows.customers.get(recorded.subject);
        if (!customer) throw new Error('The customer of this user is unknown');
        const user: UserRow = {
          user_id: userId,
          customer_id: recorded.subject,
          integrator_id: customer.integrator_id,
          ...named(username, email),
          role,
          status: 'active',
          machine_id: machineId,
          last_login: null,
          created_at: recorded.at,
          seat: null,
          seat_since: null,
          leased_seat: null,
          leased_at: null,
          leased_until: null,
        };
        rows.users.put(user);
        count(rows, user, user.status, 1);
      },
      UserDetailsChanged: (recorded, rows) => {
        const { userId, username, email } = recorded.event.data;
        rows.users.change(rows.users.get(userId), named(username, email));
      },
      UserRoleChanged: (recorded, rows) => {
        const { userId, role } = recorded.event.data;
        rows.users.change(rows.users.get(userId), { role });
      },
      UserMachineChanged: (recorded, rows) => {
        const { userId, machineId } = recorded.event.data;
        rows.users.change(rows.users.get(userId), { machine_id: machineId });
      },
      MachineApprovalRequested: 'ignored',
      MachineApproved: (recorded, rows) => {
        const { userId, machineId } = recorded.event.data;
        const user = rows.users.get(userId);
        if (user?.machine_id === null) rows.users.change(user, { machine_id: machineId });
      },
      MachineRejected: 'ignored',
      MachineRenamed: 'ignored',
      MachineRemoved: (recorded, rows) => {
        const { userId, machineId } = recorded.event.data;
        const user = rows.users.get(userId);
        // Erased machine ids are all equal, so the removed one is unknown.
        if (user?.machine_id === machineId && machineId !== ERASED)
          rows.users.change(user, { machine_id: lastApproved(rows, userId, machineId) });
      },
      OfflineLicenseIssued: 'ignored',
      MachineApprovalEnforced: 'ignored',
      MachineApprovalRelaxed: 'ignored',
      MachineLimitSet: 'ignored',
      CallQuotaSet: 'ignored',
      CallQuotaReached: 'ignored',
      CallQuotaUseLowered: 'ignored',
      ApiCallsVoided: 'ignored',
      IdleReleaseSet: 'ignored',
      FloatingSeatsSet: 'ignored',
      UserActivated: became('active'),
      UserDeactivated: became('inactive'),
      UserSuspended: became('suspended'),
      UserRemoved: ({ event }, rows) => {
        const { userId } = event.data;
        const user = rows.users.get(userId);
        if (!user) return;
        count(rows, user, user.status, -1);
        rows.users.remove(user);
        eraseUserAddresses(userId, rows);
      },
      SeatClaimed: ({ event: { data }, at }, rows) => {
        rows.users.change(rows.users.get(data.userId), { seat: data.kind, seat_since: at });
      },
      SeatReleased: ({ event: { data } }, rows) => {
        rows.users.change(rows.users.get(data.userId), { seat: null, seat_since: null });
      },
      PasswordChanged: 'ignored',
      PasswordReset: 'ignored',
      AccountDeletionRequested: 'ignored',
      AccountDeletionWithdrawn: 'ignored',
      CustomerMovedAway: 'ignored',
      CustomerMoved: ({ subject, event }, rows) => {
        for (const user of rows.users.by('customer_id', subject)) {
          count(rows, user, user.status, -1);
          rows.users.change(user, { integrator_id: event.data.integratorId });
          count(rows, user, user.status, 1);
        }
      },
      CustomerDeleted: (recorded, rows) => {
        for (const user of rows.users.by('customer_id', recorded.subject)) {
          count(rows, user, user.status, -1);
          rows.users.remove(user);
        }
      },
    },
    userActivity: {
      UserAuthenticated: (recorded, rows) => {
        const user = rows.users.get(recorded.event.data.userId);
        if (user && (user.last_login === null || recorded.at > user.last_login))
          rows.users.change(user, { last_login: recorded.at });
      },
      UserConnected: 'ignored',
      UserDisconnected: 'ignored',
    },
    integrator: 'ignored',
    themes: 'ignored',
    credential: 'ignored',
    apiCalls: 'ignored',
    adminActivity: 'ignored',
    operations: 'ignored',
    plans: 'ignored',
    seatDenials: 'ignored',
    seatLeases: {
      SeatLeased: ({ event: { data }, at }, rows) => {
        rows.users.change(rows.users.get(data.userId), { leased_seat: data.kind, leased_at: at });
      },
      SeatHeldOffline: ({ event: { data } }, rows) => {
        rows.users.change(rows.users.get(data.userId), { leased_until: data.until });
      },
      SeatLeaseEnded: ({ event: { data } }, rows) => {
        rows.users.change(rows.users.get(data.userId), { leased_seat: null, leased_at: null, leased_until: null });
      },
    },
    signIns: 'ignored',
    team: 'ignored',
  },
};
