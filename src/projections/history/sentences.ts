import type { Facts, Value, Values } from '../../database/tables/history.ts';
import { ERASED } from '../../domain/event.ts';
import { CALL_QUOTA_NOTICES, UNLIMITED_SEATS } from '../../domain/limits.ts';

const SERVICES: Values = { jira: 'Jira', azdo: 'Azure DevOps', confluence: 'Confluence' };

const KEY_SIGN_INS: Values = { allowed: 'allowed', break_glass: 'emergencies only', off: 'off' };

const seats = (n: Value | undefined): string => (n === UNLIMITED_SEATS ? 'unlimited' : String(n));
const because = ({ statusReason }: Values): string => (statusReason ? `: ${statusReason}` : '');
const day = (instant: Value | undefined): string => String(instant).slice(0, '2026-01-31'.length);
const grace = ({ graceDays }: Values): string =>
  graceDays ? `, with ${graceDays} ${graceDays === 1 ? 'day' : 'days'} of grace` : '';
const service = ({ service: name }: Values): Value => SERVICES[String(name)] ?? name ?? '';
const to = ({ instanceUrl, ...rest }: Values): string => `${service(rest)} credential for ${instanceUrl}`;

/** A range without sequences or times has all of them. */
const calls = ({ firstSequence, lastSequence, from, until }: Values): string => {
  const numbers = firstSequence === null && lastSequence === null ? '' : ` ${firstSequence ?? 1} to ${lastSequence ?? 'the last'}`;
  return `${numbers}${from === null ? '' : ` made from ${from}`}${until === null ? '' : ` made before ${until}`}`;
};

const isErased = (value: Value | undefined): boolean => value === ERASED;
const REMOVED = 'a removed user';
const atStart = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
/** A user of a customer, and a named user; after the removal of either without the name. */
const user = ({ username }: Values): string => (isErased(username) ? REMOVED : `user ${username}`);
const User = (now: Values): string => atStart(user(now));
const member = ({ name }: Values): string => (isErased(name) ? REMOVED : String(name));
const Member = ({ name }: Values): string => (isErased(name) ? atStart(REMOVED) : String(name));
const address = ({ email }: Values): string => (isErased(email) ? '' : ` (${email})`);
const onMachine = ({ machineName }: Values): string =>
  (machineName ?? null) === null || isErased(machineName) ? '' : ` on the machine ${machineName}`;
const passkey = ({ passkey: name }: Values): string => (isErased(name) ? 'a passkey' : `the passkey ${name}`);

const DENIALS: Values = {
  seat_limit_reached: 'no seat was free',
  customer_suspended: 'the customer is suspended',
  customer_churned: 'the license has ended',
  license_expired: 'the license has expired',
  user_suspended: 'the user is suspended',
  user_inactive: 'the user is inactive',
  role_not_allowed: 'stakeholders may not use the tool',
};
const LEASE_ENDS: Values = {
  unused: 'it was not used',
  signed_out: 'the tool was signed out',
  released: 'it was released',
  not_allowed: 'the user or the customer may not use the tool',
  named: 'seats became named',
};
const minutes = (n: Value | undefined): string => (n === 1 ? '1 minute' : `${n} minutes`);
const times = (count: Value | undefined): string => (count === 1 ? '' : ` ${count} times`);
/** Several persons together have no name. */
const denied = (now: Values): string => ((now.username ?? null) === null ? 'Further persons' : User(now));

/** What was changed of several customers, or service integrators. */
const BULK_CHANGES: Readonly<Record<string, string>> = {
  renewal: 'Renewed the licenses',
  extension: 'Extended the licenses',
  plan: 'Changed the plans',
  tags: 'Changed the tags',
  status: 'Changed the status',
  theme: 'Changed the theme',
  integratorStatus: 'Changed the status',
};
const changedRows = (kind: Value | undefined, n: Value | undefined): string => {
  const noun = kind === 'integratorStatus' ? 'service integrator' : 'customer';
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`;
};

const moved = ({ plan, planName, formerPlan }: Values): string =>
  `The license moved from the plan ${formerPlan} to ${plan} (${planName})`;

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
  LicensePlanApplied: (now) => (now.formerPlan ? moved(now) : `The license copied the plan ${now.plan} (${now.planName})`),
  LicensePlanRemoved: (now) => moved(now),
  CustomerRecordsChanged: () => 'Tags, notes, custom fields or external ID changed',
  LicenseEntitlementsSet: ({ entitlements }) =>
    entitlements === null ? 'The license includes everything' : `The license includes ${entitlements}`,
  LicenseTermSet: ({ expiresAt, isTrial, ...now }) =>
    `The ${isTrial ? 'trial' : 'term'} of the license was set to expire on ${day(expiresAt)}${grace(now)}`,
  LicenseTermRemoved: () => 'The license became perpetual',
  LicenseRenewed: ({ expiresAt }) => `The license was renewed until ${day(expiresAt)}`,
  LicenseExtended: ({ expiresAt }) => `The license was extended until ${day(expiresAt)}`,
  LicenseExpiryAnnounced: ({ expiresAt, days }) =>
    `The license expires on ${day(expiresAt)}, within ${days} ${days === 1 ? 'day' : 'days'}`,
  LicenseEnteredGrace: ({ endsAt }) => `The license expired, and works in grace until ${day(endsAt)}`,
  LicenseExpired: ({ endsAt }) => `The license stopped working on ${day(endsAt)}`,
  UserRegistered: (now) => `${User(now)}${address(now)} was registered as ${now.role}${onMachine(now)}`,
  UserDetailsChanged: (now) => `Username or email of ${user(now)} changed`,
  UserRoleChanged: (now) => `The role of ${user(now)} changed to ${now.role}`,
  UserMachineChanged: (now) => `${User(now)} switched to another machine`,
  MachineApprovalRequested: (now) => `A new machine asked to sign in as ${user(now)}`,
  MachineApproved: (now) => `A machine was approved for ${user(now)}`,
  MachineRejected: (now) => `A new machine was rejected for ${user(now)}`,
  MachineRenamed: (now) => `A machine of ${user(now)} was renamed`,
  MachineRemoved: (now) => `A machine of ${user(now)} was removed`,
  OfflineLicenseIssued: ({ expiresAt, ...now }) => `${User(now)} got an offline license until ${day(expiresAt)}`,
  MachineApprovalEnforced: () => 'New machines need approval',
  MachineLimitSet: ({ machineLimit }) =>
    machineLimit === null ? 'The limit of machines per user was removed' : `Machines per user limited to ${machineLimit}`,
  CallQuotaSet: ({ callQuota }) =>
    callQuota === null ? 'The quota of API calls was removed' : `The quota of API calls was set to ${callQuota}`,
  CallQuotaReached: ({ month, limit, percent }) =>
    `${percent}% of the ${Number(limit).toLocaleString('en-US')} API calls of ${month} were used`,
  CallQuotaUseLowered: ({ month, limit, percent }) =>
    `After voids, less than ${CALL_QUOTA_NOTICES.find((notice) => notice > Number(percent))}% of the ${Number(limit).toLocaleString('en-US')} API calls of ${month} are used`,
  IdleReleaseSet: ({ idleReleaseDays: days }) =>
    days === null
      ? 'Idle seats are no longer released automatically'
      : `Seats are released after ${days} idle ${days === 1 ? 'day' : 'days'}`,
  MachineApprovalRelaxed: () => 'New machines no longer need approval',
  UserActivated: (now) => `${User(now)} was activated${because(now)}`,
  UserDeactivated: (now) => `${User(now)} was deactivated${because(now)}`,
  UserSuspended: (now) => `${User(now)} was suspended${because(now)}`,
  UserRemoved: ({ role }) => `A user with the role ${role} was removed, with name and email address`,
  SeatClaimed: (now) => `${User(now)} claimed a ${now.kind} seat`,
  SeatReleased: (now) => `${User(now)} released a ${now.kind} seat`,
  FloatingSeatsSet: ({ kind, floatingMinutes }) =>
    floatingMinutes === null
      ? `${atStart(String(kind))} seats are named`
      : `${atStart(String(kind))} seats float, and become free ${minutes(floatingMinutes)} after the last use`,
  SeatLeased: (now) => `${User(now)} took a floating ${now.kind} seat`,
  SeatHeldOffline: (now) => `An offline license of ${user(now)} holds the floating ${now.kind} seat until ${day(now.until)}`,
  SeatLeaseEnded: (now) => `The floating ${now.kind} seat of ${user(now)} became free: ${LEASE_ENDS[String(now.reason)]}`,
  SeatDenied: (now) => `${denied(now)} got no ${now.kind} seat${times(now.count)}: ${DENIALS[String(now.reason)]}`,
  ApiCallsVoided: (now) => `The recorded calls${calls(now)} of source ${now.sourceId} were voided${because(now)}`,
  PasswordChanged: () => 'The portal password was changed',
  PasswordReset: () => 'The portal password was reset',
  AccountDeletionRequested: () => 'Deletion of the account was requested',
  AccountDeletionWithdrawn: () => 'The request to delete the account was withdrawn',
  CustomerMovedAway: ({ name }) => `${name} moved to another service integrator`,
  CustomerMoved: ({ name }) => `${name} came from another service integrator`,
  CustomerDeleted: () => 'The customer was deleted',
  UserAuthenticated: (now) => `${User(now)} signed in with the command-line tool`,
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
  MemberInvited: (now) => `${Member(now)}${address(now)} was invited as ${now.role}`,
  InvitationWithdrawn: (now) => `The invitation of ${member(now)} was withdrawn`,
  MemberJoined: (now) => `${Member(now)} joined`,
  MemberDetailsChanged: (now) => `Name or email of ${member(now)} changed`,
  MemberRoleChanged: (now) => `The role of ${member(now)} changed to ${now.role}`,
  MemberRemoved: (now) =>
    isErased(now.name) ? 'A named user was removed, with name and email address' : `${now.name} was removed`,
  MemberPasswordSet: (now) => `${Member(now)} set a password`,
  SecondFactorEnabled: (now) => `${Member(now)} turned on one-time passwords`,
  SecondFactorDisabled: (now) => `One-time passwords of ${member(now)} were turned off`,
  RecoveryCodesReplaced: (now) => `${Member(now)} replaced the recovery codes`,
  RecoveryCodeUsed: (now) => `${Member(now)} signed in with a recovery code`,
  PasskeyAdded: (now) => `${Member(now)} added ${passkey(now)}`,
  PasskeyRemoved: (now) => `${Member(now)} removed ${passkey(now)}`,
  MemberSessionsRevoked: ({ everybody, sessions, ...now }) => {
    if (everybody) return 'The sessions of all named users were revoked';
    const whose = (now.name ?? null) === null ? 'the key' : member(now);
    if (typeof sessions !== 'number') return `The sessions of ${whose} were revoked`;
    return sessions === 1 ? `A session of ${whose} was revoked` : `${sessions} sessions of ${whose} were revoked`;
  },
  BreakGlassUsed: () => 'The key signed in for an emergency, and the owners were notified',
  NewSignInNoticed: (now) => `${Member(now)} was notified of a sign-in from a new browser or address`,
  WrongCodesNoticed: (now) => `${Member(now)} was notified of wrong codes after the right password`,
  NoticesDismissed: ({ notices, ...now }) => `${Member(now)} dismissed ${notices === 1 ? 'a notice' : `${notices} notices`}`,
  SignInPolicyChanged: ({ keySignIn, secondFactorRequired }) =>
    `Sign-in with the key was set to ${KEY_SIGN_INS[String(keySignIn)]}, a second factor is ${secondFactorRequired ? 'required' : 'optional'}`,
  IdentityProviderConfigured: ({ issuer, domains }) => `Sign-in with OpenID Connect was set up: ${issuer} for ${domains}`,
  IdentityProviderRemoved: () => 'Sign-in with OpenID Connect was removed',
  MemberProvisioned: (now) => `${Member(now)}${address(now)} joined with OpenID Connect as ${now.role}`,
  IdentityLinked: (now) => `${Member(now)} was linked to an account of the identity provider`,
  IdentityUnlinked: (now) => `${Member(now)} was unlinked from the identity provider`,
  ApiTokenCreated: ({ name }) => `API token ${name} was created`,
  ApiTokenRevoked: ({ name }) => `API token ${name} was revoked`,
  ServerStarted: ({ version, roles }) => `A server started with version ${version} (${roles})`,
  ImportFinished: ({ kind, file, created, changed, unchanged, refused, isComplete }) => {
    const whole = isComplete ? '' : ', stopped before its end';
    return `Imported ${kind}${isErased(file) ? '' : ` from ${file}`}: ${created} created, ${changed} changed, ${unchanged} unchanged, ${refused} refused${whole}`;
  },
  BulkChangeFinished: ({ kind, changed, refused }) =>
    `${BULK_CHANGES[String(kind)]} of ${changedRows(kind, changed)}${refused === 0 ? '' : `, ${refused} refused`}`,
  AlertRuleCreated: ({ rule }) => `The alert rule ${rule} was created`,
  AlertRuleChanged: ({ rule }) => `The alert rule ${rule} was changed`,
  AlertRuleRemoved: ({ rule }) => `The alert rule ${rule} was removed`,
  AlertFired: ({ rule, found }) => `Alert ${rule}: ${found}`,
  AlertResolved: ({ rule }) => `Alert ${rule} was resolved`,
  PlanCreated: ({ plan, planName }) => `The plan ${plan} (${planName}) was created`,
  PlanChanged: ({ plan, planName }) => `The plan ${plan} (${planName}) was changed`,
  PlanRetired: ({ plan, planName }) => `The plan ${plan} (${planName}) was retired`,
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
  'fingerprint',
  'passkey',
  'statusReason',
  'file',
  'networks',
  'externalId',
  'tags',
  'notes',
  'customFields',
  'browser',
]);

const blanked = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, PERSONAL.has(field) && value !== null ? ERASED : value]),
  );

/** The facts after the data key of the customer or integrator was destroyed. */
export const withoutPersonalData = ({ now, before }: Facts): Facts => ({ now: blanked(now), before: blanked(before) });
