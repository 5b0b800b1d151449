import type { FastifyRequest } from 'fastify';
import { moveCustomer } from '../commands/moveCustomer.ts';
import type { CustomerMove, MoveCustomer } from '../contracts/customerMoves.ts';
import { themeId as themeIdOf } from '../contracts/fields.ts';
import { moveCustomer as decideMove } from '../domain/customer/decideMove.ts';
import { evolve } from '../domain/customer/evolve.ts';
import { type Customer, isRegistered } from '../domain/customer/state.ts';
import type { CustomerId, IntegratorId } from '../domain/ids.ts';
import { integratorDecider } from '../domain/integrator/decider.ts';
import type { Integrator } from '../domain/integrator/evolve.ts';
import { changesBetween } from './asOf.ts';
import { customerAsWritten } from './asWritten.ts';
import { noSuchIntegrator } from './customerWrites.ts';
import type { HttpDeps } from './deps.ts';
import { previewCustomer } from './previews.ts';
import { HttpProblem } from './problems/problems.ts';
import { accepted, ifMatch } from './replies.ts';
import { metaOf } from './requests/meta.ts';

type Deps = Pick<HttpDeps, 'commands' | 'sessions'>;

const integratorOf = async ({ commands }: Deps, integratorId: IntegratorId): Promise<Integrator> => {
  const { state } = await commands.integrators.load(integratorId);
  if (!('customers' in state)) throw noSuchIntegrator();
  return state;
};

const shownAs = async (
  { commands }: Deps,
  state: Customer,
  integratorName: string,
  at: string,
): Promise<ReturnType<typeof customerAsWritten>> => {
  const { state: catalogue } = await commands.themes.load(state.integratorId);
  const themeId = themeIdOf.safeParse(state.theme?.theme);
  const themeName = themeId.success ? (catalogue.themes.get(themeId.data)?.displayName ?? null) : null;
  return customerAsWritten(state, { integratorName, themeName, createdAt: at, at });
};

/** What a move does, by the same decisions, which are not recorded; and the revision of the customer that was read. Throws problems. */
export const previewMove = async (
  deps: Deps,
  request: FastifyRequest,
  customerId: CustomerId,
  { serviceIntegratorId: integratorId, records }: MoveCustomer,
): Promise<{ move: CustomerMove; revision: bigint }> => {
  const meta = metaOf(request);
  const [{ state, revision }, to] = await Promise.all([deps.commands.customers.load(customerId), integratorOf(deps, integratorId)]);
  if (!isRegistered(state)) throw new HttpProblem('customer_not_found');
  const { defaultThemeId } = (await deps.commands.themes.load(integratorId)).state;
  const data = { customerId, integratorId, move: state.moves + 1, records, externalId: state.records.externalId };
  const decided = decideMove({ type: 'MoveCustomer', data: { ...data, defaultThemeId }, meta }, state);
  if (!decided.accepted) throw new HttpProblem(decided.refusal);
  const begun = integratorDecider.decide({ type: 'BeginCustomerMove', data, meta }, to);
  if (!begun.accepted) throw new HttpProblem(begun.refusal);
  const after = decided.events.reduce(evolve, state);
  if (!isRegistered(after)) throw new Error(`The move ended the customer ${customerId}`);
  const from = await integratorOf(deps, state.integratorId);
  const [before, moved, isNameTaken, impact] = await Promise.all([
    shownAs(deps, state, from.companyName, meta.at),
    shownAs(deps, after, to.companyName, meta.at),
    request.queries.impact.hasCustomerNamed(integratorId, state.name),
    previewCustomer(deps, request, customerId, {}),
  ]);
  const move = {
    from: { id: from.integratorId, name: from.companyName },
    to: { id: to.integratorId, name: to.companyName },
    changes: changesBetween(before, moved),
    isNameTaken,
    impact,
  };
  return { move, revision };
};

/** Moves a customer; resolves to the position after which the read models show it. Throws problems. */
export const moveToIntegrator = async (
  deps: Deps,
  request: FastifyRequest,
  customerId: CustomerId,
  { serviceIntegratorId: integratorId, records }: MoveCustomer,
): Promise<bigint | null> => {
  await integratorOf(deps, integratorId);
  const moving = { customerId, integratorId, records, meta: metaOf(request) };
  return accepted(await moveCustomer(deps.commands, moving, ifMatch(request))).position;
};
