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

/** A service integrator and a customer of it, with one resource of each kind and a client for each audience. */
export type TestTenant = {
  integrator: ServiceIntegrator;
  customer: Customer;
  /** Of the user of the tool. */
  username: string;
  partner: Client;
  portal: Client;
  tool: Tool;
  ids: Record<ResourceKind, string>;
};

/** A kind of resource that a route's address may name. */
export type ResourceKind = 'integrator' | 'customer' | 'user' | 'theme' | 'credential' | 'machine' | 'machine_request';

/** The parameter of an address that names a resource. */
export const parameterOf = (resource: ResourceKind): string => (resource === 'machine_request' ? ':requestId' : `:${resource}Id`);

/** An address with the tenant's ids in place of its parameters. */
export const pathIn = ({ ids }: Pick<TestTenant, 'ids'>, address: string): string =>
  (Object.keys(ids) as ResourceKind[]).reduce((path, resource) => path.replace(parameterOf(resource), ids[resource]), address);

let tenants = 0;

/** Creates a tenant that nothing else uses. */
export const createTestTenant = async (url: string, admin: Client): Promise<TestTenant> => {
  tenants += 1;
  const name = `user-${tenants}`;
  const integrator = await newIntegrator(admin, { companyName: `House ${tenants}` });
  const customer = await newCustomer(admin, integrator.id, { name: `Customer of tenant ${tenants}` });
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
      username: 'user',
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

/** Clients whose sessions have ended by a suspension. */
export type Suspended = { customer: Client; integrator: Client; user: Client; userOfSuspended: Client };

/** Suspends a customer, an integrator and a user, each of another tenant, and waits until their sessions have ended. */
export const suspendSome = async (url: string, admin: Client): Promise<Suspended> => {
  const [one, two, three] = [
    await createTestTenant(url, admin),
    await createTestTenant(url, admin),
    await createTestTenant(url, admin),
  ];
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

export type TestAccounts = { admin: Client; anonymous: Client; mine: TestTenant; theirs: TestTenant };

export const createTestAccounts = async (url: string): Promise<TestAccounts> => {
  const admin = await asAdmin(url);
  return { admin, anonymous: clientOf(url), mine: await createTestTenant(url, admin), theirs: await createTestTenant(url, admin) };
};
