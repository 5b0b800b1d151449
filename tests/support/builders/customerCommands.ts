import type {
  AllocateSeats,
  ChangeCustomerDetails,
  ChangeUserDetails,
  ExpectUser,
  MoveCustomer,
  RegisterCustomer,
  RegisterUser,
  SignInUser,
  VoidApiCalls,
} from '../../../src/domain/customer/commands.ts';
import type { CustomerRecords } from '../../../src/domain/customer/records.ts';
import type { ThemeChoice } from '../../../src/domain/customer/state.ts';
import type { SeatKind, UserRole, UserStatus } from '../../../src/domain/enumerations.ts';
import type { EventMeta } from '../../../src/domain/event.ts';
import type { OfflineLicenseId } from '../../../src/domain/ids.ts';
import type { CallQuota } from '../../../src/domain/license/callQuota.ts';
import type { Entitlements } from '../../../src/domain/license/entitlements.ts';
import type { Term } from '../../../src/domain/license/term.ts';
import type { PlanCopy } from '../../../src/domain/plan/events.ts';
import { commandOf, metaOf } from './command.ts';
import { TERM } from './customer.ts';
import { callVoidIdOf, customerIdOf, integratorIdOf, machineRequestIdOf, offlineLicenseIdOf, userIdOf } from './ids.ts';

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
export const moveCustomer = (overrides: Partial<MoveCustomer['data']> = {}) =>
  commandOf('MoveCustomer', {
    ...{ customerId, integratorId: integratorIdOf('reseller'), move: 1, records: 'keep' },
    ...{ externalId: null, defaultThemeId: null },
    ...overrides,
  });
export const moveToPlan = (plan: PlanCopy | null, term: 'keep' | 'start' = 'keep') =>
  commandOf('MoveToPlan', { customerId, plan, term });
export const applyPlan = (plan: PlanCopy) => commandOf('ApplyPlan', { customerId, plan });
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
export const setLicenseEntitlements = (entitlements: Entitlements) =>
  commandOf('SetLicenseEntitlements', { customerId, entitlements });
export const setCallQuota = (quota: CallQuota | null) => commandOf('SetCallQuota', { customerId, quota });
export const announceCallQuota = (used: number, month = '2026-01', countedVoids = 0) =>
  commandOf('AnnounceCallQuota', { customerId, month, used, countedVoids });
export const setLicenseTerm = (term: Partial<Term>, at: string) => ({
  ...commandOf('SetLicenseTerm', { customerId, ...TERM, ...term }),
  meta: metaOf({ at }),
});
export const removeLicenseTerm = () => commandOf('RemoveLicenseTerm', { customerId });
export const renewLicense = (months: number, at: string) => ({
  ...commandOf('RenewLicense', { customerId, months }),
  meta: metaOf({ at }),
});
export const extendLicense = (days: number, at: string) => ({
  ...commandOf('ExtendLicense', { customerId, days }),
  meta: metaOf({ at }),
});
export const advanceLicenseTerm = (at: string, id = customerId) => ({
  ...commandOf('AdvanceLicenseTerm', { customerId: id }),
  meta: metaOf({ at }),
});
export const changeCustomerRecords = (change: Partial<CustomerRecords>) =>
  commandOf('ChangeCustomerRecords', { customerId, ...change });
export const changePassword = (passwordHash: string, verifiedAgainst: string | null = null) =>
  commandOf('ChangePassword', { customerId, passwordHash, verifiedAgainst });
export const resetPassword = () => commandOf('ResetPassword', { customerId });
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
export const expectUser = (user: string, seen: Partial<Omit<ExpectUser['data'], 'customerId' | 'userId'>> = {}) =>
  commandOf('ExpectUser', {
    customerId,
    userId: userIdOf(user),
    username: user,
    email: `${user}@acme.example`,
    role: 'developer' as UserRole,
    status: 'active' as UserStatus,
    ...seen,
  });
export const requestMachineApproval = (user = 'ada', machineId = 'machine-2', meta: Partial<EventMeta> = {}) =>
  commandOf(
    'RequestMachineApproval',
    { customerId, userId: userIdOf(user), requestId: machineRequestIdOf(machineId), machineId, machineName: 'laptop' },
    meta,
  );
export const authorizeMachine = (machineId = 'machine-2', user = 'ada') =>
  commandOf('AuthorizeMachine', { customerId, userId: userIdOf(user), machineId, machineName: 'laptop' });
export const issueOfflineLicense = (
  overrides: { fingerprint?: string; licenseId?: OfflineLicenseId; user?: string } = {},
  meta: Partial<EventMeta> = {},
) => {
  const { user = 'ada', fingerprint = '0123456789abcdef0123456789abcdef', licenseId = offlineLicenseIdOf() } = overrides;
  return commandOf(
    'IssueOfflineLicense',
    { customerId, userId: userIdOf(user), licenseId, fingerprint, machineName: 'laptop' },
    meta,
  );
};
export const approveMachine = (
  machineId = 'machine-2',
  approvingMachineId: string | null = null,
  { user = 'ada', ...meta }: Partial<EventMeta> & { user?: string } = {},
) =>
  commandOf(
    'ApproveMachine',
    { customerId, userId: userIdOf(user), requestId: machineRequestIdOf(machineId), approvingMachineId },
    meta,
  );
export const rejectMachine = (machineId = 'machine-2', approvingMachineId: string | null = null, meta: Partial<EventMeta> = {}) =>
  commandOf(
    'RejectMachine',
    { customerId, userId: userIdOf(), requestId: machineRequestIdOf(machineId), approvingMachineId },
    meta,
  );
export const removeMachine = (machineId = 'machine-2', approvingMachineId: string | null = null) =>
  commandOf('RemoveMachine', { customerId, userId: userIdOf(), machineId, approvingMachineId });
export const renameMachine = (machineName = 'Build server', machineId = 'machine-2', approvingMachineId: string | null = null) =>
  commandOf('RenameMachine', { customerId, userId: userIdOf(), machineId, machineName, approvingMachineId });
/** All calls of a source, unless a range is given. */
export const voidApiCalls = (overrides: Partial<VoidApiCalls['data']> = {}) =>
  commandOf('VoidApiCalls', {
    customerId,
    voidId: callVoidIdOf(),
    sourceId: 'laptop',
    firstSequence: null,
    lastSequence: null,
    from: null,
    until: null,
    reason: 'Sent twice',
    isRecorded: true,
    ...overrides,
  });
export const setIdleRelease = (days: number | null = 30) => commandOf('SetIdleRelease', { customerId, days });
export const releaseIdleSeat = (user = 'ada', days = 30) =>
  commandOf('ReleaseIdleSeat', { customerId, userId: userIdOf(user), days });
export const setFloatingSeats = (minutes: number | null = 15, kind: SeatKind = 'developer') =>
  commandOf('SetFloatingSeats', { customerId, kind, minutes });
export const setMachineLimit = (limit: number | null = 2) => commandOf('SetMachineLimit', { customerId, limit });
export const enforceMachineApproval = () => commandOf('EnforceMachineApproval', { customerId });
export const relaxMachineApproval = () => commandOf('RelaxMachineApproval', { customerId });
export const activateUser = (user = 'ada', reason: string | null = null) =>
  commandOf('ActivateUser', { customerId, userId: userIdOf(user), reason });
export const deactivateUser = (user = 'ada', reason: string | null = null) =>
  commandOf('DeactivateUser', { customerId, userId: userIdOf(user), reason });
export const suspendUser = (user = 'ada', reason: string | null = null) =>
  commandOf('SuspendUser', { customerId, userId: userIdOf(user), reason });
export const removeUser = (user = 'ada') => commandOf('RemoveUser', { customerId, userId: userIdOf(user) });
