import type { FastifyRequest } from 'fastify';
import type { PlanOffer } from '../contracts/plans.ts';
import type { ApplyPlan } from '../domain/customer/commands.ts';
import { applyPlan } from '../domain/customer/decidePlan.ts';
import { evolve } from '../domain/customer/evolve.ts';
import { type Customer, isRegistered } from '../domain/customer/state.ts';
import type { CustomerId } from '../domain/ids.ts';
import { planCopyOf } from '../domain/plan/terms.ts';
import { changesBetween } from './asOf.ts';
import { customerAsWritten } from './asWritten.ts';
import type { HttpDeps } from './deps.ts';
import { HttpProblem } from './problems/problems.ts';
import { metaOf } from './requests/meta.ts';

type Deps = Pick<HttpDeps, 'commands'>;

const shownAt = (state: Customer, at: string) =>
  customerAsWritten(state, { integratorName: '', themeName: null, createdAt: at, at });

/** A license, and the command that copies its plan as it is now; null without a plan, or if the license has the newest version. */
const offered = async ({ commands }: Deps, request: FastifyRequest, customerId: CustomerId) => {
  const [{ state }, plans] = await Promise.all([commands.customers.load(customerId), commands.plans.load('plans')]);
  if (!isRegistered(state)) throw new HttpProblem('customer_not_found');
  const plan = state.plan && plans.state.get(state.plan.code);
  if (!state.plan || !plan || plan.version <= state.plan.version) return { state, command: null };
  const command: ApplyPlan = { type: 'ApplyPlan', data: { customerId, plan: planCopyOf(plan) }, meta: metaOf(request) };
  return { state, command };
};

/** What copying the plan again would change. The decision is made without recording it. Throws problems. */
export const previewPlanOffer = async (deps: Deps, request: FastifyRequest, customerId: CustomerId): Promise<PlanOffer | null> => {
  const { state, command } = await offered(deps, request, customerId);
  if (!command) return null;
  const { at } = command.meta;
  const decision = applyPlan(command, state);
  if (!decision.accepted) throw new HttpProblem(decision.refusal);
  const after = decision.events.reduce(evolve, state);
  if (!isRegistered(after)) throw new Error(`Plan ${command.data.plan.code} ended the customer ${customerId}`);
  const { code, name, version } = command.data.plan;
  return { code, name, version, changes: changesBetween(shownAt(state, at), shownAt(after, at)) };
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
