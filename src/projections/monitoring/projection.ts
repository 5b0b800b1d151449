import type { ConnectionRow } from '../../database/tables/usage.ts';
import type { CustomerId } from '../../domain/ids.ts';
import type { Projection } from '../engine/projection.ts';
import type { UsageRows } from '../usage/rows.ts';

const count = (rows: UsageRows, at: string, customerId: CustomerId, change: 1 | -1): void => {
  rows.arrivals.at(at).connected += change;
  rows.connected.add(at, customerId, change);
};

/** A user counts as connected from the first connection to the end of the last. */
const disconnect = (connection: Readonly<ConnectionRow> | undefined, at: string, rows: UsageRows): void => {
  if (!connection) return;
  rows.connections.remove(connection);
  if (rows.connections.by('user_id', connection.user_id).length === 0) count(rows, at, connection.customer_id, -1);
};

/** The connected users over time, of all and of each customer, for the charts. It reads customers that are not deleted yet, so it precedes the usage. */
export const monitoring: Projection<UsageRows> = {
  name: 'monitoring',
  version: 3,
  on: {
    userActivity: {
      UserAuthenticated: 'ignored',
      UserConnected: (recorded, rows) => {
        const { connectionId, userId, customerId } = recorded.event.data;
        if (rows.isDeleted(customerId) || rows.connections.get(connectionId)) return;
        if (rows.connections.by('user_id', userId).length === 0) count(rows, recorded.at, customerId, 1);
        rows.connections.put({ connection_id: connectionId, user_id: userId, customer_id: customerId });
      },
      UserDisconnected: (recorded, rows) => disconnect(rows.connections.get(recorded.event.data.connectionId), recorded.at, rows),
    },
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
      UserRegistered: 'ignored',
      UserDetailsChanged: 'ignored',
      UserRoleChanged: 'ignored',
      UserMachineChanged: 'ignored',
      MachineApprovalRequested: 'ignored',
      MachineApproved: 'ignored',
      MachineRejected: 'ignored',
      MachineRenamed: 'ignored',
      MachineRemoved: 'ignored',
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
      UserActivated: 'ignored',
      UserDeactivated: 'ignored',
      UserSuspended: 'ignored',
      UserRemoved: 'ignored',
      SeatClaimed: 'ignored',
      SeatReleased: 'ignored',
      PasswordChanged: 'ignored',
      PasswordReset: 'ignored',
      AccountDeletionRequested: 'ignored',
      AccountDeletionWithdrawn: 'ignored',
      CustomerMovedAway: 'ignored',
      CustomerMoved: 'ignored',
      CustomerDeleted: (recorded, rows) => {
        for (const connection of rows.connections.by('customer_id', recorded.subject)) disconnect(connection, recorded.at, rows);
      },
    },
    apiCalls: 'ignored', // counted with the usage, in one pass over the calls
    integrator: 'ignored',
    themes: 'ignored',
    credential: 'ignored',
    adminActivity: 'ignored',
    operations: 'ignored',
    plans: 'ignored',
    seatDenials: 'ignored',
    seatLeases: 'ignored',
    signIns: 'ignored',
    team: 'ignored',
  },
};
