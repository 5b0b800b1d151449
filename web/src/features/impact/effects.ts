import type { Customer, UpdateCustomer } from '../../../../src/contracts/customers.ts';
import type { CustomerImpact, IntegratorImpact } from '../../../../src/contracts/impact.ts';
import type { ServiceIntegrator, UpdateIntegrator } from '../../../../src/contracts/integrators.ts';
import { UNLIMITED } from '../../ui/seats.ts';
import { impactTexts as texts } from './texts.ts';

/** A change that the user must confirm before it is saved. Of several in one form, the most severe names the dialog. */
export type CustomerChange = 'suspend' | 'churn' | 'reduceSeats' | 'enforceLimits';

const kinds = [
  { seats: 'developerSeats', active: 'activeDeveloperSeats', label: 'developer' },
  { seats: 'stakeholderSeats', active: 'activeStakeholderSeats', label: 'stakeholder' },
] as const;

type Seated = Pick<Customer, 'activeDeveloperSeats' | 'activeStakeholderSeats'>;

const isFewer = (after: number, before: number): boolean => after !== UNLIMITED && (before === UNLIMITED || after < before);

const startsEnforcing = (before: Customer, after: UpdateCustomer): boolean =>
  after.seatLimitsEnforced === true && !before.seatLimitsEnforced;

/** By kind of seat, how many users hold a seat beyond the limit after the change. */
const exceeding = (before: Customer, after: UpdateCustomer, seated: Seated) =>
  kinds.flatMap(({ seats, active, label }) => {
    const limit = after[seats] ?? before[seats];
    const over = limit === UNLIMITED ? 0 : seated[active] - limit;
    const isAffected = isFewer(limit, before[seats]) || startsEnforcing(before, after);
    return over > 0 && isAffected ? [{ over, limit, label }] : [];
  });

/** What the user must confirm before a change of a customer is saved; null if nothing needs confirmation. */
export const consequenceOf = (before: Customer, after: UpdateCustomer): CustomerChange | null => {
  if (after.status !== undefined && after.status !== before.status) {
    if (after.status === 'suspended') return 'suspend';
    if (after.status === 'churned') return 'churn';
  }
  if (exceeding(before, after, before).length === 0) return null;
  const isReduced = kinds.some(({ seats }) => isFewer(after[seats] ?? before[seats], before[seats]));
  return isReduced ? 'reduceSeats' : 'enforceLimits';
};

const ended = ({ connections, portalSessions }: Pick<CustomerImpact, 'connections' | 'portalSessions'>): string[] => [
  ...(connections > 0 ? [texts.disconnected(connections)] : []),
  ...(portalSessions > 0 ? [texts.portalEnded(portalSessions)] : []),
];

/** The effects of a change of a customer, one sentence each. */
export const effectsOfChange = (before: Customer, after: UpdateCustomer, impact: CustomerImpact): string[] => {
  const isLocked = after.status !== undefined && after.status !== before.status && after.status !== 'active';
  const over = exceeding(before, after, impact);
  const isEnforced = after.seatLimitsEnforced ?? before.seatLimitsEnforced;
  return [
    ...(isLocked ? ended(impact) : []),
    ...(isLocked ? [impact.users > 0 ? texts.usersLockedOut(impact.users) : texts.noSignIn] : []),
    ...over.map(({ over, limit, label }) => texts.exceeding(over, limit, label)),
    ...(over.length > 0 ? [isEnforced ? texts.seatsKept : texts.seatsNotEnforced] : []),
  ];
};

/** The effects of suspending or churning several customers, one sentence each. */
export const effectsOnSeveral = (impact: Pick<CustomerImpact, 'connections' | 'portalSessions' | 'users'>): string[] => [
  ...ended(impact),
  ...(impact.users > 0 ? [texts.usersOfSeveralLockedOut(impact.users)] : []),
];

/** The effects of deleting a customer, one sentence each. */
export const effectsOfDeletion = (impact: CustomerImpact): string[] => {
  const removed = texts.removed(impact);
  return [...ended(impact), ...(removed ? [removed] : [])];
};

/** What the user must confirm before a change of a service integrator is saved; null if nothing needs confirmation. */
export const integratorConsequenceOf = (before: ServiceIntegrator, after: UpdateIntegrator): 'suspend' | 'churn' | null => {
  if (after.status === undefined || after.status === before.status || after.status === 'active') return null;
  return after.status === 'suspended' ? 'suspend' : 'churn';
};

const integratorEnded = ({ sessions }: IntegratorImpact): string[] => (sessions > 0 ? [texts.sessionsEnded(sessions)] : []);

const released = ({ customDomain, whiteLabelEnabled }: ServiceIntegrator): string[] => [
  ...(customDomain ? [texts.domainReleased(customDomain)] : []),
  ...(whiteLabelEnabled ? [texts.brandingRemoved] : []),
];

/** The effects of suspending or churning a service integrator, one sentence each. */
export const effectsOnIntegrator = (
  change: 'suspend' | 'churn',
  integrator: ServiceIntegrator,
  impact: IntegratorImpact,
): string[] => [
  ...integratorEnded(impact),
  texts.integratorNoSignIn,
  ...(change === 'churn' ? [...released(integrator), texts.noNewCustomers] : []),
  ...(impact.customers > 0 ? [texts.customersKeep(impact.customers)] : []),
];

/** The effects of deleting a service integrator, one sentence each. */
export const effectsOfIntegratorDeletion = (integrator: ServiceIntegrator, impact: IntegratorImpact): string[] => [
  ...integratorEnded(impact),
  ...(impact.customThemes > 0 ? [texts.themesRemoved(impact.customThemes)] : []),
  ...(integrator.customDomain ? [texts.domainReleased(integrator.customDomain)] : []),
];

const isText = (value: unknown): value is string => typeof value === 'string';

/** The effects of changes of single fields, such as those of a revert, one sentence each. */
export const effectsOfRevert = (
  changes: readonly { field: string; before?: unknown; after?: unknown }[],
  impact: CustomerImpact,
): string[] => {
  const status = changes.find(({ field }) => field === 'status')?.after;
  const isLocked = isText(status) && status !== 'active';
  const over = kinds.flatMap(({ seats, active, label }) => {
    const limit = changes.find(({ field }) => field === seats)?.after;
    const count = typeof limit === 'number' && limit !== UNLIMITED ? impact[active] - limit : 0;
    return count > 0 ? [texts.exceeding(count, Number(limit), label)] : [];
  });
  return [
    ...(isLocked ? [...ended(impact), impact.users > 0 ? texts.usersLockedOut(impact.users) : texts.noSignIn] : []),
    ...over,
    ...(over.length > 0 ? [texts.seatsKept] : []),
  ];
};
