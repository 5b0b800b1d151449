import type { CustomerRefusal } from '../domain/customer/decider.ts';
import { type CustomerState, isRegistered } from '../domain/customer/state.ts';
import type { EventMeta } from '../domain/event.ts';
import type { CustomerId, IntegratorId } from '../domain/ids.ts';
import type { IntegratorRefusal } from '../domain/integrator/decider.ts';
import type { MovedRecords } from '../domain/integrator/events.ts';
import type { CommandOutcome } from './commandHandler.ts';
import type { Commands } from './commands.ts';

type Deps = Pick<Commands, 'customers' | 'integrators' | 'themes'>;
type Moving = Readonly<{ customerId: CustomerId; integratorId: IntegratorId; meta: EventMeta }>;
type Moved = CommandOutcome<CustomerState, CustomerRefusal | IntegratorRefusal>;

/**
 * Withdraws a customer from a service integrator to which it does not belong. One that is about to move there by a later move stays
 * enrolled, so it does not matter how late or how often this is done.
 */
export const withdrawFormer = async (
  { customers, integrators }: Pick<Deps, 'customers' | 'integrators'>,
  { customerId, integratorId, meta }: Moving,
): Promise<void> => {
  const { state } = await customers.load(customerId);
  if (isRegistered(state) && state.integratorId === integratorId) return;
  const move = isRegistered(state) ? state.moves : undefined;
  await integrators.handle({ type: 'WithdrawCustomer', data: { integratorId, customerId, move }, meta });
};

/**
 * Completes a move that the service integrator has begun: the append to the stream of the customer decides it. Nothing of a refused one
 * stays, and a refused one is refused for ever, also if another node completes it at the same time.
 */
export const completeMove = async (deps: Deps, { customerId, integratorId, meta }: Moving): Promise<Moved> => {
  const { customers, integrators, themes } = deps;
  const [{ state: integrator }, { state: catalogue }, { state: before }] = await Promise.all([
    integrators.load(integratorId),
    themes.load(integratorId),
    customers.load(customerId),
  ]);
  const enrolment = 'customers' in integrator ? integrator.customers.get(customerId) : undefined;
  if (!('customers' in integrator) || !enrolment) return { accepted: false, refusal: 'customer_moved' };
  const moved = await customers.handle({
    type: 'MoveCustomer',
    data: {
      customerId,
      integratorId,
      move: enrolment.move,
      records: enrolment.records,
      externalId: integrator.externalIdsOf.get(customerId)?.at(-1) ?? null,
      defaultThemeId: catalogue.defaultThemeId,
    },
    meta,
  });
  const former = isRegistered(before) ? before.integratorId : integratorId;
  for (const one of new Set([former, integratorId])) await withdrawFormer(deps, { customerId, integratorId: one, meta });
  return moved;
};

/**
 * Moves a customer to another service integrator: enrols it there, moves it, and withdraws it from the former one. It belongs to exactly
 * one at each moment, as its own stream says, and is enrolled with that one. The policy `finishMoves` completes what a crash breaks off.
 * `ifRevision` is compared when the move begins. The same command again completes its move, or does nothing if that is complete.
 */
export const moveCustomer = async (
  deps: Deps,
  { records, ...moving }: Moving & { records: MovedRecords },
  { ifRevision }: { ifRevision?: bigint } = {},
): Promise<Moved> => {
  const { customerId, integratorId, meta } = moving;
  const [{ state, revision }, { state: next }] = await Promise.all([
    deps.customers.load(customerId),
    deps.integrators.load(integratorId),
  ]);
  if (!isRegistered(state)) return { accepted: false, refusal: 'customer_not_found' };
  const begunBefore = 'customers' in next ? next.customers.get(customerId) : undefined;
  if (begunBefore?.commandId === meta.commandId) {
    if (begunBefore.move === state.moves + 1) return completeMove(deps, moving);
    if (begunBefore.move === state.moves) return { accepted: true, position: null, revision, state };
  }
  if (ifRevision !== undefined && ifRevision !== revision) return { accepted: false, refusal: 'revision_changed' };
  if (state.integratorId === integratorId) return { accepted: false, refusal: 'same_integrator' };
  const { externalId } = state.records;
  const data = { integratorId, customerId, move: state.moves + 1, records, externalId };
  const begun = await deps.integrators.handle({ type: 'BeginCustomerMove', data, meta });
  return begun.accepted ? completeMove(deps, moving) : begun;
};
