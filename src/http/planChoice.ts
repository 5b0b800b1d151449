import type { Commands } from '../commands/commands.ts';
import type { SetCallQuota } from '../contracts/callQuotas.ts';
import type { SetTerm } from '../contracts/terms.ts';
import type { RegisterCustomer } from '../domain/customer/commands.ts';
import type { PlanCode } from '../domain/ids.ts';
import type { Entitlements } from '../domain/license/entitlements.ts';
import { refusalOfTerm } from '../domain/license/term.ts';
import type { PlanCopy } from '../domain/plan/events.ts';
import { BUILT_IN_PLAN, planCopyOf, termOfPlan } from '../domain/plan/terms.ts';
import { HttpProblem } from './problems/problems.ts';

/** What a request says about a new license. What it leaves out is the plan's. */
export type WantedLicense = Readonly<{
  plan?: PlanCode | undefined;
  developerSeats?: number | undefined;
  stakeholderSeats?: number | undefined;
  seatLimitsEnforced?: boolean | undefined;
  term?: SetTerm | undefined;
  entitlements?: Entitlements | undefined;
  callQuota?: SetCallQuota | null | undefined;
  floatingDeveloperMinutes?: number | null | undefined;
}>;

type License = Pick<
  RegisterCustomer['data'],
  | 'plan'
  | 'developerSeats'
  | 'stakeholderSeats'
  | 'seatLimitsEnforced'
  | 'term'
  | 'entitlements'
  | 'callQuota'
  | 'floatingDeveloperMinutes'
>;

/** The copy of a chosen plan; undefined for the built-in one. Throws `plan_unknown` and `plan_retired`. */
export const resolvePlan = async (commands: Commands, code: PlanCode | undefined): Promise<PlanCopy | undefined> => {
  if (code === undefined || code === BUILT_IN_PLAN.code) return undefined;
  const plan = (await commands.plans.load('plans')).state.get(code);
  if (!plan) throw new HttpProblem('plan_unknown', { issues: [{ path: 'plan', message: 'There is no such plan' }] });
  if (plan.isRetired) throw new HttpProblem('plan_retired');
  return planCopyOf(plan);
};

/** A new license from its plan and what the request says instead. `at` is ISO-8601 UTC. Throws problems. */
export const licenseFor = async (commands: Commands, wanted: WantedLicense, at: string): Promise<License> => {
  const plan = await resolvePlan(commands, wanted.plan);
  const given = plan ?? BUILT_IN_PLAN;
  const term = wanted.term ? { ...wanted.term, startsAt: wanted.term.startsAt ?? at } : termOfPlan(given, at);
  const refusal = term && refusalOfTerm(term, at); // before the customer is enrolled with its integrator
  if (refusal) throw new HttpProblem(refusal);
  return {
    plan,
    developerSeats: wanted.developerSeats ?? given.developerSeats,
    stakeholderSeats: wanted.stakeholderSeats ?? given.stakeholderSeats,
    seatLimitsEnforced: wanted.seatLimitsEnforced ?? given.seatLimitsEnforced,
    term,
    entitlements: wanted.entitlements === undefined ? given.entitlements : wanted.entitlements,
    callQuota: wanted.callQuota === undefined ? given.callQuota : wanted.callQuota,
    floatingDeveloperMinutes:
      wanted.floatingDeveloperMinutes === undefined ? given.floatingDeveloperMinutes : wanted.floatingDeveloperMinutes,
  };
};
