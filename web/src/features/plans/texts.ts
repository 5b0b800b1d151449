import { entitlementsText } from '../../../../src/contracts/entitlementLines.ts';
import type { PlanChoice } from '../../../../src/contracts/plans.ts';
import { OFFLINE_LICENSE_DAYS, UNLIMITED_SEATS } from '../../../../src/domain/limits.ts';
import { format } from '../../lib/format.ts';
import { callQuotaTexts } from '../callQuotas/index.ts';
import { planFilterTexts } from './filterTexts.ts';

const seats = (count: number): string => (count === UNLIMITED_SEATS ? 'unlimited' : format.whole(count));
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const lengthOf = ({ termMonths, termDays }: PlanChoice): string | null => {
  if (termMonths !== null) return counted(termMonths, 'month');
  return termDays === null ? null : counted(termDays, 'day');
};

const termOf = (plan: PlanChoice): string => {
  const { graceDays, isTrial } = plan;
  const length = lengthOf(plan);
  if (length === null) return 'Perpetual';
  return [length, ...(isTrial ? ['trial'] : []), ...(graceDays > 0 ? [`${counted(graceDays, 'day')} of grace`] : [])].join(', ');
};

const seatsOf = ({ developerSeats, stakeholderSeats, seatLimitsEnforced, floatingDeveloperMinutes: minutes }: PlanChoice): string =>
  `${seats(developerSeats)} ${minutes === null ? '' : 'floating '}developer, ${seats(stakeholderSeats)} stakeholder${seatLimitsEnforced ? '' : ', not enforced'}`;

const SHOWN = 3;

/** The first codes, and how many there are beside them. */
const includesOf = ({ entitlements }: PlanChoice): string => {
  if (entitlements === null) return 'Everything';
  const codes = entitlements.map(({ code }) => code);
  const more = codes.length - SHOWN;
  return `${codes.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** The texts of plans. */
export const planTexts = {
  title: 'Plans',
  sub: 'What new licenses get. A license copies its plan: later changes are offered to it, not applied.',
  back: 'Customers',
  table: 'Plans table',
  loading: 'Loading plans',
  loadFailed: planFilterTexts.loadFailed,
  columns: {
    plan: 'Plan',
    seats: 'Seats',
    term: 'Term',
    includes: 'Includes',
    callQuota: 'API calls',
    offline: 'Offline licenses',
    licenses: 'Licenses',
    actions: 'Actions',
  },
  builtIn: 'Built in',
  retired: 'Retired',
  seatsOf,
  termOf,
  includesOf,
  quotaOf: ({ callQuota }: PlanChoice): string => (callQuota ? callQuotaTexts.amount(callQuota) : 'Unlimited'),
  offlineOf: ({ offlineDays }: PlanChoice): string => counted(offlineDays, 'day'),
  licenses: (count: number): string => counted(count, 'license'),

  create: 'Create plan',
  createFailed: 'Failed to create the plan',
  edit: 'Edit',
  editOf: (name: string): string => `Edit ${name}`,
  saveFailed: 'Failed to save the plan',
  retire: 'Retire',
  retireOf: (name: string): string => `Retire ${name}`,
  retireFailed: 'Failed to retire the plan',

  /** In the form of a new customer. */
  field: 'Plan',
  choice: planFilterTexts.choice,
  summary: (plan: PlanChoice): string =>
    `${seatsOf(plan)} seats. ${termOf(plan)}.${plan.entitlements ? ` Includes ${entitlementsText(plan.entitlements)}.` : ''}${
      plan.offlineDays === OFFLINE_LICENSE_DAYS ? '' : ` Offline licenses for ${counted(plan.offlineDays, 'day')}.`
    }${plan.callQuota ? ` API calls: ${callQuotaTexts.amount(plan.callQuota)}.` : ''}`,
  /** Of the term of a new license; undefined for a plan without a term. */
  termHintOf: (plan: PlanChoice | undefined): string | undefined =>
    plan && lengthOf(plan) !== null ? 'At the end of this day in UTC. Leave it empty for the term of the plan.' : undefined,
} as const;
