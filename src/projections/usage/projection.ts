import type { Projection } from '../engine/projection.ts';
import type { UsageRows } from './rows.ts';

/** API calls, each counted once: by hour and day for the usage screens, in all for the totals, by arrival for the live charts. */
export const usage: Projection<UsageRows> = {
  name: 'usage',
  version: 7,
  on: {
    apiCalls: {
      ApiCallsRecorded: (recorded, rows) => {
        const { data } = recorded.event;
        if (!rows.isDeleted(data.customerId)) rows.record(data, recorded.at, recorded);
      },
    },
    customer: {
      CustomerRegistered: (recorded, rows) => rows.register(recorded.subject, recorded.event.data.integratorId),
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
      UserRegistered: 'ignored',
      UserDetailsChanged: 'ignored',
      UserRoleChanged: 'ignored',
      UserMachineChanged: 'ignored',
      MachineApprovalRequested: 'ignored',
      MachineApproved: 'ignored',
      MachineRejected: 'ignored',
      MachineRemoved: 'ignored',
      MachineApprovalEnforced: 'ignored',
      MachineApprovalRelaxed: 'ignored',
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
      CustomerDeleted: (recorded, rows) => rows.erase(recorded.subject),
    },
    userActivity: 'ignored',
    integrator: 'ignored',
    themes: 'ignored',
    credential: 'ignored',
    adminActivity: 'ignored',
    operations: 'ignored',
    signIns: 'ignored',
    team: 'ignored',
  },
};
