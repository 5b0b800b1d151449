import type { CallRange } from '../apiCalls/voids.ts';
import type { SeatKind, UserRole } from '../enumerations.ts';
import type { DomainEvent } from '../event.ts';
import type { CallVoidId, CustomerId, IntegratorId, MachineRequestId, OfflineLicenseId, UserId } from '../ids.ts';
import type { CallQuota, CallQuotaKind } from '../license/callQuota.ts';
import type { Entitlements } from '../license/entitlements.ts';
import type { Term } from '../license/term.ts';
import type { PlanCopy } from '../plan/events.ts';
import type { CustomerRecords } from './records.ts';

export type ThemeSource = 'explicit' | 'default';
export type SeatReleaseReason = 'deactivated' | 'suspended' | 'role_changed' | 'removed';

/** The details of a customer beside its license. `company` is null if none was given. */
export type CustomerDetails = Readonly<{ name: string; contactEmail: string; company: string | null }>;

export type CustomerRegistered = DomainEvent<
  'CustomerRegistered',
  CustomerDetails & { customerId: CustomerId; integratorId: IntegratorId }
>;
/** The first license key of a customer and its tier, the code of the plan in the key. The key is stored encrypted. */
export type LicenseIssued = DomainEvent<'LicenseIssued', { licenseKey: string; tier: string }>;
/** The license copied a plan, whose code is its tier. */
export type LicensePlanApplied = DomainEvent<'LicensePlanApplied', PlanCopy>;
/** The license has the built-in plan again, of which there is no copy. */
export type LicensePlanRemoved = DomainEvent<'LicensePlanRemoved'>;
/** -1 means unlimited, else 0 to 1,000,000. */
export type SeatsAllocated = DomainEvent<'SeatsAllocated', { developerSeats: number; stakeholderSeats: number }>;
export type SeatLimitsEnforced = DomainEvent<'SeatLimitsEnforced'>;
export type SeatLimitsRelaxed = DomainEvent<'SeatLimitsRelaxed'>;
export type CustomerDetailsChanged = DomainEvent<'CustomerDetailsChanged', CustomerDetails>;
export type CustomerSuspended = DomainEvent<'CustomerSuspended', { reason: string | null }>;
export type CustomerReactivated = DomainEvent<'CustomerReactivated', { reason: string | null }>;
export type CustomerChurned = DomainEvent<'CustomerChurned', { reason: string | null }>;
/** A built-in theme's name, or the id of one of the integrator's custom themes. */
export type ThemeAssigned = DomainEvent<'ThemeAssigned', { theme: string; source: ThemeSource }>;
export type ThemeUnassigned = DomainEvent<'ThemeUnassigned'>;
export type LicenseKeyRotated = DomainEvent<'LicenseKeyRotated', { licenseKey: string }>;
/** What a company keeps about the customer for itself; the customer never sees it. */
export type CustomerRecordsChanged = DomainEvent<'CustomerRecordsChanged', CustomerRecords>;
/** What the license includes; null for everything. */
export type LicenseEntitlementsSet = DomainEvent<'LicenseEntitlementsSet', { entitlements: Entitlements }>;
/** The license runs for a term, instead of another one or forever. */
export type LicenseTermSet = DomainEvent<'LicenseTermSet', Term>;
/** The license is perpetual. */
export type LicenseTermRemoved = DomainEvent<'LicenseTermRemoved'>;
/** Another period; it ends a trial. */
export type LicenseRenewed = DomainEvent<'LicenseRenewed', { startsAt: string; expiresAt: string }>;
export type LicenseExtended = DomainEvent<'LicenseExtended', { expiresAt: string }>;
/** The license expires in `days` days or less. */
export type LicenseExpiryAnnounced = DomainEvent<'LicenseExpiryAnnounced', { expiresAt: string; days: number }>;
/** The term expired at `expiresAt`; the license works until `endsAt`. */
export type LicenseEnteredGrace = DomainEvent<'LicenseEnteredGrace', { expiresAt: string; endsAt: string }>;
/** The license stopped working at `endsAt`. */
export type LicenseExpired = DomainEvent<'LicenseExpired', { expiresAt: string; endsAt: string }>;
/** A user who registers at a sign-in has the machine, with its name if the tool sent one; both are null for other users. */
export type UserRegistered = DomainEvent<
  'UserRegistered',
  { userId: UserId; username: string; email: string; role: UserRole; machineId: string | null; machineName: string | null }
>;
export type UserDetailsChanged = DomainEvent<'UserDetailsChanged', { userId: UserId; username: string; email: string }>;
export type UserRoleChanged = DomainEvent<'UserRoleChanged', { userId: UserId; role: UserRole }>;
/** The user signed in on another machine than before. */
export type UserMachineChanged = DomainEvent<'UserMachineChanged', { userId: UserId; machineId: string }>;
/** A machine that is not approved tried to sign in as the user. Times are ISO-8601 UTC. */
export type MachineApprovalRequested = DomainEvent<
  'MachineApprovalRequested',
  {
    userId: UserId;
    requestId: MachineRequestId;
    machineId: string;
    machineName: string | null;
    requestedAt: string;
    expiresAt: string;
  }
>;
/** `requestId` is null for the first machine of a user, which needs no approval. */
export type MachineApproved = DomainEvent<
  'MachineApproved',
  { userId: UserId; machineId: string; machineName: string | null; requestId: MachineRequestId | null }
>;
export type MachineRejected = DomainEvent<'MachineRejected', { userId: UserId; requestId: MachineRequestId }>;
export type MachineRenamed = DomainEvent<'MachineRenamed', { userId: UserId; machineId: string; machineName: string }>;
export type MachineRemoved = DomainEvent<'MachineRemoved', { userId: UserId; machineId: string }>;
/**
 * A signed file was issued, by which a user's tool proves the license on one machine without a connection. `fingerprint` is a hash that the
 * tool computes of its machine. Times are ISO-8601 UTC.
 */
export type OfflineLicenseIssued = DomainEvent<
  'OfflineLicenseIssued',
  {
    userId: UserId;
    licenseId: OfflineLicenseId;
    fingerprint: string;
    machineName: string | null;
    issuedAt: string;
    expiresAt: string;
  }
>;
export type MachineApprovalEnforced = DomainEvent<'MachineApprovalEnforced'>;
export type MachineApprovalRelaxed = DomainEvent<'MachineApprovalRelaxed'>;
/** How many machines each user may have at most; null for the product's own limit. */
export type MachineLimitSet = DomainEvent<'MachineLimitSet', { limit: number | null }>;
/** How many API calls are recorded in a month; null for any number. */
export type CallQuotaSet = DomainEvent<'CallQuotaSet', { quota: CallQuota | null }>;
/** So many percent of the limit were used in the month (yyyy-mm, UTC). */
export type CallQuotaReached = DomainEvent<
  'CallQuotaReached',
  { month: string; limit: number; kind: CallQuotaKind; percent: number }
>;
/** After voids, only so many percent of the limit, or none of its notices (0), are reached any more in the month. */
export type CallQuotaUseLowered = DomainEvent<
  'CallQuotaUseLowered',
  { month: string; limit: number; kind: CallQuotaKind; percent: number }
>;
/**
 * Calls of a source that were recorded before this event and do not count any more: those of the sequences and times that are named.
 * `from` and `until` are ISO-8601 UTC; a call at `until` counts. Their sequences are free, so that they can be recorded again.
 */
export type ApiCallsVoided = DomainEvent<'ApiCallsVoided', CallRange & { voidId: CallVoidId; reason: string | null }>;
/** After how many idle days a user's seat is released automatically; null for never. */
export type IdleReleaseSet = DomainEvent<'IdleReleaseSet', { days: number | null }>;
/** Seats of the kind float: users share them by leases, which end after so many minutes without use. Null: each seat is a user's own. */
export type FloatingSeatsSet = DomainEvent<'FloatingSeatsSet', { kind: SeatKind; minutes: number | null }>;
export type UserActivated = DomainEvent<'UserActivated', { userId: UserId; reason: string | null }>;
export type UserDeactivated = DomainEvent<'UserDeactivated', { userId: UserId; reason: string | null }>;
export type UserSuspended = DomainEvent<'UserSuspended', { userId: UserId; reason: string | null }>;
/** The user's data key is destroyed afterwards. */
export type UserRemoved = DomainEvent<'UserRemoved', { userId: UserId }>;
export type SeatClaimed = DomainEvent<'SeatClaimed', { userId: UserId; kind: SeatKind }>;
export type SeatReleased = DomainEvent<'SeatReleased', { userId: UserId; kind: SeatKind; reason: SeatReleaseReason }>;
export type PasswordChanged = DomainEvent<'PasswordChanged', { passwordHash: string }>;
/** The password was removed: the license key alone signs in until the customer sets a new password. */
export type PasswordReset = DomainEvent<'PasswordReset'>;
export type AccountDeletionRequested = DomainEvent<'AccountDeletionRequested'>;
export type AccountDeletionWithdrawn = DomainEvent<'AccountDeletionWithdrawn'>;
/** The customer leaves a service integrator; `CustomerMoved` follows in the same append. Each is in the history of one of them. */
export type CustomerMovedAway = DomainEvent<'CustomerMovedAway', { integratorId: IntegratorId }>;
/** The customer belongs to another service integrator from now on. */
export type CustomerMoved = DomainEvent<'CustomerMoved', { integratorId: IntegratorId }>;
export type CustomerDeleted = DomainEvent<'CustomerDeleted'>;

/** The events of a customer's stream, with those of its users and machines. */
export type CustomerEvent =
  | CustomerRegistered
  | LicenseIssued
  | SeatsAllocated
  | SeatLimitsEnforced
  | SeatLimitsRelaxed
  | CustomerDetailsChanged
  | CustomerSuspended
  | CustomerReactivated
  | CustomerChurned
  | ThemeAssigned
  | ThemeUnassigned
  | LicenseKeyRotated
  | LicensePlanApplied
  | LicensePlanRemoved
  | CustomerRecordsChanged
  | LicenseEntitlementsSet
  | LicenseTermSet
  | LicenseTermRemoved
  | LicenseRenewed
  | LicenseExtended
  | LicenseExpiryAnnounced
  | LicenseEnteredGrace
  | LicenseExpired
  | UserRegistered
  | UserDetailsChanged
  | UserRoleChanged
  | UserMachineChanged
  | MachineApprovalRequested
  | MachineApproved
  | MachineRejected
  | MachineRenamed
  | MachineRemoved
  | OfflineLicenseIssued
  | MachineApprovalEnforced
  | MachineApprovalRelaxed
  | MachineLimitSet
  | CallQuotaSet
  | CallQuotaReached
  | CallQuotaUseLowered
  | ApiCallsVoided
  | IdleReleaseSet
  | FloatingSeatsSet
  | UserActivated
  | UserDeactivated
  | UserSuspended
  | UserRemoved
  | SeatClaimed
  | SeatReleased
  | PasswordChanged
  | PasswordReset
  | AccountDeletionRequested
  | AccountDeletionWithdrawn
  | CustomerMovedAway
  | CustomerMoved
  | CustomerDeleted;
