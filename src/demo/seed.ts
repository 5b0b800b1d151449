import type { Product } from '../bootstrap/product.ts';
import { customerId } from '../contracts/fields.ts';
import { machineRequestId } from '../contracts/machines.ts';
import { userByEmail, validRequests } from '../domain/customer/state.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import type { Position } from '../eventstore/port.ts';
import { newLicenseKey } from '../security/keys.ts';
import { type CustomerActions, customerActionsOf } from './customerActions.ts';
import { must, runInOrder, type SeedContext } from './datedActions.ts';
import { integratorActions, newIntegrator } from './integratorActions.ts';
import { changePlan, writePlans } from './plans.ts';
import { seededRandom } from './random.ts';
import { writeSignIns } from './signIns.ts';
import { type CustomerSpec, customerSpecs, integratorSpecs, newMachineId } from './specs.ts';

/** A customer that the demo created. */
export type SeededCustomer = Readonly<{ customerId: CustomerId; licenseKey: string; spec: CustomerSpec; firstUser: UserId }>;
/** The accounts that the demo created. All of their actions are before `madeAt`, in ISO-8601 UTC. */
export type Seeded = Readonly<{ madeAt: string; customers: readonly SeededCustomer[]; masterLicenseKeys: readonly string[] }>;

type Planned = Readonly<{ seeded: SeededCustomer; actions: CustomerActions }>;

/** Creates plans, integrators, customers, users and sign-ins with times in the past; different accounts concurrently. */
export const seedAccounts = async (
  product: Product,
  { keyPrefix, adminKey }: Readonly<{ keyPrefix: string; adminKey: string }>,
): Promise<Seeded> => {
  const context: SeedContext = { product, keyPrefix, random: seededRandom(7), endsAt: product.now() };
  const plans = await writePlans(context);
  const integrators = integratorSpecs.map((spec, index) => newIntegrator(context, spec, index === 0));
  const planned = customerSpecs(context.random).map((spec): Planned => {
    const integrator = integrators[spec.integrator];
    if (!integrator) throw new Error(`${spec.name} has no integrator`);
    const id = customerId.parse(product.newId());
    const licenseKey = newLicenseKey(keyPrefix, spec.license?.plan);
    const actions = customerActionsOf({ context, spec, customerId: id, licenseKey, integrator, plans });
    return { seeded: { customerId: id, licenseKey, spec, firstUser: actions.firstUser }, actions };
  });

  await Promise.all(
    integrators.map((integrator, index) => {
      const own = planned.filter(({ seeded }) => seeded.spec.integrator === index);
      return runInOrder(context, [...integratorActions(context, integrator), ...own.map(({ actions }) => actions.registration)]);
    }),
  );
  await Promise.all(planned.map(({ actions }) => runInOrder(context, actions.later)));
  await changePlan(context);
  await writeSignIns(
    context,
    [
      ...integrators.map(({ id, masterLicenseKey }) => ({
        customerId: null,
        integratorId: id,
        key: masterLicenseKey,
        toolSignIns: [],
      })),
      ...planned
        .filter(({ seeded }) => seeded.spec.status === 'active')
        .map(({ seeded, actions }) => ({
          customerId: seeded.customerId,
          integratorId: null,
          key: seeded.licenseKey,
          toolSignIns: actions.toolSignIns,
        })),
    ],
    adminKey,
  );
  await Promise.all(planned.map(({ actions }) => runInOrder(context, actions.term)));
  return {
    madeAt: new Date(context.endsAt).toISOString(),
    customers: planned.map(({ seeded }) => seeded),
    masterLicenseKeys: integrators.map(({ masterLicenseKey }) => masterLicenseKey),
  };
};

/** The first active customer of each integrator. */
const representatives = (customers: readonly SeededCustomer[]): SeededCustomer[] =>
  integratorSpecs.flatMap((_, index) => {
    const found = customers.find(({ spec }) => spec.integrator === index && spec.status === 'active');
    return found ? [found] : [];
  });

/**
 * Requests approval of a new machine for some users without a pending request, since requests expire after a day and may be decided.
 * Resolves to the position of the last request, null without any.
 */
export const requestMachineApprovals = async (
  { commands, newId, now }: Product,
  { customers }: Seeded,
): Promise<Position | null> => {
  const random = seededRandom(now());
  const request = async ({ customerId, spec }: SeededCustomer): Promise<Position | null> => {
    const at = new Date(now()).toISOString();
    const { state } = await commands.customers.load(customerId);
    if (state.status !== 'active' || !state.machineApprovalEnforced) return null;
    const [user] = spec.users
      .filter(({ status, role }) => status === 'active' && role === 'developer')
      .flatMap(({ email }) => userByEmail(state, email) ?? []);
    if (!user || validRequests(user, at).length > 0) return null;
    const id = newId();
    const { position } = must(
      await commands.customers.handle({
        type: 'RequestMachineApproval',
        data: {
          customerId,
          userId: user.userId,
          requestId: machineRequestId.parse(newId()),
          machineId: newMachineId(random),
          machineName: `${user.username.replace('.', '-')}-workstation`,
        },
        meta: {
          actor: { kind: 'user', id: user.userId, method: 'key' },
          commandId: id,
          correlationId: id,
          causationId: null,
          at,
        },
      }),
      'request approval of a machine',
    );
    return position;
  };
  const positions = await Promise.all(representatives(customers).map(request));
  return positions.reduce((last, position) => (position !== null && (last === null || position > last) ? position : last), null);
};
