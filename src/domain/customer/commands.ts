import type { Command } from '../decider.ts';
import type { CustomerId, IntegratorId, UserId } from '../ids.ts';
import type { ThemeSource, UserRole } from './events.ts';

/** A built-in theme's name or a custom theme's id; whether it exists is looked up before and is not the customer's to know. */
export type ThemeChoice = Readonly<{ theme: string; source: ThemeSource }>;

type OfCustomer<Data extends object = object> = Data & { customerId: CustomerId };
type OfUser<Data extends object = object> = Data & { customerId: CustomerId; userId: UserId };

/** The second half of an enrolment; see `enrolCustomer`. */
export type RegisterCustomer = Command<
  'RegisterCustomer',
  OfCustomer<{
    integratorId: IntegratorId;
    name: string;
    contactEmail: string;
    company: string | null;
    licenseKey: string;
    developerSeats: number;
    stakeholderSeats: number;
    seatLimitsEnforced: boolean;
    theme: ThemeChoice | null;
  }>
>;
/** Makes sure that a customer which was enrolled and never registered never will be. */
export type AbandonEnrolment = Command<'AbandonEnrolment', OfCustomer>;
/** What is absent stays as it stands. */
export type ChangeCustomerDetails = Command<
  'ChangeCustomerDetails',
  OfCustomer<{ name?: string | undefined; contactEmail?: string | undefined; company?: string | null | undefined }>
>;
/** What is absent stays as it stands. */
export type AllocateSeats = Command<
  'AllocateSeats',
  OfCustomer<{ developerSeats?: number | undefined; stakeholderSeats?: number | undefined }>
>;
export type EnforceSeatLimits = Command<'EnforceSeatLimits', OfCustomer>;
export type RelaxSeatLimits = Command<'RelaxSeatLimits', OfCustomer>;
export type SuspendCustomer = Command<'SuspendCustomer', OfCustomer<{ reason: string | null }>>;
export type ReactivateCustomer = Command<'ReactivateCustomer', OfCustomer<{ reason: string | null }>>;
export type ChurnCustomer = Command<'ChurnCustomer', OfCustomer<{ reason: string | null }>>;
export type AssignTheme = Command<'AssignTheme', OfCustomer<ThemeChoice>>;
export type UnassignTheme = Command<'UnassignTheme', OfCustomer>;
/** Does nothing when the customer has another theme by now; `to` null leaves it without one. */
export type FallBackFromTheme = Command<'FallBackFromTheme', OfCustomer<{ from: string; to: string | null }>>;
export type RotateLicenseKey = Command<'RotateLicenseKey', OfCustomer<{ licenseKey: string }>>;
/** `verifiedAgainst` is the hash that the current password was checked with, null when it was the licence key. */
export type ChangePassword = Command<'ChangePassword', OfCustomer<{ passwordHash: string; verifiedAgainst: string | null }>>;
export type RequestAccountDeletion = Command<'RequestAccountDeletion', OfCustomer>;
export type WithdrawAccountDeletion = Command<'WithdrawAccountDeletion', OfCustomer>;
export type DeleteCustomer = Command<'DeleteCustomer', OfCustomer>;

export type RegisterUser = Command<
  'RegisterUser',
  OfUser<{ username: string; email: string; role: UserRole; machineId: string | null }>
>;
/**
 * A command-line tool says who uses it. `userId` is the id a new user would get; whose it became is `findUser` of the
 * resulting state.
 */
export type SignInUser = Command<'SignInUser', OfUser<{ username: string; email: string; machineId: string | null }>>;
/** What is absent stays as it stands. */
export type ChangeUserDetails = Command<'ChangeUserDetails', OfUser<{ username?: string | undefined; email?: string | undefined }>>;
export type ChangeUserRole = Command<'ChangeUserRole', OfUser<{ role: UserRole }>>;
export type ChangeUserMachine = Command<'ChangeUserMachine', OfUser<{ machineId: string }>>;
export type ActivateUser = Command<'ActivateUser', OfUser>;
export type DeactivateUser = Command<'DeactivateUser', OfUser>;
export type SuspendUser = Command<'SuspendUser', OfUser>;

export type LicenseCommand =
  | ChangeCustomerDetails
  | AllocateSeats
  | EnforceSeatLimits
  | RelaxSeatLimits
  | SuspendCustomer
  | ReactivateCustomer
  | ChurnCustomer
  | AssignTheme
  | UnassignTheme
  | FallBackFromTheme
  | RotateLicenseKey
  | ChangePassword
  | RequestAccountDeletion
  | WithdrawAccountDeletion;

export type UserCommand =
  | RegisterUser
  | SignInUser
  | ChangeUserDetails
  | ChangeUserRole
  | ChangeUserMachine
  | ActivateUser
  | DeactivateUser
  | SuspendUser;

export type CustomerCommand = RegisterCustomer | AbandonEnrolment | DeleteCustomer | LicenseCommand | UserCommand;
