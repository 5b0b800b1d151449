import type { Customer } from '../../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../../src/contracts/integrators.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  askApproval,
  asTool,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
  type Tool,
} from '../../support/apiClient.ts';
import { eventually } from '../../support/eventually.ts';

export const MISSING = '99999999-9999-4999-8999-999999999999';

/** A service integrator with one of everything, and everybody who signs in there. */
export type House = {
  integrator: ServiceIntegrator;
  customer: Customer;
  /** Of the user of the tool. */
  username: string;
  partner: Client;
  portal: Client;
  tool: Tool;
  ids: Record<Thing, string>;
};

/** What a route's address may name. */
export type Thing = 'integrator' | 'customer' | 'user' | 'theme' | 'credential' | 'machine' | 'machine_request';

/** The parameter of an address that names a thing. */
export const parameterOf = (thing: Thing): string => (thing === 'machine_request' ? ':requestId' : `:${thing}Id`);

/** An address with every parameter that names a thing of the house filled in. */
export const pathIn = ({ ids }: Pick<House, 'ids'>, address: string): string =>
  (Object.keys(ids) as Thing[]).reduce((path, thing) => path.replace(parameterOf(thing), ids[thing]), address);

let houses = 0;

/** Builds a house of its own; nobody else's things are in it. */
export const buildHouse = async (url: string, admin: Client): Promise<House> => {
  houses += 1;
  const name = `dweller-${houses}`;
  const integrator = await newIntegrator(admin, { companyName: `House ${houses}` });
  const customer = await newCustomer(admin, integrator.id, { name: `Guest of house ${houses}` });
  const [partner, portal, tool] = await Promise.all([
    asIntegrator(url, integrator),
    asCustomer(url, customer),
    asTool(url, customer, name),
  ]);
  const [theme, credential, machines, approval] = await Promise.all([
    partner.post('/api/service-integrator/themes', { themeName: 'own', displayName: 'Own', primaryColor: '#0070AD' }),
    portal.post('/api/credentials/store', {
      service: 'jira',
      instanceUrl: 'https://127.0.0.1:1',
      username: 'dweller',
      password: 'a-third-party-password',
    }),
    tool.get('/api/cli/machines'),
    askApproval(url, customer, name, 'new-machine'),
  ]);
  return {
    integrator,
    customer,
    username: name,
    partner,
    portal,
    tool,
    ids: {
      integrator: integrator.id,
      customer: customer.id,
      user: tool.userId,
      theme: theme.body.theme.id,
      credential: credential.body.credential.id,
      machine: machines.body.machines[0].id,
      machine_request: approval.requestId,
    },
  };
};

/** Whose sessions were alive once, and are not any more. */
export type Suspended = { customer: Client; integrator: Client; user: Client; userOfSuspended: Client };

/** Suspends a customer, an integrator and a user, each of a house of its own, and waits until their sessions have ended. */
export const suspendSome = async (url: string, admin: Client): Promise<Suspended> => {
  const [one, two, three] = [await buildHouse(url, admin), await buildHouse(url, admin), await buildHouse(url, admin)];
  const customer = { name: 'Suspended', contactEmail: 'it@suspended.example', status: 'suspended' };
  await admin.put(`/api/admin/customers/${one.ids.customer}`, customer);
  await admin.put(`/api/admin/service-integrators/${two.ids.integrator}`, {
    companyName: 'Suspended',
    contactEmail: 'it@suspended.example',
    billingEmail: 'it@suspended.example',
    status: 'suspended',
  });
  await admin.put(`/api/admin/users/${three.ids.user}/status`, { status: 'suspended' });
  const ended = [
    [one.portal, '/api/customer/profile'],
    [one.tool, '/api/cli/session'],
    [two.partner, '/api/service-integrator/profile'],
    [three.tool, '/api/cli/session'],
  ] as const;
  for (const [client, path] of ended) {
    await eventually(
      () => client.get(path),
      ({ status }) => status !== 200,
    );
  }
  return { customer: one.portal, integrator: two.partner, user: three.tool, userOfSuspended: one.tool };
};

export type Cast = { admin: Client; nobody: Client; mine: House; theirs: House };

export const gather = async (url: string): Promise<Cast> => {
  const admin = await asAdmin(url);
  return { admin, nobody: clientOf(url), mine: await buildHouse(url, admin), theirs: await buildHouse(url, admin) };
};
