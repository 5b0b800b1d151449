import type { MachineRow } from '../../database/tables/users.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';

type OfUser = RecordedEvent<AnyEvent & { data: { userId: UserId } }, CustomerId>;

/** Replaces an existing row: an approved request, or an expired request that was repeated. */
const put = (
  { subject, event }: OfUser,
  rows: MainRows,
  machine: Omit<MachineRow, 'user_id' | 'customer_id' | 'integrator_id'>,
): void => {
  const customer = rows.customers.get(subject);
  if (!customer) return;
  const { userId } = event.data;
  const before = rows.machines.get(userId, machine.machine_id);
  if (before) rows.machines.change(before, machine);
  else rows.machines.put({ user_id: userId, customer_id: subject, integrator_id: customer.integrator_id, ...machine });
};

const approved = (recorded: OfUser, rows: MainRows, machineId: string, more: Partial<MachineRow> = {}): void =>
  put(recorded, rows, {
    machine_id: machineId,
    machine_name: null,
    state: 'approved',
    request_id: null,
    requested_at: null,
    expires_at: null,
    approved_at: recorded.at,
    ...more,
  });

const approvedOf = (rows: MainRows, userId: UserId): Readonly<MachineRow>[] =>
  rows.machines.by('user_id', userId).filter(({ state }) => state === 'approved');

/** The approved machine of a user that was approved last, without one; null if there is none. */
export const lastApproved = (rows: MainRows, userId: UserId, except: string): string | null =>
  approvedOf(rows, userId)
    .filter(({ machine_id }) => machine_id !== except)
    .toSorted((one, other) => (one.approved_at ?? '').localeCompare(other.approved_at ?? ''))
    .at(-1)?.machine_id ?? null;

/** One row for each machine that may sign in as a user, or asked to. */
export const machines: Projection<MainRows> = {
  name: 'machines',
  version: 2,
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
        const { machineId, machineName } = recorded.event.data;
        if (machineId !== null) approved(recorded, rows, machineId, { machine_name: machineName });
      },
      UserDetailsChanged: 'ignored',
      UserRoleChanged: 'ignored',
      // For an unknown machine, a version without approvals wrote the event; its users had one machine each.
      UserMachineChanged: (recorded, rows) => {
        const { userId, machineId } = recorded.event.data;
        if (!rows.customers.get(recorded.subject)?.machine_approval_enforced) return;
        const known = approvedOf(rows, userId);
        if (known.some(({ machine_id }) => machine_id === machineId)) return;
        for (const machine of known) rows.machines.remove(machine);
        approved(recorded, rows, machineId);
      },
      MachineApprovalRequested: (recorded, rows) => {
        const { userId, requestId, machineId, machineName, requestedAt, expiresAt } = recorded.event.data;
        for (const machine of rows.machines.by('user_id', userId)) {
          if (machine.expires_at !== null && machine.expires_at <= requestedAt) rows.machines.remove(machine);
        }
        put(recorded, rows, {
          machine_id: machineId,
          machine_name: machineName,
          state: 'pending',
          request_id: requestId,
          requested_at: requestedAt,
          expires_at: expiresAt,
          approved_at: null,
        });
      },
      MachineApproved: (recorded, rows) => {
        const { machineId, machineName, requestId } = recorded.event.data;
        approved(recorded, rows, machineId, { machine_name: machineName, request_id: requestId });
      },
      MachineRejected: (recorded, rows) => {
        const { userId, requestId } = recorded.event.data;
        const rejected = rows.machines.by('user_id', userId).find(({ request_id }) => request_id === requestId);
        rows.machines.change(rejected, { state: 'rejected' });
      },
      MachineRenamed: (recorded, rows) => {
        const { userId, machineId, machineName } = recorded.event.data;
        rows.machines.change(rows.machines.get(userId, machineId), { machine_name: machineName });
      },
      MachineRemoved: (recorded, rows) => {
        const { userId, machineId } = recorded.event.data;
        const removed = rows.machines.get(userId, machineId);
        if (removed) rows.machines.remove(removed);
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
      UserActivated: 'ignored',
      UserDeactivated: 'ignored',
      UserSuspended: 'ignored',
      UserRemoved: ({ event }, rows) => {
        for (const machine of rows.machines.by('user_id', event.data.userId)) rows.machines.remove(machine);
      },
      SeatClaimed: 'ignored',
      SeatReleased: 'ignored',
      PasswordChanged: 'ignored',
      PasswordReset: 'ignored',
      AccountDeletionRequested: 'ignored',
      AccountDeletionWithdrawn: 'ignored',
      CustomerMovedAway: 'ignored',
      CustomerMoved: ({ subject, event }, rows) => {
        for (const machine of rows.machines.by('customer_id', subject))
          rows.machines.change(machine, { integrator_id: event.data.integratorId });
      },
      CustomerDeleted: (recorded, rows) => {
        for (const machine of rows.machines.by('customer_id', recorded.subject)) rows.machines.remove(machine);
      },
    },
    userActivity: 'ignored',
    integrator: 'ignored',
    themes: 'ignored',
    credential: 'ignored',
    apiCalls: 'ignored',
    adminActivity: 'ignored',
    operations: 'ignored',
    plans: 'ignored',
    seatDenials: 'ignored',
    seatLeases: 'ignored',
    signIns: 'ignored',
    team: 'ignored',
  },
};
