import type { Product } from '../bootstrap/product.ts';
import { customerId } from '../contracts/fields.ts';
import { machineRequestId } from '../contracts/machines.ts';
import { userByEmail, validRequests } from '../domain/customer/state.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import type { Position } from '../eventstore/port.ts';
import { newLicenseKey } from '../security/keys.ts';
import { type CastCustomer, castCustomers, integrators, newMachineId } from './cast.ts';
import { type CustomerPast, customerPastOf } from './customerPast.ts';
import { integratorActions, newReseller } from './integratorPast.ts';
import { seededRandom } from './random.ts';
import { writeSignIns } from './signInPast.ts';
import { must, type Stage, writeInOrder } from './stage.ts';

export type SeededCustomer = Readonly<{ customerId: CustomerId; licenseKey: string; cast: CastCustomer; firstUser: UserId }>;
/** `madeAt` (ISO-8601 UTC) is where its past ends. */
export type Seeded = Readonly<{ madeAt: string; customers: readonly SeededCustomer[]; masterLicenseKeys: readonly string[] }>;

type Planned = Readonly<{ seeded: SeededCustomer; past: CustomerPast }>;

/** Integrators, customers, users and sign-ins with their past. The pasts of different accounts are written at the same time. */
export const seedAccounts = async (
  product: Product,
  { keyPrefix, adminKey }: Readonly<{ keyPrefix: string; adminKey: string }>,
): Promise<Seeded> => {
  const stage: Stage = { product, keyPrefix, random: seededRandom(7), endsAt: product.now() };
  const resellers = integrators.map((cast, index) => newReseller(stage, cast, index === 0));
  const planned = castCustomers(stage.random).map((cast): Planned => {
    const reseller = resellers[cast.integrator];
    if (!reseller) throw new Error(`${cast.name} has no integrator`);
    const id = customerId.parse(product.newId());
    const licenseKey = newLicenseKey(keyPrefix);
    const past = customerPastOf({ stage, cast, customerId: id, licenseKey, reseller });
    return { seeded: { customerId: id, licenseKey, cast, firstUser: past.firstUser }, past };
  });

  await Promise.all(
    resellers.map((reseller, index) => {
      const own = planned.filter(({ seeded }) => seeded.cast.integrator === index);
      return writeInOrder(stage, [...integratorActions(stage, reseller), ...own.map(({ past }) => past.registration)]);
    }),
  );
  await Promise.all(planned.map(({ past }) => writeInOrder(stage, past.later)));
  await writeSignIns(
    stage,
    [
      ...resellers.map(({ id, masterLicenseKey }) => ({
        customerId: null,
        integratorId: id,
        key: masterLicenseKey,
        toolSignIns: [],
      })),
      ...planned
        .filter(({ seeded }) => seeded.cast.status === 'active')
        .map(({ seeded, past }) => ({
          customerId: seeded.customerId,
          integratorId: null,
          key: seeded.licenseKey,
          toolSignIns: past.toolSignIns,
        })),
    ],
    adminKey,
  );
  return {
    madeAt: new Date(stage.endsAt).toISOString(),
    customers: planned.map(({ seeded }) => seeded),
    masterLicenseKeys: resellers.map(({ masterLicenseKey }) => masterLicenseKey),
  };
};

/** The first active customer of each integrator. */
const representatives = (customers: readonly SeededCustomer[]): SeededCustomer[] =>
  integrators.flatMap((_, index) => {
    const found = customers.find(({ cast }) => cast.integrator === index && cast.status === 'active');
    return found ? [found] : [];
  });

/**
 * A new machine of some users asks for approval, where none waits any more: requests are valid for a day, and may have been decided on.
 * Resolves to the position of the last request, null without any.
 */
export const requestMachineApprovals = async (
  { commands, newId, now }: Product,
  { customers }: Seeded,
): Promise<Position | null> => {
  const random = seededRandom(now());
  const request = async ({ customerId, cast }: SeededCustomer): Promise<Position | null> => {
    const at = new Date(now()).toISOString();
    const { state } = await commands.customers.load(customerId);
    if (state.status !== 'active' || !state.machineApprovalEnforced) return null;
    const [user] = cast.users
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
        meta: { actor: { kind: 'system', id: 'sign-in' }, commandId: id, correlationId: id, causationId: null, at },
      }),
      'request approval of a machine',
    );
    return position;
  };
  const positions = await Promise.all(representatives(customers).map(request));
  return positions.reduce((last, position) => (position !== null && (last === null || position > last) ? position : last), null);
};
