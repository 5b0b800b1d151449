import type {
  AllocateSeats,
  ChangeCustomerDetails,
  ChangeUserDetails,
  RegisterCustomer,
  RegisterUser,
  SignInUser,
  ThemeChoice,
} from '../../../src/domain/customer/commands.ts';
import type { UserRole } from '../../../src/domain/customer/events.ts';
import { commandOf } from './command.ts';
import { customerIdOf, integratorIdOf, userIdOf } from './ids.ts';

const customerId = customerIdOf();

export const registerCustomer = (overrides: Partial<RegisterCustomer['data']> = {}) =>
  commandOf('RegisterCustomer', {
    customerId,
    integratorId: integratorIdOf(),
    name: 'Acme',
    contactEmail: 'ops@acme.example',
    company: 'Acme Inc.',
    licenseKey: 'LK-ENT-AAAA-BBBBB',
    developerSeats: 10,
    stakeholderSeats: 5,
    seatLimitsEnforced: true,
    theme: null,
    ...overrides,
  });
export const abandonEnrolment = (id = customerId) => commandOf('AbandonEnrolment', { customerId: id });
export const changeCustomerDetails = (change: Omit<ChangeCustomerDetails['data'], 'customerId'>) =>
  commandOf('ChangeCustomerDetails', { customerId, ...change });
export const allocateSeats = (seats: Omit<AllocateSeats['data'], 'customerId'>) =>
  commandOf('AllocateSeats', { customerId, ...seats });
export const enforceSeatLimits = () => commandOf('EnforceSeatLimits', { customerId });
export const relaxSeatLimits = () => commandOf('RelaxSeatLimits', { customerId });
export const suspendCustomer = (reason: string | null = null) => commandOf('SuspendCustomer', { customerId, reason });
export const reactivateCustomer = (reason: string | null = null) => commandOf('ReactivateCustomer', { customerId, reason });
export const churnCustomer = (reason: string | null = null) => commandOf('ChurnCustomer', { customerId, reason });
export const assignTheme = (theme: string, source: ThemeChoice['source'] = 'explicit') =>
  commandOf('AssignTheme', { customerId, theme, source });
export const unassignTheme = () => commandOf('UnassignTheme', { customerId });
export const fallBackFromTheme = (from: string, to: string | null) => commandOf('FallBackFromTheme', { customerId, from, to });
export const rotateLicenseKey = (licenseKey: string) => commandOf('RotateLicenseKey', { customerId, licenseKey });
export const changePassword = (passwordHash: string, verifiedAgainst: string | null = null) =>
  commandOf('ChangePassword', { customerId, passwordHash, verifiedAgainst });
export const requestAccountDeletion = () => commandOf('RequestAccountDeletion', { customerId });
export const withdrawAccountDeletion = () => commandOf('WithdrawAccountDeletion', { customerId });
export const deleteCustomer = (id = customerId) => commandOf('DeleteCustomer', { customerId: id });
export const registerUser = (user = 'ada', overrides: Partial<RegisterUser['data']> = {}) =>
  commandOf('RegisterUser', {
    customerId,
    userId: userIdOf(user),
    username: user,
    email: `${user}@acme.example`,
    role: 'developer' as UserRole,
    machineId: null,
    ...overrides,
  });
export const signInUser = (user = 'ada', overrides: Partial<SignInUser['data']> = {}) =>
  commandOf('SignInUser', {
    customerId,
    userId: userIdOf(user),
    username: user,
    email: `${user}@acme.example`,
    machineId: 'machine-1',
    ...overrides,
  });
export const changeUserDetails = (user: string, change: Omit<ChangeUserDetails['data'], 'customerId' | 'userId'>) =>
  commandOf('ChangeUserDetails', { customerId, userId: userIdOf(user), ...change });
export const changeUserRole = (user: string, role: UserRole) =>
  commandOf('ChangeUserRole', { customerId, userId: userIdOf(user), role });
export const changeUserMachine = (user: string, machineId: string) =>
  commandOf('ChangeUserMachine', { customerId, userId: userIdOf(user), machineId });
export const activateUser = (user = 'ada') => commandOf('ActivateUser', { customerId, userId: userIdOf(user) });
export const deactivateUser = (user = 'ada') => commandOf('DeactivateUser', { customerId, userId: userIdOf(user) });
export const suspendUser = (user = 'ada') => commandOf('SuspendUser', { customerId, userId: userIdOf(user) });
