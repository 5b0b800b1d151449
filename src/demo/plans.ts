import { planCode } from '../contracts/plans.ts';
import type { PlanCode } from '../domain/ids.ts';
import type { CallQuota } from '../domain/license/callQuota.ts';
import type { Term } from '../domain/license/term.ts';
import { OFFLINE_LICENSE_DAYS } from '../domain/limits.ts';
import type { PlanCommand } from '../domain/plan/decider.ts';
import type { PlanCopy, PlanTerms } from '../domain/plan/events.ts';
import { planCopyOf } from '../domain/plan/terms.ts';
import { type DatedAction, instantAt, must, runInOrder, type SeedContext } from './datedActions.ts';
import type { CustomerSpec, DemoPlan } from './specs.ts';

/** Before the first service integrator. */
const CREATED_DAYS_AGO = 395;
const CHANGED_DAYS_AGO = 6;

const COMMON = {
  stakeholderSeats: 5,
  seatLimitsEnforced: true,
  termMonths: 12,
  termDays: null,
  graceDays: 14,
  isTrial: false,
  offlineDays: OFFLINE_LICENSE_DAYS,
  entitlements: null,
  callQuota: null,
  floatingDeveloperMinutes: null,
} as const;

const TRIAL = { termMonths: null, termDays: 14, graceDays: 0, isTrial: true };

const PLANS: Readonly<Record<DemoPlan, PlanTerms>> = {
  PRO: { ...COMMON, name: 'Professional', developerSeats: 25, stakeholderSeats: 10, offlineDays: 30 },
  TEA: { ...COMMON, name: 'Team', developerSeats: 10, graceDays: 7, callQuota: { limit: 10_000, kind: 'soft' } },
  TRY: { ...COMMON, ...TRIAL, name: 'Trial', developerSeats: 5 },
};

/** What licenses of the plan are offered. */
const CHANGED: PlanTerms = { ...PLANS.PRO, graceDays: 30 };

const codeOf = (plan: DemoPlan): PlanCode => planCode.parse(plan);

/** The plans as licenses copy them. */
export type DemoPlans = ReadonlyMap<DemoPlan, PlanCopy>;

const actionOf = ({ product }: SeedContext, daysAgo: number, command: Pick<PlanCommand, 'type' | 'data'>): DatedAction => ({
  daysAgo,
  run: async (meta) => void must(await product.commands.plans.handle({ ...command, meta } as PlanCommand), 'write a plan'),
});

/** Creates the plans. */
export const writePlans = async (context: SeedContext): Promise<DemoPlans> => {
  const names = Object.keys(PLANS) as DemoPlan[];
  const actions = names.map((plan) =>
    actionOf(context, CREATED_DAYS_AGO, { type: 'CreatePlan', data: { code: codeOf(plan), ...PLANS[plan] } }),
  );
  await runInOrder(context, actions);
  return new Map(names.map((plan) => [plan, planCopyOf({ code: codeOf(plan), version: 1, ...PLANS[plan] })]));
};

/** Changes a plan after licenses have copied it. */
export const changePlan = (context: SeedContext): Promise<void> =>
  runInOrder(context, [actionOf(context, CHANGED_DAYS_AGO, { type: 'ChangePlan', data: { code: codeOf('PRO'), ...CHANGED } })]);

/** The plan that the license of a customer copies, and its quota. Seats are those of the customer. */
export const licenseOf = (
  plans: DemoPlans,
  { license }: CustomerSpec,
): Readonly<{ plan?: PlanCopy; callQuota?: CallQuota | null }> => {
  const plan = license && plans.get(license.plan);
  return plan ? { plan, callQuota: plan.callQuota } : {};
};

/** The term of a license; null for a perpetual one. */
export const termOf = (context: SeedContext, plans: DemoPlans, { license, sinceDaysAgo }: CustomerSpec): Term | null => {
  const plan = license && plans.get(license.plan);
  if (!license || !plan) return null;
  const [startsAt, expiresAt] = [instantAt(context, sinceDaysAgo), instantAt(context, -license.expiresInDays)];
  return { startsAt, expiresAt, graceDays: plan.graceDays, isTrial: plan.isTrial };
};
