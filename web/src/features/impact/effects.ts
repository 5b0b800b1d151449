import type { Customer, UpdateCustomer } from '../../../../src/contracts/customers.ts';
import type { CustomerImpact, IntegratorImpact, LicenseEffects, Named, UserImpact } from '../../../../src/contracts/impact.ts';
import type { ServiceIntegrator, UpdateIntegrator } from '../../../../src/contracts/integrators.ts';
import type { Seat } from '../../../../src/contracts/seats.ts';
import type { AccountStatus } from '../../../../src/domain/enumerations.ts';
import { UNLIMITED_SEATS } from '../../../../src/domain/limits.ts';
import type { SeveralImpact, SeveralIntegratorsImpact, SeveralUsersImpact } from './api/impact.ts';
import { impactTexts as texts } from './texts.ts';

/** A change that the user must confirm before it is saved. Of several in one form, the most severe names the dialog. */
export type CustomerChange = 'suspend' | 'churn' | 'reduceSeats' | 'enforceLimits' | 'nameSeats';

const kinds = [
  { seats: 'developerSeats', active: 'activeDeveloperSeats', label: 'developer' },
  { seats: 'stakeholderSeats', active: 'activeStakeholderSeats', label: 'stakeholder' },
] as const;

type Seated = Pick<Customer, 'activeDeveloperSeats' | 'activeStakeholderSeats'>;

const isFewer = (after: number, before: number): boolean =>
  after !== UNLIMITED_SEATS && (before === UNLIMITED_SEATS || after < before);

const startsEnforcing = (before: Customer, after: UpdateCustomer): boolean =>
  after.seatLimitsEnforced === true && !before.seatLimitsEnforced;

/** Whether developer seats float after a change: users share them, so their number is no limit for the users. */
const floatsAfter = (before: Customer, { floatingDeveloperMinutes: minutes }: UpdateCustomer): boolean =>
  minutes === undefined ? before.floatingDeveloperMinutes !== undefined : minutes !== null;

const becomesNamed = (before: Customer, after: UpdateCustomer): boolean =>
  before.floatingDeveloperMinutes !== undefined && !floatsAfter(before, after);

/** By kind of seat, how many users hold a seat beyond the limit after the change. */
const exceeding = (before: Customer, after: UpdateCustomer, seated: Seated) =>
  kinds.flatMap(({ seats, active, label }) => {
    const isDeveloper = label === 'developer';
    if (isDeveloper && floatsAfter(before, after)) return [];
    const limit = after[seats] ?? before[seats];
    const over = limit === UNLIMITED_SEATS ? 0 : seated[active] - limit;
    const isNamed = isDeveloper && becomesNamed(before, after);
    const isAffected = isFewer(limit, before[seats]) || startsEnforcing(before, after) || isNamed;
    return over > 0 && isAffected ? [{ over, limit, label }] : [];
  });

/** What the user must confirm before a change of a customer is saved; null if nothing needs confirmation. */
export const consequenceOf = (before: Customer, after: UpdateCustomer): CustomerChange | null => {
  if (after.status !== undefined && after.status !== before.status) {
    if (after.status === 'suspended') return 'suspend';
    if (after.status === 'churned') return 'churn';
  }
  const exceeded = exceeding(before, after, before);
  if (exceeded.length === 0) return null;
  if (becomesNamed(before, after) && exceeded.some(({ label }) => label === 'developer')) return 'nameSeats';
  const isReduced = kinds.some(({ seats }) => isFewer(after[seats] ?? before[seats], before[seats]));
  return isReduced ? 'reduceSeats' : 'enforceLimits';
};

/** One effect of a change, with those whom it affects where they may be named. */
export type Effect = Readonly<{ text: string; named?: Named; isHarmless?: true }>;

/** The fields of a change whose effects the server decides. */
export const changeOf = ({
  status,
  developerSeats,
  stakeholderSeats,
  seatLimitsEnforced,
  floatingDeveloperMinutes: minutes,
}: Partial<UpdateCustomer>) => ({
  status,
  developerSeats,
  stakeholderSeats,
  seatLimitsEnforced,
  floatingDeveloperMinutes: minutes === null ? ('named' as const) : minutes,
});

/** An effect if it is one. */
export const when = (isSo: boolean, text: string, named?: Named): Effect[] => (isSo ? [{ text, ...(named && { named }) }] : []);

const ended = ({ connections, connected, portalSessions, apiTokens }: CustomerImpact): Effect[] => [
  ...when(connections > 0, texts.disconnected(connections), connected),
  ...when(portalSessions > 0, texts.portalEnded(portalSessions)),
  ...when(apiTokens > 0, texts.tokensRefused(apiTokens)),
];

const lockedOut = ({ lockedOut }: CustomerImpact): Effect =>
  lockedOut.count > 0 ? { text: texts.usersLockedOut(lockedOut.count), named: lockedOut } : { text: texts.noSignIn };

const seats = ({ overLimit }: Pick<LicenseEffects, 'overLimit'>): Effect[] =>
  overLimit.map(({ kind, limit, holders }) => ({ text: texts.exceeding(holders.count - limit, limit, kind), named: holders }));

/** How many seats are taken after the change, of the kinds that have a limit for all who hold one. */
const seatsAfter = ({ changedSeats = [], overLimit }: Pick<CustomerImpact, 'changedSeats' | 'overLimit'>): Effect[] =>
  changedSeats
    .filter(({ kind }) => !overLimit.some((over) => over.kind === kind))
    .map(({ kind, limit, isFloating, isEnforced, users }) => {
      if (limit === UNLIMITED_SEATS) return texts.seatsUnlimited(users, kind);
      if (isFloating) return texts.seatsShared(users, limit, kind);
      return isEnforced && users === limit ? texts.seatsFull(users, kind) : texts.seatsTaken(users, limit, kind);
    })
    .map((text) => ({ text, isHarmless: true }));

/** The effects of a change of seats, also of one that leaves nobody over the limit. */
export const effectsOnSeats = (impact: Pick<CustomerImpact, 'overLimit' | 'changedSeats'>): Effect[] => {
  const isEnforced = impact.changedSeats?.every((changed) => changed.isEnforced) ?? true;
  return [
    ...seats(impact),
    ...when(impact.overLimit.length > 0, isEnforced ? texts.seatsKept : texts.seatsNotEnforced),
    ...seatsAfter(impact),
  ];
};

/** The effects of copying a plan to a license; none without them. */
export const effectsOnLicense = (effects: LicenseEffects | undefined): Effect[] =>
  effects === undefined
    ? []
    : [
        ...when(effects.lockedOut.count > 0, texts.licenseLocksOut(effects.lockedOut.count), effects.lockedOut),
        ...effectsOnSeats(effects),
      ];

/** The effects of copying plans to several licenses, each with the name of its customer. */
export const effectsOnLicenses = (
  licenses: readonly Readonly<{ customer: string; effects: LicenseEffects | undefined }>[],
): Effect[] =>
  licenses.flatMap(({ customer, effects }) =>
    effects && effects.lockedOut.count + effects.overLimit.length > 0
      ? [...effectsOnLicense({ ...effects, changedSeats: [] })].map((effect) => ({
          ...effect,
          text: texts.ofCustomer(customer, effect.text),
        }))
      : [],
  );

/** The effects of a change of a customer, as the server decides it now. */
export const effectsOfChange = (before: Customer, after: UpdateCustomer, impact: CustomerImpact): Effect[] => {
  const isLocked = after.status !== undefined && after.status !== before.status && after.status !== 'active';
  return [...(isLocked ? [...ended(impact), lockedOut(impact)] : []), ...effectsOnSeats(impact)];
};

/** The effects of suspending or churning several customers. */
export const effectsOnSeveral = (impact: SeveralImpact): Effect[] => [
  ...when(impact.connections > 0, texts.disconnected(impact.connections), impact.connected),
  ...when(impact.portalSessions > 0, texts.portalEnded(impact.portalSessions)),
  ...when(impact.apiTokens > 0, texts.tokensRefused(impact.apiTokens)),
  ...when(impact.lockedOut.count > 0, texts.usersOfSeveralLockedOut(impact.lockedOut.count), impact.lockedOut),
];

/** The effects of deleting a customer. */
export const effectsOfDeletion = (impact: CustomerImpact): Effect[] => {
  const { connections, connected, portalSessions, apiTokens, lockedOut } = impact;
  const removed = texts.removed(impact);
  return [
    ...when(connections > 0, texts.disconnected(connections), connected),
    ...when(portalSessions > 0, texts.portalEnded(portalSessions)),
    ...when(apiTokens > 0, texts.tokensEnded(apiTokens)),
    ...(removed ? [{ text: removed, named: { count: impact.users, names: lockedOut.names } }] : []),
  ];
};

/** The effects of a change of a user's status or role, or of its removal. */
export const effectsOnUser = (impact: UserImpact): Effect[] => {
  const { refusal, isLockedOut, releasedSeat, claimedSeat, isConnected, portalSessions, machines, apiTokens } = impact;
  const { losesTool = isLockedOut, endsSessions = isLockedOut } = impact;
  if (refusal !== null) return [{ text: refusal }];
  return [
    ...when(releasedSeat !== null, texts.seatReleased(releasedSeat ?? '')),
    ...when(claimedSeat !== null, texts.seatClaimed(claimedSeat ?? '')),
    ...when(losesTool && isConnected, texts.userDisconnected),
    ...when(endsSessions && portalSessions > 0, texts.portalEnded(portalSessions)),
    ...when(losesTool && machines.count > 0, texts.machinesRefused(machines.count), machines),
    ...when(apiTokens.count > 0, texts.tokensRefused(apiTokens.count), apiTokens),
  ];
};

/** The effects of a status of several users. */
export const effectsOnSeveralUsers = (impact: SeveralUsersImpact): Effect[] => {
  const { refused, lockedOut, released, claimed, connected, portalSessions, machines, apiTokens } = impact;
  return [
    ...refused.map(({ reason, users }) => ({ text: texts.usersRefused(users.count, reason), named: users })),
    ...when(lockedOut.count > 0, texts.severalUsersLockedOut(lockedOut.count), lockedOut),
    ...released.flatMap(({ kind, count }) => when(count > 0, texts.seatsReleased(count, kind))),
    ...claimed.flatMap(({ kind, count }) => when(count > 0, texts.seatsClaimed(count, kind))),
    ...when(connected.count > 0, texts.usersDisconnected(connected.count), connected),
    ...when(portalSessions > 0, texts.portalEnded(portalSessions)),
    ...when(machines > 0, texts.machinesRefused(machines)),
    ...when(apiTokens > 0, texts.tokensRefused(apiTokens)),
  ];
};

/** The effects of releasing floating seats, whose users stay active. */
export const effectsOfFreeing = (seats: readonly Pick<Seat, 'username' | 'idleSince'>[]): Effect[] => {
  const connected = seats.filter(({ idleSince }) => idleSince === null).map(({ username }) => username);
  return [
    ...when(seats.length > 0, texts.seatsFreed(seats.length)),
    ...when(connected.length > 0, texts.usersDisconnected(connected.length), { count: connected.length, names: connected }),
  ];
};

/** What the user must confirm before a change of a service integrator is saved; null if nothing needs confirmation. */
export const integratorConsequenceOf = (before: ServiceIntegrator, after: UpdateIntegrator): 'suspend' | 'churn' | null => {
  if (after.status === undefined || after.status === before.status || after.status === 'active') return null;
  return after.status === 'suspended' ? 'suspend' : 'churn';
};

const customersOf = ({ customers, customerNames }: IntegratorImpact): Named => ({ count: customers, names: customerNames });

const brandEnded = ({ releasedDomain, endsBranding }: IntegratorImpact): Effect[] => [
  ...when(Boolean(releasedDomain), texts.domainReleased(releasedDomain ?? '')),
  ...when(endsBranding === true, texts.brandingRemoved),
];

/** The effects of suspending or churning a service integrator, one sentence each. */
export const effectsOnIntegrator = (status: AccountStatus, impact: IntegratorImpact): Effect[] => {
  const { refusal, sessions, lockedOut, apiTokens = 0, customers } = impact;
  if (refusal) return [{ text: refusal }];
  const users = lockedOut?.count ?? 0;
  return [
    ...when(sessions > 0, texts.sessionsEnded(sessions)),
    ...when(users > 0, texts.integratorUsersLockedOut(users), lockedOut),
    ...when(apiTokens > 0, texts.tokensRefused(apiTokens)),
    { text: texts.integratorNoSignIn },
    ...brandEnded(impact),
    ...when(status === 'churned', texts.noNewCustomers),
    ...when(customers > 0, texts.customersKeep(customers), customersOf(impact)),
  ];
};

/** The effects of suspending several service integrators. */
export const effectsOnSeveralIntegrators = (impact: SeveralIntegratorsImpact): Effect[] => {
  const { sessions, lockedOut, apiTokens, customers } = impact;
  return [
    ...when(sessions > 0, texts.severalSessionsEnded(sessions)),
    ...when(lockedOut.count > 0, texts.integratorUsersLockedOut(lockedOut.count), lockedOut),
    ...when(apiTokens > 0, texts.tokensRefused(apiTokens)),
    { text: texts.severalIntegratorsNoSignIn },
    ...when(customers.count > 0, texts.customersKeep(customers.count), customers),
  ];
};

/** The effects of deleting a service integrator, one sentence each. */
export const effectsOfIntegratorDeletion = (impact: IntegratorImpact): Effect[] => {
  const { sessions, lockedOut, apiTokens = 0, customThemes } = impact;
  const users = lockedOut?.count ?? 0;
  return [
    ...when(sessions > 0, texts.sessionsEnded(sessions)),
    ...when(users > 0, texts.integratorUsersRemoved(users), lockedOut),
    ...when(apiTokens > 0, texts.tokensEnded(apiTokens)),
    ...when(customThemes > 0, texts.themesRemoved(customThemes)),
    ...brandEnded(impact),
  ];
};

/** The effects of a revert, whose fields are those of a change. */
export const effectsOfRevert = (after: UpdateCustomer, impact: CustomerImpact): Effect[] => [
  ...(after.status !== undefined && after.status !== 'active' ? [...ended(impact), lockedOut(impact)] : []),
  ...effectsOnSeats(impact),
];
