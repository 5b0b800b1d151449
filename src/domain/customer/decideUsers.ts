import { accept, type Decision, refuse } from '../decider.ts';
import type { UserId } from '../ids.ts';
import { hasExpired } from '../license/term.ts';
import { hasHiddenCharacters } from '../username.ts';
import type {
  ActivateUser,
  AuthorizeMachine,
  ChangeUserDetails,
  ChangeUserRole,
  ExpectUser,
  RegisterUser,
  SignInUser,
  UserCommand,
} from './commands.ts';
import { decideMachines, type MachineRefusal } from './decideMachines.ts';
import { decideOfflineLicense, type OfflineLicenseRefusal } from './decideOfflineLicense.ts';
import type {
  CustomerEvent,
  MachineApproved,
  MachineRenamed,
  SeatClaimed,
  SeatReleased,
  SeatReleaseReason,
  UserActivated,
  UserDetailsChanged,
  UserMachineChanged,
  UserRegistered,
  UserRoleChanged,
} from './events.ts';
import {
  type Customer,
  findUser,
  hasFreeSeat,
  isApproved,
  isMachineLimitReached,
  maySignInOn,
  mayUseTool,
  seatKindOf,
  type User,
  userByEmail,
  userByUsername,
} from './state.ts';

export type UserRefusal =
  | 'customer_suspended'
  | 'customer_not_active'
  | 'license_expired'
  | 'user_not_found'
  | 'user_changed'
  | 'user_suspended'
  | 'user_inactive'
  | 'role_not_allowed'
  | 'machine_approval_required'
  | MachineRefusal
  | 'username_taken'
  | 'username_hidden_characters'
  | 'email_taken'
  | OfflineLicenseRefusal
  | 'seat_limit_reached';

type UserEvent = Extract<CustomerEvent, { data: { userId: UserId } }>;
type Decided<E extends UserEvent = UserEvent> = Decision<E, UserRefusal>;

/**
 * Why a username and an email address cannot be used; null if they can. `but` is the user who already has them and may keep them, also
 * a username with hidden characters, which earlier versions accepted.
 */
const refused = (customer: Customer, { username, email }: { username: string; email: string }, but?: User) => {
  if (username !== but?.username.normalize('NFKC') && username !== but?.username && hasHiddenCharacters(username)) {
    return 'username_hidden_characters';
  }
  const byEmail = userByEmail(customer, email);
  if (byEmail && byEmail.userId !== but?.userId) return 'email_taken';
  const byUsername = userByUsername(customer, username);
  if (byUsername && byUsername.userId !== but?.userId) return 'username_taken';
  return null;
};

const admit = (
  { userId, username, email, role, machineId, machineName = null }: RegisterUser['data'],
  customer: Customer,
): Decided<UserRegistered | SeatClaimed> => {
  const conflict = refused(customer, { username, email });
  if (conflict) return refuse(conflict);
  const kind = seatKindOf(role);
  if (!hasFreeSeat(customer, kind)) return refuse('seat_limit_reached');
  return accept(
    { type: 'UserRegistered', data: { userId, username, email, role, machineId, machineName } },
    { type: 'SeatClaimed', data: { userId, kind } },
  );
};

/** Registering the same id again is a no-op, so clients may retry blindly. */
const registerUser = ({ data }: RegisterUser, customer: Customer): Decided<UserRegistered | SeatClaimed> => {
  if (customer.status !== 'active') return refuse('customer_not_active');
  return customer.users.has(data.userId) ? accept() : admit(data, customer);
};

/** Why nobody may use the tool with a license at an instant; null if users may. */
export const licenseRefusalOf = (
  { status, term }: Customer,
  at: string,
): 'customer_suspended' | 'customer_not_active' | 'license_expired' | null => {
  if (status === 'suspended') return 'customer_suspended';
  if (status !== 'active') return 'customer_not_active';
  return hasExpired(term, at) ? 'license_expired' : null;
};

/** Why a user may not use the tool now; null if the user may. */
const toolRefusalOf = ({ status, role }: User): UserRefusal | null => {
  if (status === 'suspended') return 'user_suspended';
  if (status === 'inactive') return 'user_inactive';
  return mayUseTool(role) ? null : 'role_not_allowed';
};

/** A known user keeps the name and address of the console; only the machine changes. */
const signIn = (
  { data, meta }: SignInUser,
  customer: Customer,
): Decided<UserRegistered | SeatClaimed | MachineApproved | MachineRenamed | UserMachineChanged> => {
  const unusable = licenseRefusalOf(customer, meta.at);
  if (unusable) return refuse(unusable);
  const user = findUser(customer, data) ?? customer.users.get(data.userId); // renamed since this very sign-in registered them
  if (!user) return admit({ ...data, role: 'developer' }, customer);
  // Checked first, so that an unapproved machine gets no information about the user.
  if (!maySignInOn(customer, user, data.machineId)) return refuse('machine_approval_required');
  const refusal = toolRefusalOf(user);
  if (refusal) return refuse(refusal);
  const { machineId, machineName = null } = data;
  if (machineId === null) return accept();
  // A limit counts machines, also where none needs approval.
  const isNew = !user.hasBoundMachine || (customer.machineLimit !== null && !isApproved(user, machineId));
  if (isNew && isMachineLimitReached(customer, user)) return refuse('machine_limit_reached');
  return accept(...machineEvents(user, { machineId, machineName }, isNew));
};

/** The events of a sign-in on a machine. A new one is approved; one that an earlier version registered without a name gets its name. */
const machineEvents = (
  { userId, machineId: last, machines }: User,
  { machineId, machineName }: { machineId: string; machineName: string | null },
  isNew: boolean,
): (MachineApproved | MachineRenamed | UserMachineChanged)[] => [
  ...(isNew ? [{ type: 'MachineApproved' as const, data: { userId, machineId, machineName, requestId: null } }] : []),
  ...(machineName !== null && !isNew && machines.some((one) => one.machineId === machineId && one.machineName === null)
    ? [{ type: 'MachineRenamed' as const, data: { userId, machineId, machineName } }]
    : []),
  ...(last === machineId || (isNew && last === null) ? [] : [{ type: 'UserMachineChanged' as const, data: { userId, machineId } }]),
];

/** The user approves the machine, also if another user requested approval for it before. Where none is needed, a full list does not prevent it. */
const authorizeMachine = (
  { data: { machineId, machineName }, meta }: AuthorizeMachine,
  customer: Customer,
  user: User,
): Decided<MachineApproved | MachineRenamed | UserMachineChanged> => {
  const unusable = licenseRefusalOf(customer, meta.at);
  if (unusable) return refuse(unusable);
  const refusal = toolRefusalOf(user);
  if (refusal) return refuse(refusal);
  const isKnown = isApproved(user, machineId);
  const isFull = isMachineLimitReached(customer, user);
  const isLimited = customer.machineApprovalEnforced || customer.machineLimit !== null;
  if (!isKnown && isFull && isLimited) return refuse('machine_limit_reached');
  return accept(...machineEvents(user, { machineId, machineName }, !isKnown && !isFull));
};

const changeDetails = ({ data }: ChangeUserDetails, customer: Customer, user: User): Decided<UserDetailsChanged> => {
  const username = data.username ?? user.username;
  const email = data.email ?? user.email;
  if (username === user.username && email === user.email) return accept();
  const conflict = refused(customer, { username, email }, user);
  if (conflict) return refuse(conflict);
  return accept({ type: 'UserDetailsChanged', data: { userId: user.userId, username, email } });
};

/** An active user's seat moves with the role when the new one needs another kind. */
const changeRole = (
  { data: { userId, role } }: ChangeUserRole,
  customer: Customer,
  user: User,
): Decided<UserRoleChanged | SeatReleased | SeatClaimed> => {
  if (role === user.role) return accept();
  const roleChanged: UserRoleChanged = { type: 'UserRoleChanged', data: { userId, role } };
  const kind = seatKindOf(role);
  if (user.seat === null || user.seat === kind) return accept(roleChanged);
  if (!hasFreeSeat(customer, kind)) return refuse('seat_limit_reached');
  return accept<UserRoleChanged | SeatReleased | SeatClaimed>(
    roleChanged,
    { type: 'SeatReleased', data: { userId, kind: user.seat, reason: 'role_changed' } },
    { type: 'SeatClaimed', data: { userId, kind } },
  );
};

/** Activating an active user is a no-op, so clients may retry blindly. */
const activate = ({ data }: ActivateUser, customer: Customer, user: User): Decided<UserActivated | SeatClaimed> => {
  if (user.status === 'active') return accept();
  if (customer.status !== 'active') return refuse('customer_not_active');
  const kind = seatKindOf(user.role);
  if (!hasFreeSeat(customer, kind)) return refuse('seat_limit_reached');
  return accept(
    { type: 'UserActivated', data: { userId: user.userId, reason: data.reason } },
    { type: 'SeatClaimed', data: { userId: user.userId, kind } },
  );
};

const seatReleased = ({ userId, seat }: User, reason: SeatReleaseReason): SeatReleased[] =>
  seat ? [{ type: 'SeatReleased', data: { userId, kind: seat, reason } }] : [];

const isAsSeen = ({ username, email, role, status }: User, { data: seen }: ExpectUser): boolean =>
  username === seen.username && email === seen.email && role === seen.role && status === seen.status;

const decideKnown = (command: Exclude<UserCommand, RegisterUser | SignInUser>, customer: Customer, user: User): Decided => {
  switch (command.type) {
    case 'ChangeUserDetails':
      return changeDetails(command, customer, user);
    case 'ChangeUserRole':
      return changeRole(command, customer, user);
    case 'ExpectUser':
      return isAsSeen(user, command) ? accept() : refuse('user_changed');
    case 'RequestMachineApproval':
    case 'ApproveMachine':
    case 'RejectMachine':
    case 'RenameMachine':
    case 'RemoveMachine':
      return decideMachines(command, customer, user);
    case 'AuthorizeMachine':
      return authorizeMachine(command, customer, user);
    case 'IssueOfflineLicense': {
      const refusal = licenseRefusalOf(customer, command.meta.at) ?? toolRefusalOf(user);
      return refusal ? refuse(refusal) : decideOfflineLicense(command, customer, user);
    }
    case 'ActivateUser':
      return activate(command, customer, user);
    case 'DeactivateUser':
      if (user.status === 'inactive') return accept();
      return accept<UserEvent>(
        { type: 'UserDeactivated', data: { userId: user.userId, reason: command.data.reason } },
        ...seatReleased(user, 'deactivated'),
      );
    case 'ReleaseIdleSeat': {
      const { days } = command.data;
      if (user.status !== 'active' || customer.idleReleaseDays !== days) return accept();
      const reason = `Seat released automatically after ${days} idle ${days === 1 ? 'day' : 'days'}`;
      return accept<UserEvent>(
        { type: 'UserDeactivated', data: { userId: user.userId, reason } },
        ...seatReleased(user, 'deactivated'),
      );
    }
    case 'SuspendUser':
      if (user.status === 'suspended') return accept();
      return accept<UserEvent>(
        { type: 'UserSuspended', data: { userId: user.userId, reason: command.data.reason } },
        ...seatReleased(user, 'suspended'),
      );
    case 'RemoveUser':
      return accept<UserEvent>(...seatReleased(user, 'removed'), { type: 'UserRemoved', data: { userId: user.userId } });
  }
};

export const decideUsers = (command: UserCommand, customer: Customer): Decided => {
  if (command.type === 'RegisterUser') return registerUser(command, customer);
  if (command.type === 'SignInUser') return signIn(command, customer);
  const user = customer.users.get(command.data.userId);
  return user ? decideKnown(command, customer, user) : refuse('user_not_found');
};
