import type { CallRange } from '../apiCalls/voids.ts';
import type { Command } from '../decider.ts';
import type { SeatKind, UserRole, UserStatus } from '../enumerations.ts';
import type { CallVoidId, CustomerId, IntegratorId, MachineRequestId, OfflineLicenseId, ThemeId, UserId } from '../ids.ts';
import type { MovedRecords } from '../integrator/events.ts';
import type { CallQuota } from '../license/callQuota.ts';
import type { Entitlements } from '../license/entitlements.ts';
import type { Term } from '../license/term.ts';
import type { PlanCopy } from '../plan/events.ts';
import type { CustomerDetails } from './events.ts';
import type { CustomerRecords } from './records.ts';
import type { ThemeChoice } from './state.ts';

type OfCustomer<Data extends object = object> = Data & { customerId: CustomerId };
type OfUser<Data extends object = object> = Data & { customerId: CustomerId; userId: UserId };

/** The second half of an enrolment; see `enrolCustomer`. */
export type RegisterCustomer = Command<
  'RegisterCustomer',
  OfCustomer<
    CustomerDetails & {
      integratorId: IntegratorId;
      licenseKey: string;
      developerSeats: number;
      stakeholderSeats: number;
      seatLimitsEnforced: boolean;
      theme: ThemeChoice | null;
      /** Absent for a perpetual license. */
      term?: Term | undefined;
      /** Everything is included if absent. */
      entitlements?: Entitlements | undefined;
      /** Null or absent for any number of API calls. */
      callQuota?: CallQuota | null | undefined;
      /** Null or absent for named developer seats. */
      floatingDeveloperMinutes?: number | null | undefined;
      /** Absent for the built-in plan. Seats, term, entitlements and quota are those of the license, whatever the plan has. */
      plan?: PlanCopy | undefined;
      records?: CustomerRecords | undefined;
    }
  >
>;
/** Closes an enrolment that was not completed: the customer can no longer be registered. */
type AbandonEnrolment = Command<'AbandonEnrolment', OfCustomer>;
/** Absent fields stay unchanged. */
export type ChangeCustomerDetails = Command<
  'ChangeCustomerDetails',
  OfCustomer<{ [Field in keyof CustomerDetails]?: CustomerDetails[Field] | undefined }>
>;
/** Absent fields stay unchanged. */
export type AllocateSeats = Command<
  'AllocateSeats',
  OfCustomer<{ developerSeats?: number | undefined; stakeholderSeats?: number | undefined }>
>;
type EnforceSeatLimits = Command<'EnforceSeatLimits', OfCustomer>;
type RelaxSeatLimits = Command<'RelaxSeatLimits', OfCustomer>;
type SuspendCustomer = Command<'SuspendCustomer', OfCustomer<{ reason: string | null }>>;
type ReactivateCustomer = Command<'ReactivateCustomer', OfCustomer<{ reason: string | null }>>;
type ChurnCustomer = Command<'ChurnCustomer', OfCustomer<{ reason: string | null }>>;
export type AssignTheme = Command<'AssignTheme', OfCustomer<ThemeChoice>>;
type UnassignTheme = Command<'UnassignTheme', OfCustomer>;
/** Does nothing if the customer has another theme; `to` null leaves it without one. */
export type FallBackFromTheme = Command<'FallBackFromTheme', OfCustomer<{ from: string; to: string | null }>>;
/** Absent fields stay unchanged. The sender has claimed the external id with the service integrator. */
export type ChangeCustomerRecords = Command<
  'ChangeCustomerRecords',
  OfCustomer<{ [Field in keyof CustomerRecords]?: CustomerRecords[Field] | undefined }>
>;
/**
 * The second step of a move to a service integrator; see `moveCustomer`. `move` is the number of the move, `externalId` what that one
 * has claimed, `defaultThemeId` its default theme.
 */
export type MoveCustomer = Command<
  'MoveCustomer',
  OfCustomer<{
    integratorId: IntegratorId;
    move: number;
    records: MovedRecords;
    externalId: string | null;
    defaultThemeId: ThemeId | null;
  }>
>;
export type RotateLicenseKey = Command<'RotateLicenseKey', OfCustomer<{ licenseKey: string }>>;
/** `verifiedAgainst` is the hash that the current password was verified with, null if it was the license key. */
export type ChangePassword = Command<'ChangePassword', OfCustomer<{ passwordHash: string; verifiedAgainst: string | null }>>;
/** Removes the password; does nothing if none is set. */
type ResetPassword = Command<'ResetPassword', OfCustomer>;
/** Null includes everything. */
type SetLicenseEntitlements = Command<'SetLicenseEntitlements', OfCustomer<{ entitlements: Entitlements }>>;
/** `startsAt` is that of the present term, or now, if absent. */
type SetLicenseTerm = Command<'SetLicenseTerm', OfCustomer<Omit<Term, 'startsAt'> & { startsAt?: string | undefined }>>;
type RemoveLicenseTerm = Command<'RemoveLicenseTerm', OfCustomer>;
type RenewLicense = Command<'RenewLicense', OfCustomer<{ months: number }>>;
type ExtendLicense = Command<'ExtendLicense', OfCustomer<{ days: number }>>;
/** Records what the clock has passed: the expiry, and the end of the grace. */
type AdvanceLicenseTerm = Command<'AdvanceLicenseTerm', OfCustomer>;
/** `voidId` is the id of a new void; `isRecorded` whether any call of the range was recorded, whether or not it was voided since. */
export type VoidApiCalls = Command<
  'VoidApiCalls',
  OfCustomer<CallRange & { voidId: CallVoidId; reason: string; isRecorded: boolean }>
>;
type RequestAccountDeletion = Command<'RequestAccountDeletion', OfCustomer>;
type WithdrawAccountDeletion = Command<'WithdrawAccountDeletion', OfCustomer>;
type DeleteCustomer = Command<'DeleteCustomer', OfCustomer>;

export type RegisterUser = Command<
  'RegisterUser',
  OfUser<{ username: string; email: string; role: UserRole; machineId: string | null; machineName?: string | null }>
>;
/**
 * A command-line tool signs in its user. `userId` is the id of a new user; `findUser` in the resulting state returns the user that
 * signed in.
 */
export type SignInUser = Command<
  'SignInUser',
  OfUser<{ username: string; email: string; machineId: string | null; machineName?: string | null }>
>;
/** Absent fields stay unchanged. */
export type ChangeUserDetails = Command<'ChangeUserDetails', OfUser<{ username?: string | undefined; email?: string | undefined }>>;
export type ChangeUserRole = Command<'ChangeUserRole', OfUser<{ role: UserRole }>>;
/** A machine that may not sign in as the user requests approval. `requestId` is the id of a new request. */
export type RequestMachineApproval = Command<
  'RequestMachineApproval',
  OfUser<{ requestId: MachineRequestId; machineId: string; machineName: string | null }>
>;
/** `approvingMachineId` is the user's own machine that approves; null if the customer, its integrator or an administrator does. */
export type ApproveMachine = Command<'ApproveMachine', OfUser<{ requestId: MachineRequestId; approvingMachineId: string | null }>>;
export type RejectMachine = Command<'RejectMachine', OfUser<{ requestId: MachineRequestId; approvingMachineId: string | null }>>;
/** The user approves a machine that showed a code, and signs in on it. */
export type AuthorizeMachine = Command<'AuthorizeMachine', OfUser<{ machineId: string; machineName: string | null }>>;
export type RenameMachine = Command<
  'RenameMachine',
  OfUser<{ machineId: string; machineName: string; approvingMachineId: string | null }>
>;
type RemoveMachine = Command<'RemoveMachine', OfUser<{ machineId: string; approvingMachineId: string | null }>>;
/** `licenseId` is the id of a new offline license for the machine with the fingerprint. */
export type IssueOfflineLicense = Command<
  'IssueOfflineLicense',
  OfUser<{ licenseId: OfflineLicenseId; fingerprint: string; machineName: string | null }>
>;
type EnforceMachineApproval = Command<'EnforceMachineApproval', OfCustomer>;
type RelaxMachineApproval = Command<'RelaxMachineApproval', OfCustomer>;
/** How many machines each user may have at most; null for the product's own limit. */
type SetMachineLimit = Command<'SetMachineLimit', OfCustomer<{ limit: number | null }>>;
/** How many API calls are recorded in a month; null for any number. */
type SetCallQuota = Command<'SetCallQuota', OfCustomer<{ quota: CallQuota | null }>>;
/**
 * Records what part of the quota `used` calls of a month (yyyy-mm, UTC) reach. They were counted without the calls of the first
 * `countedVoids` voids of the customer.
 */
type AnnounceCallQuota = Command<'AnnounceCallQuota', OfCustomer<{ month: string; used: number; countedVoids: number }>>;
/** After how many idle days seats are released automatically; null for never. */
type SetIdleRelease = Command<'SetIdleRelease', OfCustomer<{ days: number | null }>>;
/** After how many minutes without use the lease of a floating seat ends; null for named seats. */
type SetFloatingSeats = Command<'SetFloatingSeats', OfCustomer<{ kind: SeatKind; minutes: number | null }>>;
/** Changes nothing: refuses the commands that are sent with it if the user has changed since the sender read it. */
export type ExpectUser = Command<'ExpectUser', OfUser<{ username: string; email: string; role: UserRole; status: UserStatus }>>;
export type ActivateUser = Command<'ActivateUser', OfUser<{ reason: string | null }>>;
type DeactivateUser = Command<'DeactivateUser', OfUser<{ reason: string | null }>>;
/** Deactivates a user whose seat was idle for so many days; does nothing if the license no longer says so, or the user holds no seat. */
type ReleaseIdleSeat = Command<'ReleaseIdleSeat', OfUser<{ days: number }>>;
type SuspendUser = Command<'SuspendUser', OfUser<{ reason: string | null }>>;
/** Ends the user for good: seat, machines, name and email address. */
type RemoveUser = Command<'RemoveUser', OfUser>;

/** Copies the plan of the license again, with what the plan changed since. `plan` is the plan as it is now. */
export type ApplyPlan = Command<'ApplyPlan', OfCustomer<{ plan: PlanCopy }>>;

/** Gives the license another plan; null for the built-in one. Either the term of the plan starts now, or the expiry stays. */
export type MoveToPlan = Command<'MoveToPlan', OfCustomer<{ plan: PlanCopy | null; term: 'keep' | 'start' }>>;

/** Commands about how long the license runs. */
export type TermCommand = SetLicenseTerm | RemoveLicenseTerm | RenewLicense | ExtendLicense | AdvanceLicenseTerm;

/** Commands about the monthly quota of API calls. */
export type CallQuotaCommand = SetCallQuota | AnnounceCallQuota;

export type LicenseCommand =
  | ChangeCustomerDetails
  | AllocateSeats
  | EnforceSeatLimits
  | RelaxSeatLimits
  | EnforceMachineApproval
  | RelaxMachineApproval
  | SetMachineLimit
  | CallQuotaCommand
  | SetIdleRelease
  | SetFloatingSeats
  | SuspendCustomer
  | ReactivateCustomer
  | ChurnCustomer
  | AssignTheme
  | UnassignTheme
  | FallBackFromTheme
  | RotateLicenseKey
  | ApplyPlan
  | MoveToPlan
  | SetLicenseEntitlements
  | ChangeCustomerRecords
  | MoveCustomer
  | TermCommand
  | VoidApiCalls
  | ChangePassword
  | ResetPassword
  | RequestAccountDeletion
  | WithdrawAccountDeletion;

/** Commands about the machines on which a user may use the tool. */
export type MachineCommand = RequestMachineApproval | ApproveMachine | RejectMachine | RenameMachine | RemoveMachine;

/** Commands about one user of a customer. They go to the customer's stream, since users share its seats. */
export type UserCommand =
  | RegisterUser
  | SignInUser
  | ChangeUserDetails
  | ChangeUserRole
  | ExpectUser
  | MachineCommand
  | AuthorizeMachine
  | IssueOfflineLicense
  | ActivateUser
  | DeactivateUser
  | ReleaseIdleSeat
  | SuspendUser
  | RemoveUser;

/** All commands to a customer, its users and their machines. */
export type CustomerCommand = RegisterCustomer | AbandonEnrolment | DeleteCustomer | LicenseCommand | UserCommand;
