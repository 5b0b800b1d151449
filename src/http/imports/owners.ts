import type { FastifyRequest } from 'fastify';
import { customerId as customerIdOf, integratorId as integratorIdOf } from '../../contracts/fields.ts';
import { type Customer, isRegistered } from '../../domain/customer/state.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import type { Integrator } from '../../domain/integrator/evolve.ts';
import type { HttpDeps } from '../deps.ts';
import { principalAs } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';
import { type FileLine, valueIn } from './csvFile.ts';
import { refuseColumn } from './line.ts';

/** A customer and the revision at which it was read. */
export type ExistingCustomer = Readonly<{ state: Customer; revision: bigint }>;

/** The customers that an import may name: all for administrators, else those of the service integrator. Each of them is read once. */
export const importedCustomers = ({ commands }: Pick<HttpDeps, 'commands'>, request: FastifyRequest) => {
  const owner = principalAs(request, 'admin', 'integrator');
  const own = owner.kind === 'integrator' ? owner.integratorId : null;
  const integrators = new Map<IntegratorId, Promise<Integrator>>();
  const themes = new Map<IntegratorId, ReturnType<typeof loadThemes>>();

  const loadThemes = async (integratorId: IntegratorId) => [...(await commands.themes.load(integratorId)).state.themes.values()];
  const loadIntegrator = async (integratorId: IntegratorId): Promise<Integrator> => {
    const { state } = await commands.integrators.load(integratorId);
    return 'customers' in state ? state : refuseColumn('service_integrator_id', 'There is no service integrator with this ID');
  };
  const remembered = <Value>(
    known: Map<IntegratorId, Promise<Value>>,
    id: IntegratorId,
    load: (id: IntegratorId) => Promise<Value>,
  ) => {
    const value = known.get(id) ?? load(id);
    known.set(id, value);
    return value;
  };
  const integrator = (id: IntegratorId): Promise<Integrator> => remembered(integrators, id, loadIntegrator);

  const read = async (customerId: CustomerId): Promise<ExistingCustomer | null> => {
    const { state, revision } = await commands.customers.load(customerId);
    return isRegistered(state) && (own === null || state.integratorId === own) ? { state, revision } : null;
  };

  /** The service integrator of a line. Throws if the file of an administrator does not name one, or one of a service integrator another one. */
  const integratorOf = async (line: FileLine): Promise<IntegratorId> => {
    const text = valueIn(line, 'service_integrator_id') ?? '';
    const { success, data } = integratorIdOf.safeParse(text === '' ? own : text);
    if (!success) return refuseColumn('service_integrator_id', 'Must be the ID of a service integrator');
    if (own !== null && data !== own) return refuseColumn('service_integrator_id', 'There is no service integrator with this ID');
    await integrator(data);
    return data;
  };

  return {
    isAdmin: own === null,
    integratorOf,
    themesOf: (id: IntegratorId) => remembered(themes, id, loadThemes),
    /** Throws `external_id_taken` if another customer has it. */
    expectFree: async (integratorId: IntegratorId, externalId: string, customerId: CustomerId): Promise<void> => {
      const claim = (await integrator(integratorId)).externalIds.get(externalId);
      if (claim && claim.customerId !== customerId) throw new HttpProblem('external_id_taken');
    },
    /** The customer that a line names by its id, or else by its external id; null if there is none with this external id. */
    find: async (line: FileLine, columns: { id: string; externalId: string }, hint?: string): Promise<ExistingCustomer | null> => {
      const id = valueIn(line, columns.id);
      if (id) {
        const { success, data } = customerIdOf.safeParse(id);
        const existing = success ? await read(data) : null;
        return (
          existing ??
          refuseColumn(columns.id, hint ? `There is no customer with this ID. ${hint}` : 'There is no customer with this ID')
        );
      }
      const externalId = valueIn(line, columns.externalId);
      if (!externalId) return null;
      const claim = (await integrator(await integratorOf(line))).externalIds.get(externalId);
      const claiming = claim && (await read(claim.customerId));
      return claiming?.state.records.externalId === externalId ? claiming : null;
    },
  };
};
