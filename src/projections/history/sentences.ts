import type { Facts, Value, Values } from '../../database/tables/history.ts';
import { ERASED } from '../../domain/event.ts';

const SERVICES: Values = { jira: 'Jira', azdo: 'Azure DevOps', confluence: 'Confluence' };

const KEY_SIGN_INS: Values = { allowed: 'allowed', break_glass: 'emergencies only', off: 'off' };

const seats = (n: Value | undefined): string => (n === -1 ? 'unlimited' : String(n));
const because = ({ statusReason }: Values): string => (statusReason ? `: ${statusReason}` : '');
const service = ({ service: name }: Values): Value => SERVICES[String(name)] ?? name ?? '';
const to = ({ instanceUrl, ...rest }: Values): string => `${service(rest)} credential for ${instanceUrl}`;

/** The sentence for an event, by its type, without its actor. Entries store it, so a new wording needs a new version. */
const sentences = {
  CustomerRegistered: ({ name }) => `${name} was registered`,
  LicenseIssued: ({ tier }) => `A license key of tier ${tier} was issued`,
  SeatsAllocated: ({ developerSeats, stakeholderSeats }) =>
    `Seats set to ${seats(developerSeats)} developer, ${seats(stakeholderSeats)} stakeholder`,
  SeatLimitsEnforced: () => 'Seat limits are enforced',
  SeatLimitsRelaxed: () => 'Seat limits are no longer enforced',
  CustomerDetailsChanged: () => 'Name, contact or company changed',
  CustomerSuspended: (now) => `The customer was suspended${because(now)}`,
  CustomerReactivated: (now) => `The customer was reactivated${because(now)}`,
  CustomerChurned: (now) => `The customer churned${because(now)}`,
  ThemeAssigned: ({ theme, source }) =>
    source === 'default' ? `The default theme ${theme} was assigned` : `Theme ${theme} was assigned`,
  ThemeUnassigned: () => 'The theme was removed',
  LicenseKeyRotated: () => 'The license key was rotated',
  UserRegistered: ({ username, email, role }) => `User ${username} (${email}) was registered as ${role}`,
  UserDetailsChanged: ({ username }) => `Username or email of ${username} changed`,
  UserRoleChanged: ({ username, role }) => `The role of user ${username} changed to ${role}`,
  UserMachineChanged: ({ username }) => `User ${username} switched to another machine`,
  MachineApprovalRequested: ({ username }) => `A new machine asked to sign in as ${username}`,
  MachineApproved: ({ username }) => `A machine was approved for user ${username}`,
  MachineRejected: ({ username }) => `A new machine was rejected for user ${username}`,
  MachineRemoved: ({ username }) => `A machine of user ${username} was removed`,
  MachineApprovalEnforced: () => 'New machines need approval',
  MachineApprovalRelaxed: () => 'New machines no longer need approval',
  UserActivated: (now) => `User ${now.username} was activated${because(now)}`,
  UserDeactivated: (now) => `User ${now.username} was deactivated${because(now)}`,
  UserSuspended: (now) => `User ${now.username} was suspended${because(now)}`,
  SeatClaimed: ({ username, kind }) => `User ${username} claimed a ${kind} seat`,
  SeatReleased: ({ username, kind }) => `User ${username} released a ${kind} seat`,
  PasswordChanged: () => 'The portal password was changed',
  PasswordReset: () => 'The portal password was reset',
  AccountDeletionRequested: () => 'Deletion of the account was requested',
  AccountDeletionWithdrawn: () => 'The request to delete the account was withdrawn',
  CustomerDeleted: () => 'The customer was deleted',
  UserAuthenticated: ({ username }) => `User ${username} signed in with the command-line tool`,
  CredentialStored: (now) => `The ${to(now)} was added`,
  CredentialRevised: (now) =>
    `The ${to(now)} was edited${now.secretChanged ? ', with a new secret' : ''}${now.secretRemoved ? ', a secret was removed' : ''}`,
  CredentialTested: (now) => `The ${to(now)} was tested: ${now.ok ? 'connected' : now.detail}`,
  CredentialExpired: (now) => `The ${to(now)} expired`,
  CredentialDeleted: (now) => `The ${to(now)} was deleted`,
  ThemeCreated: ({ displayName }) => `Theme ${displayName} was created`,
  ThemeRevised: ({ displayName }) => `Theme ${displayName} was revised`,
  ThemeMadeDefault: ({ displayName }) => `Theme ${displayName} became the default theme`,
  ThemeActivated: ({ displayName }) => `Theme ${displayName} was activated`,
  ThemeDeactivated: ({ displayName }) => `Theme ${displayName} was deactivated`,
  ThemeDeleted: ({ displayName }) => `Theme ${displayName} was deleted`,
  IntegratorRegistered: ({ companyName }) => `${companyName} was registered`,
  MasterLicenseIssued: () => 'A master license key was issued',
  IntegratorProfileChanged: () => 'Company name or email addresses changed',
  IntegratorSuspended: (now) => `The service integrator was suspended${because(now)}`,
  IntegratorReactivated: (now) => `The service integrator was reactivated${because(now)}`,
  IntegratorChurned: (now) => `The service integrator churned${because(now)}`,
  WhiteLabelEnabled: () => 'White-label was enabled',
  WhiteLabelDisabled: () => 'White-label was disabled',
  BrandingChanged: () => 'Custom domain or logo changed',
  MasterLicenseKeyRotated: () => 'The master license key was rotated',
  IntegratorDeleted: () => 'The service integrator was deleted',
  AdminKeyRotated: () => 'The admin key was rotated',
  MemberInvited: ({ name, email, role }) => `${name} (${email}) was invited as ${role}`,
  InvitationWithdrawn: ({ name }) => `The invitation of ${name} was withdrawn`,
  MemberJoined: ({ name }) => `${name} joined`,
  MemberDetailsChanged: ({ name }) => `Name or email of ${name} changed`,
  MemberRoleChanged: ({ name, role }) => `The role of ${name} changed to ${role}`,
  MemberRemoved: ({ name }) => `${name} was removed`,
  MemberPasswordSet: ({ name }) => `${name} set a password`,
  SecondFactorEnabled: ({ name }) => `${name} turned on one-time passwords`,
  SecondFactorDisabled: ({ name }) => `One-time passwords of ${name} were turned off`,
  RecoveryCodesReplaced: ({ name }) => `${name} replaced the recovery codes`,
  RecoveryCodeUsed: ({ name }) => `${name} signed in with a recovery code`,
  PasskeyAdded: ({ name, passkey }) => `${name} added the passkey ${passkey}`,
  PasskeyRemoved: ({ name, passkey }) => `${name} removed the passkey ${passkey}`,
  MemberSessionsRevoked: ({ name, everybody, sessions }) => {
    if (everybody) return 'The sessions of all named users were revoked';
    const whose = name ?? 'the key';
    if (typeof sessions !== 'number') return `The sessions of ${whose} were revoked`;
    return sessions === 1 ? `A session of ${whose} was revoked` : `${sessions} sessions of ${whose} were revoked`;
  },
  BreakGlassUsed: () => 'The key signed in for an emergency, and the owners were notified',
  NewSignInNoticed: ({ name }) => `${name} was notified of a sign-in from a new browser or address`,
  WrongCodesNoticed: ({ name }) => `${name} was notified of wrong codes after the right password`,
  NoticesDismissed: ({ name, notices }) => (notices === 1 ? `${name} dismissed a notice` : `${name} dismissed ${notices} notices`),
  SignInPolicyChanged: ({ keySignIn, secondFactorRequired }) =>
    `Sign-in with the key was set to ${KEY_SIGN_INS[String(keySignIn)]}, a second factor is ${secondFactorRequired ? 'required' : 'optional'}`,
  IdentityProviderConfigured: ({ issuer, domains }) => `Sign-in with OpenID Connect was set up: ${issuer} for ${domains}`,
  IdentityProviderRemoved: () => 'Sign-in with OpenID Connect was removed',
  MemberProvisioned: ({ name, email, role }) => `${name} (${email}) joined with OpenID Connect as ${role}`,
  IdentityLinked: ({ name }) => `${name} was linked to an account of the identity provider`,
  ApiTokenCreated: ({ name }) => `API token ${name} was created`,
  ApiTokenRevoked: ({ name }) => `API token ${name} was revoked`,
  ServerStarted: ({ version, roles }) => `A server started with version ${version} (${roles})`,
  ReadModelsRebuilt: ({ group }) =>
    group === 'usage' ? 'The read models of API calls were rebuilt' : 'The read models were rebuilt',
} satisfies { [type: string]: (now: Values) => string };

export type HistoryType = keyof typeof sentences;

export const isHistoryType = (type: string): type is HistoryType => Object.hasOwn(sentences, type);

/** `isRevert` is whether the event takes an earlier one back. */
export const summaryOf = (type: HistoryType, { now }: Facts, isRevert: boolean): string =>
  isRevert ? `Reverted: ${sentences[type](now)}` : sentences[type](now);

type Change = { field: string; before: Value; after: Value };

/** The changed fields. Of an erased value it is unknown whether it changed. */
export const changesOf = ({ now, before }: Facts): Change[] =>
  Object.entries(before).flatMap(([field, value]) => {
    const after = now[field] ?? null;
    return after === value || after === ERASED ? [] : [{ field, before: value, after }];
  });

const PERSONAL: ReadonlySet<string> = new Set([
  'name',
  'contactEmail',
  'company',
  'companyName',
  'billingEmail',
  'username',
  'email',
  'machineId',
  'machineName',
  'passkey',
  'statusReason',
  'networks',
  'browser',
]);

const blanked = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, PERSONAL.has(field) && value !== null ? ERASED : value]),
  );

/** The facts after the data key of the customer or integrator was destroyed. */
export const withoutPersonalData = ({ now, before }: Facts): Facts => ({ now: blanked(now), before: blanked(before) });
