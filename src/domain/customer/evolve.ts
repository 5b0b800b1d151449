import { Map as ImmutableMap } from 'immutable';
import { caseless } from '../caseless.ts';
import type { SeatKind } from '../enumerations.ts';
import { ERASED } from '../event.ts';
import type { UserId } from '../ids.ts';
import { noticesWith } from '../license/callQuota.ts';
import { orderedEntitlements } from '../license/entitlements.ts';
import type { Term } from '../license/term.ts';
import { DEFAULT_PLAN } from '../limits.ts';
import { planCopyOf } from '../plan/terms.ts';
import type {
  CallQuotaReached,
  CallQuotaUseLowered,
  CustomerEvent,
  CustomerRegistered,
  UserDetailsChanged,
  UserRegistered,
  UserRemoved,
} from './events.ts';
import {
  withLastMachine,
  withMachine,
  withMachineName,
  withOfflineLicense,
  withoutMachine,
  withRejection,
  withRequest,
} from './evolveMachines.ts';
import { NO_RECORDS } from './records.ts';
import type { Customer, CustomerState, User } from './state.ts';

const registered = ({ data }: CustomerRegistered): Customer => ({
  status: 'active',
  customerId: data.customerId,
  integratorId: data.integratorId,
  moves: 0,
  name: data.name,
  contactEmail: data.contactEmail,
  company: data.company,
  licenseKey: '',
  tier: DEFAULT_PLAN,
  plan: null,
  seats: { developer: { allocated: 0, active: 0 }, stakeholder: { allocated: 0, active: 0 } },
  seatLimitsEnforced: true,
  machineApprovalEnforced: true,
  machineLimit: null,
  callQuota: null,
  callQuotaNotices: [],
  idleReleaseDays: null,
  floatingMinutes: { developer: null, stakeholder: null },
  theme: null,
  voids: 0,
  term: null,
  entitlements: null,
  termStep: 'running',
  announcedDays: null,
  records: NO_RECORDS,
  passwordHash: null,
  deletionRequested: false,
  users: ImmutableMap(),
  userIdByEmail: ImmutableMap(),
  userIdByUsername: ImmutableMap(),
});

const withNotice = (customer: Customer, { data: { month, limit, percent } }: CallQuotaReached | CallQuotaUseLowered): Customer => ({
  ...customer,
  callQuotaNotices: noticesWith(customer.callQuotaNotices, { month, limit, percent, voids: customer.voids }),
});

type UserIndex = Customer['userIdByEmail'];

/** Erased texts are all equal, so they name nobody. */
const indexed = (index: UserIndex, text: string, userId: UserId): UserIndex =>
  text === ERASED ? index : index.set(caseless(text), userId);

/** Without the text of a user; the same text of another user stays. */
const unindexed = (index: UserIndex, text: string, userId: UserId): UserIndex =>
  index.get(caseless(text)) === userId ? index.delete(caseless(text)) : index;

const withUser = (customer: Customer, { data }: UserRegistered): Customer => ({
  ...customer,
  users: customer.users.set(data.userId, {
    userId: data.userId,
    username: data.username,
    email: data.email,
    role: data.role,
    status: 'active',
    machineId: data.machineId,
    machines: data.machineId === null ? [] : [{ machineId: data.machineId, machineName: data.machineName, requestId: null }],
    machineRequests: [],
    hasBoundMachine: data.machineId !== null,
    offlineLicenses: [],
    seat: null,
  }),
  userIdByEmail: indexed(customer.userIdByEmail, data.email, data.userId),
  userIdByUsername: indexed(customer.userIdByUsername, data.username, data.userId),
});

const changed = (customer: Customer, userId: UserId, change: Partial<User>): Customer => {
  const user = customer.users.get(userId);
  return user ? { ...customer, users: customer.users.set(userId, { ...user, ...change }) } : customer;
};

const renamed = (customer: Customer, { data: { userId, username, email } }: UserDetailsChanged): Customer => {
  const user = customer.users.get(userId);
  if (!user) return customer;
  return {
    ...changed(customer, userId, { username, email }),
    userIdByEmail: indexed(unindexed(customer.userIdByEmail, user.email, userId), email, userId),
    userIdByUsername: indexed(unindexed(customer.userIdByUsername, user.username, userId), username, userId),
  };
};

const withoutUser = (customer: Customer, { data: { userId } }: UserRemoved): Customer => {
  const user = customer.users.get(userId);
  if (!user) return customer;
  return {
    ...customer,
    users: customer.users.delete(userId),
    userIdByEmail: unindexed(customer.userIdByEmail, user.email, userId),
    userIdByUsername: unindexed(customer.userIdByUsername, user.username, userId),
  };
};

const countSeat = (customer: Customer, kind: SeatKind, difference: 1 | -1): Customer => ({
  ...customer,
  seats: {
    ...customer.seats,
    [kind]: { allocated: customer.seats[kind].allocated, active: customer.seats[kind].active + difference },
  },
});

/** A license that gets another period passes the steps of its term again. */
const withTerm = (customer: Customer, change: Partial<Term>): Customer =>
  customer.term ? { ...customer, term: { ...customer.term, ...change }, termStep: 'running', announcedDays: null } : customer;

const evolveCustomer = (customer: Customer, event: CustomerEvent): CustomerState => {
  switch (event.type) {
    case 'CustomerRegistered':
      return registered(event);
    case 'LicenseIssued':
      return { ...customer, licenseKey: event.data.licenseKey, tier: event.data.tier };
    case 'LicensePlanApplied':
      return { ...customer, tier: event.data.code, plan: planCopyOf(event.data) };
    case 'LicensePlanRemoved':
      return { ...customer, tier: DEFAULT_PLAN, plan: null };
    case 'LicenseEntitlementsSet':
      return { ...customer, entitlements: orderedEntitlements(event.data.entitlements) };
    case 'LicenseKeyRotated':
      return { ...customer, licenseKey: event.data.licenseKey };
    case 'SeatsAllocated':
      return {
        ...customer,
        seats: {
          developer: { allocated: event.data.developerSeats, active: customer.seats.developer.active },
          stakeholder: { allocated: event.data.stakeholderSeats, active: customer.seats.stakeholder.active },
        },
      };
    case 'SeatLimitsEnforced':
      return { ...customer, seatLimitsEnforced: true };
    case 'SeatLimitsRelaxed':
      return { ...customer, seatLimitsEnforced: false };
    case 'CustomerDetailsChanged':
      return { ...customer, name: event.data.name, contactEmail: event.data.contactEmail, company: event.data.company };
    case 'CustomerSuspended':
      return { ...customer, status: 'suspended' };
    case 'CustomerReactivated':
      return { ...customer, status: 'active' };
    case 'CustomerChurned':
      return { ...customer, status: 'churned' };
    case 'ThemeAssigned':
      return { ...customer, theme: { theme: event.data.theme, source: event.data.source } };
    case 'ThemeUnassigned':
      return { ...customer, theme: null };
    case 'CustomerRecordsChanged': {
      const { externalId, tags, notes, customFields } = event.data;
      return { ...customer, records: { externalId, tags, notes, customFields } };
    }
    case 'LicenseTermSet': {
      const { startsAt, expiresAt, graceDays, isTrial } = event.data;
      return { ...customer, term: { startsAt, expiresAt, graceDays, isTrial }, termStep: 'running', announcedDays: null };
    }
    case 'LicenseTermRemoved':
      return { ...customer, term: null, termStep: 'running', announcedDays: null };
    case 'LicenseRenewed':
      return withTerm(customer, { startsAt: event.data.startsAt, expiresAt: event.data.expiresAt, isTrial: false });
    case 'LicenseExtended':
      return withTerm(customer, { expiresAt: event.data.expiresAt });
    case 'LicenseExpiryAnnounced':
      return { ...customer, announcedDays: event.data.days };
    case 'LicenseEnteredGrace':
      return { ...customer, termStep: 'grace' };
    case 'LicenseExpired':
      return { ...customer, termStep: 'expired' };
    case 'UserRegistered':
      return withUser(customer, event);
    case 'UserDetailsChanged':
      return renamed(customer, event);
    case 'UserRoleChanged':
      return changed(customer, event.data.userId, { role: event.data.role });
    case 'UserMachineChanged':
      return withLastMachine(customer, event);
    case 'MachineApprovalRequested':
      return withRequest(customer, event);
    case 'MachineApproved':
      return withMachine(customer, event);
    case 'MachineRejected':
      return withRejection(customer, event);
    case 'MachineRenamed':
      return withMachineName(customer, event);
    case 'MachineRemoved':
      return withoutMachine(customer, event);
    case 'OfflineLicenseIssued':
      return withOfflineLicense(customer, event);
    case 'MachineApprovalEnforced':
      return { ...customer, machineApprovalEnforced: true };
    case 'MachineApprovalRelaxed':
      return { ...customer, machineApprovalEnforced: false };
    case 'MachineLimitSet':
      return { ...customer, machineLimit: event.data.limit };
    case 'CallQuotaSet': {
      const { quota } = event.data;
      return { ...customer, callQuota: quota && { limit: quota.limit, kind: quota.kind } };
    }
    case 'CallQuotaReached':
    case 'CallQuotaUseLowered':
      return withNotice(customer, event);
    case 'ApiCallsVoided':
      return { ...customer, voids: customer.voids + 1 };
    case 'IdleReleaseSet':
      return { ...customer, idleReleaseDays: event.data.days };
    case 'FloatingSeatsSet':
      return { ...customer, floatingMinutes: { ...customer.floatingMinutes, [event.data.kind]: event.data.minutes } };
    case 'UserActivated':
      return changed(customer, event.data.userId, { status: 'active' });
    case 'UserDeactivated':
      return changed(customer, event.data.userId, { status: 'inactive' });
    case 'UserSuspended':
      return changed(customer, event.data.userId, { status: 'suspended' });
    case 'UserRemoved':
      return withoutUser(customer, event);
    case 'SeatClaimed':
      return countSeat(changed(customer, event.data.userId, { seat: event.data.kind }), event.data.kind, 1);
    case 'SeatReleased':
      return countSeat(changed(customer, event.data.userId, { seat: null }), event.data.kind, -1);
    case 'PasswordChanged':
      return { ...customer, passwordHash: event.data.passwordHash };
    case 'PasswordReset':
      return { ...customer, passwordHash: null };
    case 'AccountDeletionRequested':
      return { ...customer, deletionRequested: true };
    case 'AccountDeletionWithdrawn':
      return { ...customer, deletionRequested: false };
    case 'CustomerMovedAway':
      return customer;
    case 'CustomerMoved':
      return { ...customer, integratorId: event.data.integratorId, moves: customer.moves + 1 };
    case 'CustomerDeleted':
      return { status: 'deleted', integratorId: customer.integratorId };
  }
};

/** Total. Only a registration changes an unregistered customer, and nothing changes a deleted one. */
export const evolve = (state: CustomerState, event: CustomerEvent): CustomerState => {
  switch (state.status) {
    case 'unregistered':
      if (event.type === 'CustomerRegistered') return registered(event);
      return event.type === 'CustomerDeleted' ? { status: 'deleted', integratorId: null } : state;
    case 'deleted':
      return state;
    case 'active':
    case 'suspended':
    case 'churned':
      return evolveCustomer(state, event);
  }
};
