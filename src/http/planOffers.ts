import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { PlanOffer } from '../contracts/planOffers.ts';
import type { planMoveQuery } from '../contracts/plans.ts';
import type { ApplyPlan, MoveToPlan } from '../domain/customer/commands.ts';
import { consequencesOfEvents } from '../domain/customer/consequences.ts';
import { applyPlan, moveToPlan, type PlanOfferRefusal } from '../domain/customer/decidePlan.ts';
import type { CustomerEvent } from '../domain/customer/events.ts';
import { evolve } from '../domain/customer/evolve.ts';
import { type Customer, isRegistered } from '../domain/customer/state.ts';
import type { Decision } from '../domain/decider.ts';
import type { CustomerId } from '../domain/ids.ts';
import type { PlanCopy } from '../domain/plan/events.ts';
import { BUILT_IN_PLAN, BUILT_IN_VERSION, planCopyOf } from '../domain/plan/terms.ts';
import { changesBetween } from './asOf.ts';
import { customerAsWritten } from './asWritten.ts';
import type { HttpDeps } from './deps.ts';
import { resolvePlan } from './planChoice.ts';
import { effectsOf } from './previews.ts';
import { HttpProblem } from './problems/problems.ts';
import { metaOf } from './requests/meta.ts';

type Deps = Pick<HttpDeps, 'commands'>;

const shownAt = (state: Customer, at: string) =>
  customerAsWritten(state, { integratorName: '', themeName: null, createdAt: at, at });

/** A license, and the command that copies its plan as it is now; null without a plan, or if the license has the newest version. */
const offered = async ({ commands }: Deps, request: FastifyRequest, customerId: CustomerId) => {
  const [{ state, revision }, plans] = await Promise.all([commands.customers.load(customerId), commands.plans.load('plans')]);
  if (!isRegistered(state)) throw new HttpProblem('customer_not_found');
  const plan = state.plan && plans.state.get(state.plan.code);
  if (!state.plan || !plan || plan.version <= state.plan.version) return { state, revision, command: null };
  const command: ApplyPlan = { type: 'ApplyPlan', data: { customerId, plan: planCopyOf(plan) }, meta: metaOf(request) };
  return { state, revision, command };
};

/** What a decision changes in a license, and whom that affects. Throws its refusal. */
const preview = (
  request: FastifyRequest,
  state: Customer,
  decision: Decision<CustomerEvent, PlanOfferRefusal>,
  { code, name, version }: Pick<PlanCopy, 'code' | 'name' | 'version'>,
  at: string,
): PlanOffer => {
  if (!decision.accepted) throw new HttpProblem(decision.refusal);
  const after = decision.events.reduce(evolve, state);
  if (!isRegistered(after)) throw new Error(`Plan ${code} ended the customer ${state.customerId}`);
  const effects = effectsOf(request, consequencesOfEvents(decision.events, { before: state, after, at }));
  return { code, name, version, changes: changesBetween(shownAt(state, at), shownAt(after, at)), effects };
};

/** What a plan changes in a license, and the revision of the customer that was read. */
type Preview = Readonly<{ offer: PlanOffer | null; revision: bigint }>;

/** What copying the plan again would change. The decision is made without recording it. Throws problems. */
export const previewPlanOffer = async (deps: Deps, request: FastifyRequest, customerId: CustomerId): Promise<Preview> => {
  const { state, revision, command } = await offered(deps, request, customerId);
  const offer = command && preview(request, state, applyPlan(command, state), command.data.plan, command.meta.at);
  return { offer, revision };
};

/** The command that copies the plan in the version that the caller saw. Throws `plan_offer_outdated`. */
export const planCommand = async (
  deps: Deps,
  request: FastifyRequest,
  customerId: CustomerId,
  version: number,
): Promise<ApplyPlan | null> => {
  const { state, command } = await offered(deps, request, customerId);
  if (command === null && state.plan === null) throw new HttpProblem('license_without_plan');
  const newest = command ? command.data.plan.version : state.plan?.version;
  if (newest !== version) throw new HttpProblem('plan_offer_outdated');
  return command;
};

type Wanted = z.infer<typeof planMoveQuery>;

/** A license, the plan that it moves to, and the command that moves it. Throws `plan_unknown` and `plan_retired`. */
const moving = async ({ commands }: Deps, request: FastifyRequest, customerId: CustomerId, { plan: code, term }: Wanted) => {
  const [{ state, revision }, plan] = await Promise.all([commands.customers.load(customerId), resolvePlan(commands, code)]);
  if (!isRegistered(state)) throw new HttpProblem('customer_not_found');
  const command: MoveToPlan = { type: 'MoveToPlan', data: { customerId, plan: plan ?? null, term }, meta: metaOf(request) };
  return { state, revision, plan: plan ?? { ...BUILT_IN_PLAN, version: BUILT_IN_VERSION }, command };
};

/** What another plan would change in a license, by the same decision; null if the license has the plan. Throws problems. */
export const previewPlanMove = async (
  deps: Deps,
  request: FastifyRequest,
  customerId: CustomerId,
  wanted: Wanted,
): Promise<Preview> => {
  const { state, revision, plan, command } = await moving(deps, request, customerId, wanted);
  const offer = state.tier === plan.code ? null : preview(request, state, moveToPlan(command, state), plan, command.meta.at);
  return { offer, revision };
};

/** The command that moves a license to a plan in the version that the caller saw. Throws `plan_offer_outdated`. */
export const planMoveCommand = async (
  deps: Deps,
  request: FastifyRequest,
  customerId: CustomerId,
  { version, ...wanted }: Wanted & { version: number },
): Promise<MoveToPlan> => {
  const { plan, command } = await moving(deps, request, customerId, wanted);
  if (plan.version !== version) throw new HttpProblem('plan_offer_outdated');
  return command;
};
