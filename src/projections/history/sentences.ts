import { ERASED } from '../../domain/event.ts';
import type { Change, Facts, Value, Values } from './row.ts';

const SERVICES: Values = { jira: 'Jira', azdo: 'Azure DevOps', confluence: 'Confluence' };

const seats = (n: Value | undefined): string => (n === -1 ? 'unlimited' : String(n));
const because = ({ reason }: Values): string => (reason ? `: ${reason}` : '');
const service = ({ service: name }: Values): Value => SERVICES[String(name)] ?? name ?? '';
const to = ({ instanceUrl, ...rest }: Values): string => `${service(rest)} credential for ${instanceUrl}`;

/** What is told of an event, by its type, in a sentence without its actor. Entries keep it, so a new wording is a new version. */
export const sentences = {
  CustomerRegistered: ({ name }) => `${name} was registered`,
  LicenseIssued: ({ tier }) => `A licence key of tier ${tier} was issued`,
  SeatsAllocated: ({ developerSeats, stakeholderSeats }) =>
    `Seats were set to ${seats(developerSeats)} developer and ${seats(stakeholderSeats)} stakeholder`,
  SeatLimitsEnforced: () => 'Seat limits are enforced',
  SeatLimitsRelaxed: () => 'Seat limits are no longer enforced',
  CustomerDetailsChanged: () => 'Name, contact or company changed',
  CustomerSuspended: (now) => `The customer was suspended${because(now)}`,
  CustomerReactivated: (now) => `The customer was reactivated${because(now)}`,
  CustomerChurned: (now) => `The customer churned${because(now)}`,
  ThemeAssigned: ({ theme, source }) =>
    source === 'default' ? `Theme ${theme} was assigned as the default` : `Theme ${theme} was assigned`,
  ThemeUnassigned: () => 'The theme was removed',
  LicenseKeyRotated: () => 'The licence key was replaced by a new one',
  UserRegistered: ({ username, email, role }) => `User ${username} (${email}) was registered as ${role}`,
  UserDetailsChanged: ({ username }) => `Username or e-mail of ${username} changed`,
  UserRoleChanged: ({ username, role }) => `User ${username} became ${role}`,
  UserMachineChanged: ({ username }) => `User ${username} moved to another machine`,
  UserActivated: ({ username }) => `User ${username} was activated`,
  UserDeactivated: ({ username }) => `User ${username} was deactivated`,
  UserSuspended: ({ username }) => `User ${username} was suspended`,
  SeatClaimed: ({ username, kind }) => `User ${username} took a ${kind} seat`,
  SeatReleased: ({ username, kind }) => `User ${username} gave up a ${kind} seat`,
  PasswordChanged: () => 'The portal password was changed',
  AccountDeletionRequested: () => 'Deletion of the account was requested',
  AccountDeletionWithdrawn: () => 'The request to delete the account was withdrawn',
  CustomerDeleted: () => 'The customer was deleted',
  UserAuthenticated: ({ username }) => `User ${username} signed in with the command-line tool`,
  CredentialStored: (now) => `The ${to(now)} was added`,
  CredentialRevised: (now) => `The ${to(now)} was edited${now.secretChanged ? ', with a new secret' : ''}`,
  CredentialTested: (now) => `The ${to(now)} was tested: ${now.ok ? 'connected' : now.detail}`,
  CredentialExpired: (now) => `The ${to(now)} expired`,
  CredentialDeleted: (now) => `The ${to(now)} was deleted`,
  ThemeRevised: ({ displayName }) => `Theme ${displayName} was revised`,
  ThemeActivated: ({ displayName }) => `Theme ${displayName} was activated`,
  ThemeDeactivated: ({ displayName }) => `Theme ${displayName} was deactivated`,
  ThemeDeleted: ({ displayName }) => `Theme ${displayName} was deleted`,
} satisfies { [type: string]: (now: Values) => string };

export type HistoryType = keyof typeof sentences;

export const isHistoryType = (type: string): type is HistoryType => Object.hasOwn(sentences, type);

export const summaryOf = (type: HistoryType, { now }: Facts): string => sentences[type](now);

/** What changed: of an erased value nobody can say any more whether it did. */
export const changesOf = ({ now, before }: Facts): Change[] =>
  Object.entries(before).flatMap(([field, value]) => {
    const after = now[field] ?? null;
    return after === value || after === ERASED ? [] : [{ field, before: value, after }];
  });

const PERSONAL: ReadonlySet<string> = new Set(['name', 'contactEmail', 'company', 'username', 'email', 'machineId']);

const blanked = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, PERSONAL.has(field) && value !== null ? ERASED : value]),
  );

/** The facts as they read once the customer's data key is gone. */
export const withoutPersonalData = ({ now, before }: Facts): Facts => ({ now: blanked(now), before: blanked(before) });
