import type { RegisterCustomer } from '../domain/customer/commands.ts';
import type { CustomerRefusal } from '../domain/customer/decider.ts';
import type { CustomerState } from '../domain/customer/state.ts';
import type { IntegratorId } from '../domain/ids.ts';
import type { EnrolCustomer } from '../domain/integrator/commands.ts';
import type { IntegratorRefusal } from '../domain/integrator/decider.ts';
import type { CommandOutcome, RevisionRefusal } from './commandHandler.ts';
import type { Commands } from './commands.ts';

/** What an enrolment says of its first half. */
type Enrolled = Readonly<{ accepted: true } | { accepted: false; refusal: IntegratorRefusal | RevisionRefusal }>;
type Enrol = (command: EnrolCustomer) => Promise<Enrolled>;
type PendingEnrolment = Readonly<{
  command: EnrolCustomer;
  resolve: (outcome: Enrolled) => void;
  reject: (error: unknown) => void;
}>;

/**
 * Enrols customers with one append for all that wait for the same integrator, whose stream takes one append at a time. If one of them
 * is refused, each is decided by itself. The events have the meta of the first command.
 */
export const enrolInBatches = ({ integrators }: Pick<Commands, 'integrators'>): Enrol => {
  const queues = new Map<IntegratorId, PendingEnrolment[]>();

  const enrolOne = ({ command, resolve, reject }: PendingEnrolment): Promise<void> =>
    integrators.handle(command).then(resolve, reject);
  const enrolBatch = async (batch: readonly PendingEnrolment[]): Promise<void> => {
    const outcome = await integrators.handle(batch.map(({ command }) => command)).catch(() => null);
    if (outcome?.accepted) for (const { resolve } of batch) resolve(outcome);
    else for (const waiting of batch) await enrolOne(waiting);
  };
  const drain = async (integratorId: IntegratorId, queue: PendingEnrolment[]): Promise<void> => {
    await Promise.resolve(); // enrolments that start in the same tick join this batch
    while (queue.length > 0) await enrolBatch(queue.splice(0));
    queues.delete(integratorId);
  };

  return (command) =>
    new Promise((resolve, reject) => {
      const { integratorId } = command.data;
      const queue = queues.get(integratorId);
      if (queue) return void queue.push({ command, resolve, reject });
      const begun = [{ command, resolve, reject }];
      queues.set(integratorId, begun);
      void drain(integratorId, begun);
    });
};

/**
 * Enrols a customer with its integrator and then registers it. So no customer comes under an integrator that is churned or deleted,
 * and an integrator with customers cannot be deleted. The policy `abandonHalfEnrolments` undoes what a crash leaves incomplete.
 * `enrol` does the first half. `isNewId` says that no earlier attempt can have had the id of the customer.
 */
export const enrolCustomer = async (
  { customers, integrators }: Pick<Commands, 'customers' | 'integrators'>,
  register: RegisterCustomer,
  { enrol = (command) => integrators.handle(command), isNewId = false }: { enrol?: Enrol; isNewId?: boolean } = {},
): Promise<CommandOutcome<CustomerState, CustomerRefusal | IntegratorRefusal>> => {
  const { data, meta } = register;
  const pair = { integratorId: data.integratorId, customerId: data.customerId };
  const externalId = data.records?.externalId ?? undefined;
  // Nothing can be sealed for a deleted customer any more, such as its external id.
  if (externalId !== undefined && !isNewId && (await customers.load(data.customerId)).state.status === 'deleted') {
    return { accepted: false, refusal: 'customer_deleted' };
  }
  const enrolled = await enrol({ type: 'EnrolCustomer', data: { ...pair, externalId }, meta });
  if (!enrolled.accepted) return enrolled;
  const registered = await customers.handle(register);
  if (!registered.accepted) await integrators.handle({ type: 'WithdrawCustomer', data: pair, meta });
  return registered;
};
