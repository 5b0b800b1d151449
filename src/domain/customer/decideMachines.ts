import { accept, type Decision, refuse } from '../decider.ts';
import { MACHINE_REQUEST_MS, MAX_MACHINE_REQUESTS } from '../limits.ts';
import type { ApproveMachine, MachineCommand, RejectMachine, RenameMachine, RequestMachineApproval } from './commands.ts';
import type { MachineApprovalRequested, MachineApproved, MachineRejected, MachineRemoved, MachineRenamed } from './events.ts';
import { type Customer, isApproved, isMachineLimitReached, maySignInOn, type User, validRequests } from './state.ts';

export type MachineRefusal =
  | 'machine_rejected'
  | 'machine_not_approved'
  | 'machine_not_found'
  | 'machine_request_not_found'
  | 'machine_requests_exhausted'
  | 'machine_limit_reached';

type MachineEvent = MachineApprovalRequested | MachineApproved | MachineRejected | MachineRenamed | MachineRemoved;
type Decided<E extends MachineEvent = MachineEvent> = Decision<E, MachineRefusal>;

/** One event per machine and day: a repeated attempt finds the pending request. */
const request = ({ data, meta }: RequestMachineApproval, customer: Customer, user: User): Decided<MachineApprovalRequested> => {
  const { userId, requestId, machineId, machineName } = data;
  if (maySignInOn(customer, user, machineId)) return accept();
  const valid = validRequests(user, meta.at);
  const known = valid.find((request) => request.machineId === machineId);
  if (known) return known.isRejected ? refuse('machine_rejected') : accept();
  if (valid.length >= MAX_MACHINE_REQUESTS) return refuse('machine_requests_exhausted');
  const expiresAt = new Date(Date.parse(meta.at) + MACHINE_REQUEST_MS).toISOString();
  return accept({
    type: 'MachineApprovalRequested',
    data: { userId, requestId, machineId, machineName, requestedAt: meta.at, expiresAt },
  });
};

/** Only an approved machine of the user may decide. */
const mayDecide = ({ data }: Exclude<MachineCommand, RequestMachineApproval>, user: User): boolean =>
  data.approvingMachineId === null || isApproved(user, data.approvingMachineId);

/** Approving an approved request is a no-op, so clients may retry blindly. */
const approve = ({ data, meta }: ApproveMachine, customer: Customer, user: User): Decided<MachineApproved> => {
  if (user.machines.some(({ requestId }) => requestId === data.requestId)) return accept();
  const found = validRequests(user, meta.at).find(({ requestId }) => requestId === data.requestId);
  if (!found || found.isRejected) return refuse('machine_request_not_found');
  if (isMachineLimitReached(customer, user)) return refuse('machine_limit_reached');
  const { machineId, machineName, requestId } = found;
  return accept({ type: 'MachineApproved', data: { userId: user.userId, machineId, machineName, requestId } });
};

const reject = ({ data, meta }: RejectMachine, user: User): Decided<MachineRejected> => {
  const found = validRequests(user, meta.at).find(({ requestId }) => requestId === data.requestId);
  if (!found) return refuse('machine_request_not_found');
  if (found.isRejected) return accept();
  return accept({ type: 'MachineRejected', data: { userId: user.userId, requestId: found.requestId } });
};

const rename = ({ data }: RenameMachine, user: User): Decided<MachineRenamed> => {
  const { machineId, machineName } = data;
  const machine = user.machines.find((known) => known.machineId === machineId);
  if (!machine) return refuse('machine_not_found');
  if (machine.machineName === machineName) return accept();
  return accept({ type: 'MachineRenamed', data: { userId: user.userId, machineId, machineName } });
};

export const decideMachines = (command: MachineCommand, customer: Customer, user: User): Decided => {
  if (command.type === 'RequestMachineApproval') return request(command, customer, user);
  if (!mayDecide(command, user)) return refuse('machine_not_approved');
  switch (command.type) {
    case 'ApproveMachine':
      return approve(command, customer, user);
    case 'RejectMachine':
      return reject(command, user);
    case 'RenameMachine':
      return rename(command, user);
    case 'RemoveMachine':
      if (!isApproved(user, command.data.machineId)) return refuse('machine_not_found');
      return accept({ type: 'MachineRemoved', data: { userId: user.userId, machineId: command.data.machineId } });
  }
};
