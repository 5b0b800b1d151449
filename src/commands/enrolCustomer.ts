import type { RegisterCustomer } from '../domain/customer/commands.ts';
import type { CustomerRefusal } from '../domain/customer/decider.ts';
import type { CustomerState } from '../domain/customer/state.ts';
import type { IntegratorRefusal } from '../domain/integrator/decider.ts';
import type { CommandOutcome } from './commandHandler.ts';
import type { Commands } from './commands.ts';

/**
 * Enrols a customer with its integrator and then registers it. So no customer comes under an integrator that is churned or deleted,
 * and an integrator with customers cannot be deleted. The policy `abandonHalfEnrolments` undoes what a crash leaves incomplete.
 */
export const enrolCustomer = async (
  { customers, integrators }: Pick<Commands, 'customers' | 'integrators'>,
  register: RegisterCustomer,
): Promise<CommandOutcome<CustomerState, CustomerRefusal | IntegratorRefusal>> => {
  const { data, meta } = register;
  const pair = { integratorId: data.integratorId, customerId: data.customerId };
  const externalId = data.records?.externalId ?? undefined;
  // Nothing can be sealed for a deleted customer any more, such as its external id.
  if (externalId !== undefined && (await customers.load(data.customerId)).state.status === 'deleted') {
    return { accepted: false, refusal: 'customer_deleted' };
  }
  const enrolled = await integrators.handle({ type: 'EnrolCustomer', data: { ...pair, externalId }, meta });
  if (!enrolled.accepted) return enrolled;
  const registered = await customers.handle(register);
  if (!registered.accepted) await integrators.handle({ type: 'WithdrawCustomer', data: pair, meta });
  return registered;
};
