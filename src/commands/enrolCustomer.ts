import type { RegisterCustomer } from '../domain/customer/commands.ts';
import type { CustomerRefusal } from '../domain/customer/decider.ts';
import type { CustomerState } from '../domain/customer/state.ts';
import type { IntegratorRefusal } from '../domain/integrator/decider.ts';
import type { Dispatch } from './dispatch.ts';
import type { Outcome } from './outcome.ts';

/**
 * Enrols a customer with its integrator and then registers it, so that no customer comes under an integrator that is churned or gone,
 * and none can go while it has customers. What a crash leaves half done is undone by the policy `abandonHalfEnrolments`.
 */
export const enrolCustomer = async (
  dispatch: Dispatch,
  register: RegisterCustomer,
): Promise<Outcome<CustomerState, CustomerRefusal | IntegratorRefusal>> => {
  const { data, meta } = register;
  const pair = { integratorId: data.integratorId, customerId: data.customerId };
  const enrolled = await dispatch({ type: 'EnrolCustomer', data: pair, meta });
  if (!enrolled.accepted) return enrolled;
  const registered = await dispatch(register);
  if (!registered.accepted) await dispatch({ type: 'WithdrawCustomer', data: pair, meta });
  return registered;
};
