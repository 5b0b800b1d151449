import { accept, type Decider, type Decision, refuse } from '../decider.ts';
import type { CustomerCommand, LicenseCommand, UserCommand } from './commands.ts';
import { decideLicense, type LicenseRefusal, register } from './decideLicense.ts';
import { decideUsers, type UserRefusal } from './decideUsers.ts';
import type { CustomerEvent } from './events.ts';
import { evolve } from './evolve.ts';
import type { Customer, CustomerState } from './state.ts';

/** Why a command to a customer, its users or their machines is refused. */
export type CustomerRefusal = 'customer_not_found' | 'customer_deleted' | LicenseRefusal | UserRefusal;

const USER_COMMANDS = {
  RegisterUser: true,
  SignInUser: true,
  ChangeUserDetails: true,
  ChangeUserRole: true,
  ExpectUser: true,
  RequestMachineApproval: true,
  ApproveMachine: true,
  RejectMachine: true,
  RenameMachine: true,
  RemoveMachine: true,
  AuthorizeMachine: true,
  IssueOfflineLicense: true,
  ActivateUser: true,
  DeactivateUser: true,
  ReleaseIdleSeat: true,
  SuspendUser: true,
  RemoveUser: true,
} satisfies Record<UserCommand['type'], true>;

const isAboutUser = (command: LicenseCommand | UserCommand): command is UserCommand => command.type in USER_COMMANDS;

/** A service integrator whose customer moved to another one while the request was under way. */
const isOfOther = ({ meta: { actor } }: CustomerCommand, { integratorId }: Customer): boolean =>
  actor.kind === 'integrator' && actor.id !== integratorId;

const decide = (command: CustomerCommand, state: CustomerState): Decision<CustomerEvent, CustomerRefusal> => {
  if (command.type === 'RegisterCustomer') {
    if (state.status === 'unregistered') return register(command);
    return state.status === 'deleted' ? refuse('customer_deleted') : accept();
  }
  if (command.type === 'AbandonEnrolment') {
    return state.status === 'unregistered' ? accept({ type: 'CustomerDeleted', data: {} }) : accept();
  }
  if (state.status === 'unregistered') return refuse('customer_not_found');
  if (command.type === 'DeleteCustomer') {
    return state.status === 'deleted' ? accept() : accept({ type: 'CustomerDeleted', data: {} });
  }
  if (state.status === 'deleted' || isOfOther(command, state)) return refuse('customer_not_found');
  return isAboutUser(command) ? decideUsers(command, state) : decideLicense(command, state);
};

/** License, seats, users and theme of one customer: one stream, one consistency boundary. */
export const customerDecider: Decider<CustomerCommand, CustomerState, CustomerEvent, CustomerRefusal> = {
  initial: { status: 'unregistered' },
  decide,
  evolve,
};
