import type {
  MachineApprovalRequested,
  MachineApproved,
  MachineRejected,
  MachineRemoved,
  MachineRenamed,
  OfflineLicenseIssued,
  UserMachineChanged,
} from './events.ts';
import { type Customer, isApproved, type User, validOfflineLicenses, validRequests } from './state.ts';

const changing = (customer: Customer, { data: { userId } }: { data: { userId: User['userId'] } }, change: (user: User) => User) => {
  const user = customer.users.get(userId);
  return user ? { ...customer, users: customer.users.set(userId, change(user)) } : customer;
};

/**
 * If approval is enforced, only approved machines sign in. So an unknown machine was written by a version without approvals: its user
 * had one machine, and it stays approved.
 */
export const withLastMachine = (customer: Customer, event: UserMachineChanged): Customer =>
  changing(customer, event, (user) => {
    const { machineId } = event.data;
    if (!customer.machineApprovalEnforced || isApproved(user, machineId)) return { ...user, machineId };
    return { ...user, machineId, machines: [{ machineId, machineName: null, requestId: null }], hasBoundMachine: true };
  });

/** Expired requests are dropped, so that a user's state does not grow. */
export const withRequest = (customer: Customer, event: MachineApprovalRequested): Customer =>
  changing(customer, event, (user) => {
    const { requestId, machineId, machineName, requestedAt, expiresAt } = event.data;
    const request = { requestId, machineId, machineName, isRejected: false, requestedAt, expiresAt };
    return { ...user, machineRequests: [...validRequests(user, requestedAt), request] };
  });

export const withMachine = (customer: Customer, event: MachineApproved): Customer =>
  changing(customer, event, (user) => {
    const { machineId, machineName, requestId } = event.data;
    return {
      ...user,
      machineId: user.machineId ?? machineId,
      machines: [...user.machines.filter((machine) => machine.machineId !== machineId), { machineId, machineName, requestId }],
      machineRequests: user.machineRequests.filter((request) => request.machineId !== machineId),
      hasBoundMachine: true,
    };
  });

export const withMachineName = (customer: Customer, event: MachineRenamed): Customer =>
  changing(customer, event, (user) => {
    const { machineId, machineName } = event.data;
    return {
      ...user,
      machines: user.machines.map((machine) => (machine.machineId === machineId ? { ...machine, machineName } : machine)),
    };
  });

export const withRejection = (customer: Customer, event: MachineRejected): Customer =>
  changing(customer, event, (user) => ({
    ...user,
    machineRequests: user.machineRequests.map((request) =>
      request.requestId === event.data.requestId ? { ...request, isRejected: true } : request,
    ),
  }));

export const withoutMachine = (customer: Customer, event: MachineRemoved): Customer =>
  changing(customer, event, (user) => {
    const machines = user.machines.filter(({ machineId }) => machineId !== event.data.machineId);
    const machineId = user.machineId === event.data.machineId ? (machines.at(-1)?.machineId ?? null) : user.machineId;
    return { ...user, machineId, machines };
  });

/** Expired licenses are dropped, so that a user's state does not grow. */
export const withOfflineLicense = (customer: Customer, event: OfflineLicenseIssued): Customer =>
  changing(customer, event, (user) => {
    const { licenseId, fingerprint, machineName, issuedAt, expiresAt } = event.data;
    const others = validOfflineLicenses(user, issuedAt).filter((license) => license.fingerprint !== fingerprint);
    return { ...user, offlineLicenses: [...others, { licenseId, fingerprint, machineName, issuedAt, expiresAt }] };
  });
