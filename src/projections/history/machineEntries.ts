import { shownMachineId } from '../../contracts/machines.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { CustomerId } from '../../domain/ids.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';
import { ofCustomer, record, usernameOf } from './entries.ts';

type CustomerHandlers = Exclude<Projection<MainRows>['on']['customer'], 'ignored'>;

/** A machine id as entries show it. */
export const shownOrNull = (machineId: string | null): string | null => (machineId === null ? null : shownMachineId(machineId));

/** An entry about a machine. It never contains the whole machine id, which authenticates the machine. */
const ofMachine = (
  recorded: RecordedEvent<
    AnyEvent & { type: 'MachineApprovalRequested' | 'MachineApproved' | 'MachineRenamed' | 'MachineRemoved' },
    CustomerId
  >,
  rows: MainRows,
): void => {
  const { userId, machineId } = recorded.event.data;
  const machineName = 'machineName' in recorded.event.data ? recorded.event.data.machineName : null;
  record(recorded, rows, {
    customerId: recorded.subject,
    now: { username: usernameOf(rows, userId), machineId: shownMachineId(machineId), machineName },
  });
};

/** Entries for the machines of a customer's users. */
export const machineEntries: Pick<
  CustomerHandlers,
  | 'UserMachineChanged'
  | 'MachineApprovalRequested'
  | 'MachineApproved'
  | 'MachineRejected'
  | 'MachineRenamed'
  | 'MachineRemoved'
  | 'OfflineLicenseIssued'
  | 'MachineApprovalEnforced'
  | 'MachineApprovalRelaxed'
  | 'MachineLimitSet'
> = {
  UserMachineChanged: (recorded, rows) => {
    const { userId, machineId } = recorded.event.data;
    const user = rows.users.get(userId);
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { username: user?.username ?? null, machineId: shownMachineId(machineId) },
      before: { machineId: shownOrNull(user?.machine_id ?? null) },
    });
  },
  MachineApprovalRequested: ofMachine,
  MachineApproved: ofMachine,
  MachineRejected: (recorded, rows) =>
    record(recorded, rows, { customerId: recorded.subject, now: { username: usernameOf(rows, recorded.event.data.userId) } }),
  MachineRenamed: ofMachine,
  MachineRemoved: ofMachine,
  OfflineLicenseIssued: (recorded, rows) => {
    const { userId, fingerprint, machineName, expiresAt } = recorded.event.data;
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { username: usernameOf(rows, userId), fingerprint, machineName, expiresAt },
    });
  },
  MachineApprovalEnforced: ofCustomer,
  MachineApprovalRelaxed: ofCustomer,
  MachineLimitSet: (recorded, rows) =>
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { machineLimit: recorded.event.data.limit },
      before: { machineLimit: rows.customers.get(recorded.subject)?.machine_limit ?? null },
    }),
};
