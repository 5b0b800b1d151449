import { caseless } from '../caseless.ts';
import type { CustomerId, IntegratorId, UserId } from '../ids.ts';
import { UNLIMITED_SEATS } from '../limits.ts';
import type { PersistentMap } from '../persistentMap.ts';
import type { ThemeChoice } from './commands.ts';
import type { SeatKind, UserRole } from './events.ts';

export type CustomerStatus = 'active' | 'suspended' | 'churned';
export type UserStatus = 'active' | 'inactive' | 'suspended';

export type User = Readonly<{
  userId: UserId;
  username: string;
  email: string;
  role: UserRole;
  status: UserStatus;
  machineId: string | null;
  seat: SeatKind | null;
}>;

/** `allocated` -1 is unlimited; `active` counts the seats that are held. */
export type Seats = Readonly<{ allocated: number; active: number }>;

export type Customer = Readonly<{
  status: CustomerStatus;
  customerId: CustomerId;
  integratorId: IntegratorId;
  name: string;
  contactEmail: string;
  company: string | null;
  licenseKey: string;
  seats: Readonly<Record<SeatKind, Seats>>;
  seatLimitsEnforced: boolean;
  theme: ThemeChoice | null;
  /** Null as long as the licence key is the password. */
  passwordHash: string | null;
  deletionRequested: boolean;
  users: PersistentMap<UserId, User>;
  /** Of users' e-mail addresses and usernames, in their caseless form. */
  userIdByEmail: PersistentMap<string, UserId>;
  userIdByUsername: PersistentMap<string, UserId>;
}>;

export type CustomerState =
  | Customer
  | Readonly<{ status: 'unregistered' }>
  /** `integratorId` is null when it was enrolled and never registered. */
  | Readonly<{ status: 'deleted'; integratorId: IntegratorId | null }>;

export const seatKindOf = (role: UserRole): SeatKind => (role === 'stakeholder' ? 'stakeholder' : 'developer');

/** Whether one more seat of a kind may be claimed now. */
export const hasFreeSeat = (customer: Customer, kind: SeatKind): boolean => {
  const { allocated, active } = customer.seats[kind];
  return !customer.seatLimitsEnforced || allocated === UNLIMITED_SEATS || active < allocated;
};

export const userByEmail = (customer: Customer, email: string): User | undefined => {
  const userId = customer.userIdByEmail.get(caseless(email));
  return userId && customer.users.get(userId);
};

export const userByUsername = (customer: Customer, username: string): User | undefined => {
  const userId = customer.userIdByUsername.get(caseless(username));
  return userId && customer.users.get(userId);
};

/**
 * The user that a command-line tool speaks for, if known: who has the e-mail address, or else who has the username on this very
 * machine (their address was changed in the console). The same username from elsewhere is somebody else's namesake.
 */
export const findUser = (
  customer: CustomerState,
  { username, email, machineId }: Readonly<{ username: string; email: string; machineId: string | null }>,
): User | undefined => {
  if (customer.status === 'unregistered' || customer.status === 'deleted') return undefined;
  const known = userByEmail(customer, email);
  if (known) return known;
  const namesake = userByUsername(customer, username);
  return namesake && machineId !== null && namesake.machineId === machineId ? namesake : undefined;
};
