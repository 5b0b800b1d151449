import type { Map as ImmutableMap } from 'immutable';
import { caseless } from '../caseless.ts';
import type { AccountStatus, SeatKind, UserRole, UserStatus } from '../enumerations.ts';
import type { CustomerId, IntegratorId, MachineRequestId, OfflineLicenseId, UserId } from '../ids.ts';
import type { CallQuota, CallQuotaNotice } from '../license/callQuota.ts';
import type { Entitlements } from '../license/entitlements.ts';
import type { Term } from '../license/term.ts';
import { MAX_MACHINES, UNLIMITED_SEATS } from '../limits.ts';
import type { PlanCopy } from '../plan/events.ts';
import type { CustomerDetails, ThemeSource } from './events.ts';
import type { CustomerRecords } from './records.ts';

/** A built-in theme's name or a custom theme's id; the sender checks that it exists, because the customer's stream does not contain it. */
export type ThemeChoice = Readonly<{ theme: string; source: ThemeSource }>;

/** A machine that may sign in as its user. `requestId` is the request that was approved; null for the first machine. */
type Machine = Readonly<{ machineId: string; machineName: string | null; requestId: MachineRequestId | null }>;

/** A machine that waits for approval or was rejected, until `expiresAt`. Times are ISO-8601 UTC. */
export type MachineRequest = Readonly<{
  requestId: MachineRequestId;
  machineId: string;
  machineName: string | null;
  isRejected: boolean;
  requestedAt: string;
  expiresAt: string;
}>;

/** The offline license of a machine. Times are ISO-8601 UTC. */
export type OfflineLicense = Readonly<{
  licenseId: OfflineLicenseId;
  fingerprint: string;
  machineName: string | null;
  issuedAt: string;
  expiresAt: string;
}>;

/** A user of a customer with the machines that may sign in as this user. */
export type User = Readonly<{
  userId: UserId;
  username: string;
  email: string;
  role: UserRole;
  status: UserStatus;
  /** The machine that signed in last; null if there is none. */
  machineId: string | null;
  /** Approved machines, in the order of their approval. */
  machines: readonly Machine[];
  machineRequests: readonly MachineRequest[];
  /** Whether the first machine was bound. After that every new machine needs approval, also when all were removed. */
  hasBoundMachine: boolean;
  /** The last one of each machine, of those that were valid when one was issued last. */
  offlineLicenses: readonly OfflineLicense[];
  seat: SeatKind | null;
}>;

/** `allocated` -1 is unlimited; `active` counts the seats that are held. */
type Seats = Readonly<{ allocated: number; active: number }>;

/** A registered customer: its license, seats, users and machines. */
export type Customer = CustomerDetails &
  Readonly<{
    status: AccountStatus;
    customerId: CustomerId;
    integratorId: IntegratorId;
    /** How often it moved to another service integrator. */
    moves: number;
    licenseKey: string;
    /** The code of its plan. */
    tier: string;
    /** What the license copied of its plan; null for the built-in one. */
    plan: PlanCopy | null;
    seats: Readonly<Record<SeatKind, Seats>>;
    seatLimitsEnforced: boolean;
    /** Whether a user's new machine needs approval. */
    machineApprovalEnforced: boolean;
    /** How many machines each user may have; null for the product's own limit. */
    machineLimit: number | null;
    /** Null if any number of API calls is recorded. */
    callQuota: CallQuota | null;
    /** The highest notice of each limit in the newest month that has one, and how many `voids` there were at the time. */
    callQuotaNotices: readonly (CallQuotaNotice & Readonly<{ voids: number }>)[];
    /** After how many idle days seats are released automatically; null for never. */
    idleReleaseDays: number | null;
    /** After how many minutes without use the lease of a floating seat ends; null where seats of the kind are named. */
    floatingMinutes: Readonly<Record<SeatKind, number | null>>;
    theme: ThemeChoice | null;
    /** How often recorded calls were voided. */
    voids: number;
    /** Null if the license is perpetual. */
    term: Term | null;
    entitlements: Entitlements;
    records: CustomerRecords;
    /** The last step of the term that an event records. */
    termStep: 'running' | 'grace' | 'expired';
    /** The last announcement of the expiry, in days before it. */
    announcedDays: number | null;
    /** Null if no password is set: the license key alone signs in. */
    passwordHash: string | null;
    deletionRequested: boolean;
    users: ImmutableMap<UserId, User>;
    /** Users by email address and username, in their caseless form. */
    userIdByEmail: ImmutableMap<string, UserId>;
    userIdByUsername: ImmutableMap<string, UserId>;
  }>;

/** The state of a customer's stream, before its registration and after its deletion too. */
export type CustomerState =
  | Customer
  | Readonly<{ status: 'unregistered' }>
  /** `integratorId` is null when it was enrolled and never registered. */
  | Readonly<{ status: 'deleted'; integratorId: IntegratorId | null }>;

/** Whether the customer is registered and not deleted. */
export const isRegistered = (state: CustomerState): state is Customer =>
  state.status !== 'unregistered' && state.status !== 'deleted';

/** The kind of seat that an active user of a role holds. */
export const seatKindOf = (role: UserRole): SeatKind => (role === 'stakeholder' ? 'stakeholder' : 'developer');

/** A stakeholder has portal access only. */
export const mayUseTool = (role: UserRole): boolean => role !== 'stakeholder';

/** Whether a machine is approved for its user, or is the one that signed in last. */
const isMachineOf = (user: User, machineId: string): boolean => user.machineId === machineId || isApproved(user, machineId);

export const isApproved = ({ machines }: User, machineId: string | null): boolean =>
  machines.some((machine) => machine.machineId === machineId);

/** Whether a machine may sign in as a user without a new approval. If approval is enforced, a tool that names no machine may not. */
export const maySignInOn = (customer: Customer, user: User, machineId: string | null): boolean =>
  !customer.machineApprovalEnforced || isApproved(user, machineId) || (machineId !== null && !user.hasBoundMachine);

/** Whether a user has as many machines as the license allows. More, from before the limit, keep working. */
export const isMachineLimitReached = ({ machineLimit }: Customer, { machines }: User): boolean =>
  machines.length >= (machineLimit ?? MAX_MACHINES);

/** Requests and rejections that are valid at an instant (ISO-8601 UTC). */
export const validRequests = ({ machineRequests }: User, at: string): readonly MachineRequest[] =>
  machineRequests.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.parse(at));

/** The offline licenses that are valid at an instant (ISO-8601 UTC). */
export const validOfflineLicenses = ({ offlineLicenses }: User, at: string): readonly OfflineLicense[] =>
  offlineLicenses.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.parse(at));

/** How many seats of a kind may be held at the same time; null for any number. */
export const enforcedLimitOf = ({ seats, seatLimitsEnforced }: Customer, kind: SeatKind): number | null =>
  !seatLimitsEnforced || seats[kind].allocated === UNLIMITED_SEATS ? null : seats[kind].allocated;

/** Whether one more user may become active with a seat of a kind. Any number of users share floating seats. */
export const hasFreeSeat = (customer: Customer, kind: SeatKind): boolean => {
  const limit = enforcedLimitOf(customer, kind);
  return limit === null || customer.floatingMinutes[kind] !== null || customer.seats[kind].active < limit;
};

/** The user with an email address, whatever its case; undefined if there is none. */
export const userByEmail = (customer: Customer, email: string): User | undefined => {
  const userId = customer.userIdByEmail.get(caseless(email));
  return userId && customer.users.get(userId);
};

/** The user with a username, compared without case; undefined if the customer has none. */
export const userByUsername = (customer: Customer, username: string): User | undefined => {
  const userId = customer.userIdByUsername.get(caseless(username));
  return userId && customer.users.get(userId);
};

/**
 * The user of a command-line tool, if known: the one with the email address, or else the one with the username on this machine (the
 * address was changed in the console). The same username on another machine is a different user.
 */
export const findUser = (
  customer: CustomerState,
  { username, email, machineId }: Readonly<{ username: string; email: string; machineId: string | null }>,
): User | undefined => {
  if (!isRegistered(customer)) return undefined;
  const known = userByEmail(customer, email);
  if (known) return known;
  const namesake = userByUsername(customer, username);
  return namesake && machineId !== null && isMachineOf(namesake, machineId) ? namesake : undefined;
};

/** What a user's account for the portal is made of; null if there is no such user, or the user was deactivated. */
export const memberDetailsOf = (
  customer: CustomerState,
  userId: UserId,
): { name: string; email: string; role: UserRole } | null => {
  const user = isRegistered(customer) ? customer.users.get(userId) : undefined;
  if (!user || user.status === 'inactive') return null;
  return { name: user.username, email: user.email, role: user.role };
};
