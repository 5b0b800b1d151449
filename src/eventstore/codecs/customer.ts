import { z } from 'zod';
import type { CustomerEvent, CustomerRecordsChanged, LicenseIssued, UserRegistered } from '../../domain/customer/events.ts';
import { SEAT_KINDS, USER_ROLES } from '../../domain/enumerations.ts';
import { type CategoryCodec, eventCodec, first, formerShape, shape } from './codec.ts';
import {
  callVoidId,
  customerId,
  integratorId,
  machineRequestId,
  noData,
  offlineLicenseId,
  sealedReason,
  text,
  textOrNull,
  userId,
} from './fields.ts';
import { callQuota, callQuotaKind, entitlements, planCode, planCopy } from './plans.ts';

const role = z.enum(USER_ROLES);
const kind = z.enum(SEAT_KINDS);
const seats = z.int().min(-1);
const ofUser = z.strictObject({ userId });
const registeredUser = z.strictObject({ userId, username: text, email: text, role, machineId: textOrNull });

/** Version 1 has no reason. A reason is free text with possible personal data, so it is encrypted. */
const userStatus = eventCodec({
  1: formerShape(ofUser, [], ({ userId }) => ({ userId, reason: null })),
  2: shape(z.strictObject({ userId, reason: textOrNull }), ['reason']),
});

const records = { externalId: textOrNull, notes: textOrNull, customFields: textOrNull };
const storedRecords = z.strictObject({ ...records, tags: textOrNull });
const openRecords = z.strictObject({ ...records, tags: z.array(text).readonly() });
const TAG_END = '\n';

/** Only texts are sealed, so the tags are stored as one. */
const recordsChanged = eventCodec<CustomerRecordsChanged['data']>({
  1: {
    sealed: ['externalId', 'tags', 'notes', 'customFields'],
    parse: (opened) => {
      const { tags, ...rest } = storedRecords.parse(opened);
      return { ...rest, tags: tags === null ? [] : tags.split(TAG_END) };
    },
    store: (data) => {
      const { tags, ...rest } = openRecords.parse(data);
      return { ...rest, tags: tags.length === 0 ? null : tags.join(TAG_END) };
    },
  },
});

/**
 * What identifies a user is sealed by the user's own data key, which the removal of the user destroys. Former versions sealed it by the
 * customer's: such texts read as erased once the user's key is destroyed.
 */
export const customerCodec: CategoryCodec<CustomerEvent> = {
  ownerOf: (id, { userId: user }) => (typeof user === 'string' ? `user:${user}` : `customer:${id}`),
  formerOwnerOf: (id) => `customer:${id}`,
  events: {
    CustomerRegistered: first(z.strictObject({ customerId, integratorId, name: text, contactEmail: text, company: textOrNull }), [
      'name',
      'contactEmail',
      'company',
    ]),
    LicenseIssued: eventCodec<LicenseIssued['data']>({
      1: formerShape(z.strictObject({ licenseKey: text, tier: z.literal('ENT') }), ['licenseKey'], (issued) => issued),
      2: shape(z.strictObject({ licenseKey: text, tier: planCode }), ['licenseKey']),
    }),
    LicensePlanApplied: planCopy,
    LicensePlanRemoved: first(noData),
    LicenseEntitlementsSet: first(z.strictObject({ entitlements })),
    SeatsAllocated: first(z.strictObject({ developerSeats: seats, stakeholderSeats: seats })),
    SeatLimitsEnforced: first(noData),
    SeatLimitsRelaxed: first(noData),
    CustomerDetailsChanged: first(z.strictObject({ name: text, contactEmail: text, company: textOrNull }), [
      'name',
      'contactEmail',
      'company',
    ]),
    CustomerSuspended: sealedReason,
    CustomerReactivated: sealedReason,
    CustomerChurned: sealedReason,
    ThemeAssigned: first(z.strictObject({ theme: text, source: z.enum(['explicit', 'default']) })),
    ThemeUnassigned: first(noData),
    LicenseKeyRotated: first(z.strictObject({ licenseKey: text }), ['licenseKey']),
    CustomerRecordsChanged: recordsChanged,
    LicenseTermSet: first(z.strictObject({ startsAt: text, expiresAt: text, graceDays: z.int().min(0), isTrial: z.boolean() })),
    LicenseTermRemoved: first(noData),
    LicenseRenewed: first(z.strictObject({ startsAt: text, expiresAt: text })),
    LicenseExtended: first(z.strictObject({ expiresAt: text })),
    LicenseExpiryAnnounced: first(z.strictObject({ expiresAt: text, days: z.int().min(1) })),
    LicenseEnteredGrace: first(z.strictObject({ expiresAt: text, endsAt: text })),
    LicenseExpired: first(z.strictObject({ expiresAt: text, endsAt: text })),
    UserRegistered: eventCodec<UserRegistered['data']>({
      1: formerShape(registeredUser, ['username', 'email', 'machineId'], (registered) => ({ ...registered, machineName: null })),
      2: shape(registeredUser.extend({ machineName: textOrNull }), ['username', 'email', 'machineId', 'machineName']),
    }),
    UserDetailsChanged: first(z.strictObject({ userId, username: text, email: text }), ['username', 'email']),
    UserRoleChanged: first(z.strictObject({ userId, role })),
    UserMachineChanged: first(z.strictObject({ userId, machineId: text }), ['machineId']),
    MachineApprovalRequested: first(
      z.strictObject({
        userId,
        requestId: machineRequestId,
        machineId: text,
        machineName: textOrNull,
        requestedAt: text,
        expiresAt: text,
      }),
      ['machineId', 'machineName'],
    ),
    MachineApproved: first(
      z.strictObject({ userId, machineId: text, machineName: textOrNull, requestId: machineRequestId.nullable() }),
      ['machineId', 'machineName'],
    ),
    MachineRejected: first(z.strictObject({ userId, requestId: machineRequestId })),
    MachineRenamed: first(z.strictObject({ userId, machineId: text, machineName: text }), ['machineId', 'machineName']),
    MachineRemoved: first(z.strictObject({ userId, machineId: text }), ['machineId']),
    OfflineLicenseIssued: first(
      z.strictObject({
        userId,
        licenseId: offlineLicenseId,
        fingerprint: text,
        machineName: textOrNull,
        issuedAt: text,
        expiresAt: text,
      }),
      ['fingerprint', 'machineName'],
    ),
    MachineApprovalEnforced: first(noData),
    MachineApprovalRelaxed: first(noData),
    MachineLimitSet: first(z.strictObject({ limit: z.int().min(1).nullable() })),
    CallQuotaSet: first(z.strictObject({ quota: callQuota })),
    CallQuotaReached: first(
      z.strictObject({ month: text, limit: z.int().min(1), kind: callQuotaKind, percent: z.int().min(1).max(100) }),
    ),
    CallQuotaUseLowered: first(
      z.strictObject({ month: text, limit: z.int().min(1), kind: callQuotaKind, percent: z.int().min(0).max(100) }),
    ),
    ApiCallsVoided: first(
      z.strictObject({
        voidId: callVoidId,
        sourceId: text,
        firstSequence: z.int().min(1).nullable(),
        lastSequence: z.int().min(1).nullable(),
        from: textOrNull,
        until: textOrNull,
        reason: textOrNull,
      }),
      ['reason'],
    ),
    IdleReleaseSet: first(z.strictObject({ days: z.int().min(1).nullable() })),
    FloatingSeatsSet: first(z.strictObject({ kind: z.enum(SEAT_KINDS), minutes: z.int().min(1).nullable() })),
    UserActivated: userStatus,
    UserDeactivated: userStatus,
    UserSuspended: userStatus,
    UserRemoved: first(ofUser),
    SeatClaimed: first(z.strictObject({ userId, kind })),
    SeatReleased: first(z.strictObject({ userId, kind, reason: z.enum(['deactivated', 'suspended', 'role_changed', 'removed']) })),
    PasswordChanged: first(z.strictObject({ passwordHash: text }), ['passwordHash']),
    PasswordReset: first(noData),
    AccountDeletionRequested: first(noData),
    AccountDeletionWithdrawn: first(noData),
    CustomerMovedAway: first(z.strictObject({ integratorId })),
    CustomerMoved: first(z.strictObject({ integratorId })),
    CustomerDeleted: first(noData),
  },
};
