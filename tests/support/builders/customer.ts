import type {
  AccountDeletionRequested,
  AccountDeletionWithdrawn,
  ApiCallsVoided,
  CallQuotaReached,
  CallQuotaSet,
  CallQuotaUseLowered,
  CustomerChurned,
  CustomerDeleted,
  CustomerDetailsChanged,
  CustomerMoved,
  CustomerMovedAway,
  CustomerReactivated,
  CustomerRecordsChanged,
  CustomerRegistered,
  CustomerSuspended,
  FloatingSeatsSet,
  IdleReleaseSet,
  LicenseEnteredGrace,
  LicenseEntitlementsSet,
  LicenseExpired,
  LicenseExpiryAnnounced,
  LicenseExtended,
  LicenseIssued,
  LicenseKeyRotated,
  LicenseRenewed,
  LicenseTermRemoved,
  LicenseTermSet,
  MachineApprovalEnforced,
  MachineApprovalRelaxed,
  MachineApprovalRequested,
  MachineApproved,
  MachineLimitSet,
  MachineRejected,
  MachineRemoved,
  MachineRenamed,
  OfflineLicenseIssued,
  PasswordChanged,
  PasswordReset,
  SeatClaimed,
  SeatLimitsEnforced,
  SeatLimitsRelaxed,
  SeatReleased,
  SeatReleaseReason,
  SeatsAllocated,
  ThemeAssigned,
  ThemeSource,
  ThemeUnassigned,
  UserActivated,
  UserDeactivated,
  UserDetailsChanged,
  UserMachineChanged,
  UserRegistered,
  UserRemoved,
  UserRoleChanged,
  UserSuspended,
} from '../../../src/domain/customer/events.ts';
import type { CustomerState } from '../../../src/domain/customer/state.ts';
import type { SeatKind, UserRole } from '../../../src/domain/enumerations.ts';
import type { CallQuotaKind } from '../../../src/domain/license/callQuota.ts';
import type { Entitlements } from '../../../src/domain/license/entitlements.ts';
import type { Term } from '../../../src/domain/license/term.ts';
import { callVoidIdOf, customerIdOf, integratorIdOf, machineRequestIdOf, offlineLicenseIdOf, userIdOf } from './ids.ts';

export const customerRegistered = (overrides: Partial<CustomerRegistered['data']> = {}): CustomerRegistered => ({
  type: 'CustomerRegistered',
  data: {
    customerId: customerIdOf(),
    integratorId: integratorIdOf(),
    name: 'Acme',
    contactEmail: 'ops@acme.example',
    company: 'Acme Inc.',
    ...overrides,
  },
});
export const licenseIssued = (licenseKey = 'LK-ENT-AAAA-BBBBB'): LicenseIssued => ({
  type: 'LicenseIssued',
  data: { licenseKey, tier: 'ENT' },
});
/** A year without grace. */
export const TERM: Term = {
  startsAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2027-01-01T00:00:00.000Z',
  graceDays: 0,
  isTrial: false,
};
export const licenseTermSet = (overrides: Partial<Term> = {}): LicenseTermSet => ({
  type: 'LicenseTermSet',
  data: { ...TERM, ...overrides },
});
export const customerRecordsChanged = (overrides: Partial<CustomerRecordsChanged['data']> = {}): CustomerRecordsChanged => ({
  type: 'CustomerRecordsChanged',
  data: {
    externalId: 'crm-17',
    tags: ['eu', 'vip'],
    notes: 'Prefers calls',
    customFields: '{"contract":"A-17"}',
    ...overrides,
  },
});
/** Two services, and a feature for a year. */
export const ENTITLEMENTS: NonNullable<Entitlements> = [
  { code: 'azdo', startsAt: null, endsAt: null },
  { code: 'jira', startsAt: null, endsAt: '2026-07-01T00:00:00.000Z' },
  { code: 'reports', startsAt: '2026-01-01T00:00:00.000Z', endsAt: '2026-12-31T23:59:59.999Z' },
];
export const licenseEntitlementsSet = (entitlements: Entitlements = ENTITLEMENTS): LicenseEntitlementsSet => ({
  type: 'LicenseEntitlementsSet',
  data: { entitlements },
});
export const licenseTermRemoved = (): LicenseTermRemoved => ({ type: 'LicenseTermRemoved', data: {} });
export const licenseRenewed = (overrides: Partial<LicenseRenewed['data']> = {}): LicenseRenewed => ({
  type: 'LicenseRenewed',
  data: { startsAt: TERM.startsAt, expiresAt: '2028-01-01T00:00:00.000Z', ...overrides },
});
export const licenseExtended = (expiresAt = '2027-01-15T00:00:00.000Z'): LicenseExtended => ({
  type: 'LicenseExtended',
  data: { expiresAt },
});
export const licenseExpiryAnnounced = (days = 30, expiresAt = TERM.expiresAt): LicenseExpiryAnnounced => ({
  type: 'LicenseExpiryAnnounced',
  data: { expiresAt, days },
});
export const licenseEnteredGrace = (expiresAt = TERM.expiresAt, endsAt = '2027-01-15T00:00:00.000Z'): LicenseEnteredGrace => ({
  type: 'LicenseEnteredGrace',
  data: { expiresAt, endsAt },
});
export const licenseExpired = (expiresAt = TERM.expiresAt, endsAt = expiresAt): LicenseExpired => ({
  type: 'LicenseExpired',
  data: { expiresAt, endsAt },
});
export const seatsAllocated = (overrides: Partial<SeatsAllocated['data']> = {}): SeatsAllocated => ({
  type: 'SeatsAllocated',
  data: { developerSeats: 10, stakeholderSeats: 5, ...overrides },
});
export const seatLimitsEnforced = (): SeatLimitsEnforced => ({ type: 'SeatLimitsEnforced', data: {} });
export const seatLimitsRelaxed = (): SeatLimitsRelaxed => ({ type: 'SeatLimitsRelaxed', data: {} });
export const customerDetailsChanged = (overrides: Partial<CustomerDetailsChanged['data']> = {}): CustomerDetailsChanged => ({
  type: 'CustomerDetailsChanged',
  data: { name: 'Acme', contactEmail: 'ops@acme.example', company: 'Acme Inc.', ...overrides },
});
export const customerSuspended = (reason: string | null = null): CustomerSuspended => ({
  type: 'CustomerSuspended',
  data: { reason },
});
export const customerReactivated = (reason: string | null = null): CustomerReactivated => ({
  type: 'CustomerReactivated',
  data: { reason },
});
export const customerChurned = (reason: string | null = null): CustomerChurned => ({ type: 'CustomerChurned', data: { reason } });
export const themeAssigned = (theme = 'aurora', source: ThemeSource = 'explicit'): ThemeAssigned => ({
  type: 'ThemeAssigned',
  data: { theme, source },
});
export const themeUnassigned = (): ThemeUnassigned => ({ type: 'ThemeUnassigned', data: {} });
export const licenseKeyRotated = (licenseKey = 'LK-ENT-CCCC-DDDDD'): LicenseKeyRotated => ({
  type: 'LicenseKeyRotated',
  data: { licenseKey },
});
export const userRegistered = (user = 'ada', overrides: Partial<UserRegistered['data']> = {}): UserRegistered => ({
  type: 'UserRegistered',
  data: {
    userId: userIdOf(user),
    username: user,
    email: `${user}@acme.example`,
    role: 'developer',
    machineId: null,
    machineName: null,
    ...overrides,
  },
});
export const userDetailsChanged = (
  user = 'ada',
  overrides: Partial<{ username: string; email: string }> = {},
): UserDetailsChanged => ({
  type: 'UserDetailsChanged',
  data: { userId: userIdOf(user), username: user, email: `${user}@acme.example`, ...overrides },
});
export const userRoleChanged = (user: string, role: UserRole): UserRoleChanged => ({
  type: 'UserRoleChanged',
  data: { userId: userIdOf(user), role },
});
export const userMachineChanged = (user: string, machineId: string): UserMachineChanged => ({
  type: 'UserMachineChanged',
  data: { userId: userIdOf(user), machineId },
});
export const machineApprovalRequested = (
  user = 'ada',
  machineId = 'machine-2',
  overrides: Partial<Omit<MachineApprovalRequested['data'], 'userId' | 'machineId'>> = {},
): MachineApprovalRequested => ({
  type: 'MachineApprovalRequested',
  data: {
    userId: userIdOf(user),
    requestId: machineRequestIdOf(machineId),
    machineId,
    machineName: 'laptop',
    requestedAt: '2026-01-31T12:00:00.000Z',
    expiresAt: '2026-02-01T12:00:00.000Z',
    ...overrides,
  },
});
export const machineApproved = (
  user = 'ada',
  machineId = 'machine-2',
  overrides: Partial<Omit<MachineApproved['data'], 'userId' | 'machineId'>> = {},
): MachineApproved => ({
  type: 'MachineApproved',
  data: { userId: userIdOf(user), machineId, machineName: 'laptop', requestId: machineRequestIdOf(machineId), ...overrides },
});
export const machineRejected = (user = 'ada', machineId = 'machine-2'): MachineRejected => ({
  type: 'MachineRejected',
  data: { userId: userIdOf(user), requestId: machineRequestIdOf(machineId) },
});
export const machineRemoved = (user = 'ada', machineId = 'machine-2'): MachineRemoved => ({
  type: 'MachineRemoved',
  data: { userId: userIdOf(user), machineId },
});
/** At the instant of the builders' commands, for 7 days. */
export const offlineLicenseIssued = (
  user = 'ada',
  overrides: Partial<Omit<OfflineLicenseIssued['data'], 'userId'>> = {},
): OfflineLicenseIssued => ({
  type: 'OfflineLicenseIssued',
  data: {
    userId: userIdOf(user),
    licenseId: offlineLicenseIdOf(),
    fingerprint: '0123456789abcdef0123456789abcdef',
    machineName: 'laptop',
    issuedAt: '2026-01-31T12:00:00.000Z',
    expiresAt: '2026-02-07T12:00:00.000Z',
    ...overrides,
  },
});
export const machineRenamed = (user = 'ada', machineId = 'machine-2', machineName = 'Build server'): MachineRenamed => ({
  type: 'MachineRenamed',
  data: { userId: userIdOf(user), machineId, machineName },
});
export const idleReleaseSet = (days: number | null = 30): IdleReleaseSet => ({ type: 'IdleReleaseSet', data: { days } });
export const floatingSeatsSet = (minutes: number | null = 15, kind: SeatKind = 'developer'): FloatingSeatsSet => ({
  type: 'FloatingSeatsSet',
  data: { kind, minutes },
});
export const machineLimitSet = (limit: number | null = 2): MachineLimitSet => ({ type: 'MachineLimitSet', data: { limit } });
export const callQuotaSet = (limit: number | null = 1_000, kind: CallQuotaKind = 'hard'): CallQuotaSet => ({
  type: 'CallQuotaSet',
  data: { quota: limit === null ? null : { limit, kind } },
});
export const callQuotaReached = (
  percent = 90,
  limit = 1_000,
  month = '2026-01',
  kind: CallQuotaKind = 'hard',
): CallQuotaReached => ({
  type: 'CallQuotaReached',
  data: { month, limit, kind, percent },
});
/** After a void. */
export const callQuotaUseLowered = (
  percent = 70,
  limit = 1_000,
  month = '2026-01',
  kind: CallQuotaKind = 'hard',
): CallQuotaUseLowered => ({
  type: 'CallQuotaUseLowered',
  data: { month, limit, kind, percent },
});
export const machineApprovalEnforced = (): MachineApprovalEnforced => ({ type: 'MachineApprovalEnforced', data: {} });
export const machineApprovalRelaxed = (): MachineApprovalRelaxed => ({ type: 'MachineApprovalRelaxed', data: {} });
/** All calls of a source, unless a range is given. */
export const apiCallsVoided = (overrides: Partial<ApiCallsVoided['data']> = {}): ApiCallsVoided => ({
  type: 'ApiCallsVoided',
  data: {
    voidId: callVoidIdOf(),
    sourceId: 'laptop',
    firstSequence: null,
    lastSequence: null,
    from: null,
    until: null,
    reason: 'Sent twice',
    ...overrides,
  },
});
export const userActivated = (user = 'ada', reason: string | null = null): UserActivated => ({
  type: 'UserActivated',
  data: { userId: userIdOf(user), reason },
});
export const userDeactivated = (user = 'ada', reason: string | null = null): UserDeactivated => ({
  type: 'UserDeactivated',
  data: { userId: userIdOf(user), reason },
});
export const userSuspended = (user = 'ada', reason: string | null = null): UserSuspended => ({
  type: 'UserSuspended',
  data: { userId: userIdOf(user), reason },
});
export const userRemoved = (user = 'ada'): UserRemoved => ({ type: 'UserRemoved', data: { userId: userIdOf(user) } });
export const seatClaimed = (user = 'ada', kind: SeatKind = 'developer'): SeatClaimed => ({
  type: 'SeatClaimed',
  data: { userId: userIdOf(user), kind },
});
export const seatReleased = (
  user = 'ada',
  reason: SeatReleaseReason = 'deactivated',
  kind: SeatKind = 'developer',
): SeatReleased => ({ type: 'SeatReleased', data: { userId: userIdOf(user), kind, reason } });
export const passwordReset = (): PasswordReset => ({ type: 'PasswordReset', data: {} });
export const passwordChanged = (passwordHash = 'hash-1'): PasswordChanged => ({ type: 'PasswordChanged', data: { passwordHash } });
export const accountDeletionRequested = (): AccountDeletionRequested => ({ type: 'AccountDeletionRequested', data: {} });
export const accountDeletionWithdrawn = (): AccountDeletionWithdrawn => ({ type: 'AccountDeletionWithdrawn', data: {} });
export const customerMovedAway = (integrator = 'partner'): CustomerMovedAway => ({
  type: 'CustomerMovedAway',
  data: { integratorId: integratorIdOf(integrator) },
});
export const customerMoved = (integrator = 'reseller'): CustomerMoved => ({
  type: 'CustomerMoved',
  data: { integratorId: integratorIdOf(integrator) },
});
export const customerDeleted = (): CustomerDeleted => ({ type: 'CustomerDeleted', data: {} });

/** A customer with five developer seats, one of which Ada holds on her machine. */
export const adaWithSeat = [
  customerRegistered(),
  seatsAllocated({ developerSeats: 5 }),
  userRegistered('ada', { machineId: 'machine-1' }),
  seatClaimed('ada'),
] as const;

export const adaIn = (state: CustomerState) => ('users' in state ? state.users.get(userIdOf('ada')) : undefined);
