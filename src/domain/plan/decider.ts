import { Map as ImmutableMap } from 'immutable';
import { accept, type Command, type Decider, type Decision, refuse } from '../decider.ts';
import type { PlanCode } from '../ids.ts';
import { isSameCallQuota } from '../license/callQuota.ts';
import { isSameEntitlements, orderedEntitlements } from '../license/entitlements.ts';
import { DEFAULT_PLAN, MAX_PLANS } from '../limits.ts';
import type { PlanCopy, PlanEvent, PlanTerms } from './events.ts';
import { hasTerm, planTermsOf } from './terms.ts';

type CreatePlan = Command<'CreatePlan', PlanTerms & { code: PlanCode }>;
type Kept = 'termDays' | 'entitlements' | 'offlineDays' | 'callQuota' | 'floatingDeveloperMinutes';
/** Without entitlements, days of offline licenses, a quota, or minutes of floating seats, the plan keeps its own; without a term in both units, its term in days. */
type ChangePlan = Command<
  'ChangePlan',
  Omit<PlanTerms, Kept> & { code: PlanCode } & { [Field in Kept]?: PlanTerms[Field] | undefined }
>;
type RetirePlan = Command<'RetirePlan', { code: PlanCode }>;

/** All commands to the plans. */
export type PlanCommand = CreatePlan | ChangePlan | RetirePlan;
/** Why a command to the plans is refused. */
export type PlanRefusal =
  | 'plan_not_found'
  | 'plan_exists'
  | 'plan_built_in'
  | 'plan_retired'
  | 'plan_term_missing'
  | 'plan_limit_reached';

type Plan = PlanCopy & Readonly<{ isRetired: boolean }>;
/** The plans of the installation beside the built-in one, by code. Retired plans keep their code. */
export type Plans = ImmutableMap<PlanCode, Plan>;

type Decided = Decision<PlanEvent, PlanRefusal>;

/** `other` may have its entitlements in any order. */
const isSame = (one: PlanTerms, other: PlanTerms): boolean =>
  one.name === other.name &&
  one.developerSeats === other.developerSeats &&
  one.stakeholderSeats === other.stakeholderSeats &&
  one.seatLimitsEnforced === other.seatLimitsEnforced &&
  one.termMonths === other.termMonths &&
  one.termDays === other.termDays &&
  one.graceDays === other.graceDays &&
  one.isTrial === other.isTrial &&
  one.offlineDays === other.offlineDays &&
  one.floatingDeveloperMinutes === other.floatingDeveloperMinutes &&
  isSameCallQuota(one.callQuota, other.callQuota) &&
  isSameEntitlements(one.entitlements, orderedEntitlements(other.entitlements));

const lacksTerm = (terms: PlanTerms): boolean => !hasTerm(terms) && (terms.graceDays > 0 || terms.isTrial);

/** Creating a plan again as it is does nothing, so that clients may retry. */
const create = ({ data }: CreatePlan, plans: Plans): Decided => {
  const before = plans.get(data.code);
  if (before) return !before.isRetired && isSame(before, data) ? accept() : refuse('plan_exists');
  if (data.code === DEFAULT_PLAN) return refuse('plan_built_in');
  if (lacksTerm(data)) return refuse('plan_term_missing');
  if (plans.size >= MAX_PLANS) return refuse('plan_limit_reached');
  return accept({ type: 'PlanCreated', data: { code: data.code, ...planTermsOf(data) } });
};

const decide = (command: PlanCommand, plans: Plans): Decided => {
  if (command.type === 'CreatePlan') return create(command, plans);
  const { code } = command.data;
  if (code === DEFAULT_PLAN) return refuse('plan_built_in');
  const plan = plans.get(code);
  if (!plan) return refuse('plan_not_found');
  if (command.type === 'RetirePlan') return plan.isRetired ? accept() : accept({ type: 'PlanRetired', data: { code } });
  if (plan.isRetired) return refuse('plan_retired');
  const { entitlements = plan.entitlements, offlineDays = plan.offlineDays, callQuota = plan.callQuota } = command.data;
  const { floatingDeveloperMinutes = plan.floatingDeveloperMinutes } = command.data;
  // Callers of former versions know months only: their months replace the days, and no months leave them.
  const { termMonths, termDays = termMonths === null ? plan.termDays : null } = command.data;
  const terms = { ...command.data, termDays, entitlements, offlineDays, callQuota, floatingDeveloperMinutes };
  if (lacksTerm(terms)) return refuse('plan_term_missing');
  return isSame(plan, terms) ? accept() : accept({ type: 'PlanChanged', data: { code, ...planTermsOf(terms) } });
};

const evolve = (plans: Plans, event: PlanEvent): Plans => {
  const { code } = event.data;
  const before = plans.get(code);
  switch (event.type) {
    case 'PlanCreated':
      return plans.set(code, { code, version: 1, isRetired: false, ...planTermsOf(event.data) });
    case 'PlanChanged':
      return before ? plans.set(code, { ...before, version: before.version + 1, ...planTermsOf(event.data) }) : plans;
    case 'PlanRetired':
      return before ? plans.set(code, { ...before, isRetired: true }) : plans;
  }
};

/** The plans of the installation. A license copies its plan, so that later changes of the plan do not change the license. */
export const plansDecider: Decider<PlanCommand, Plans, PlanEvent, PlanRefusal> = { initial: ImmutableMap(), decide, evolve };
