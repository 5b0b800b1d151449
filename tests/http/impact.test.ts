import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, asCustomer, asIntegrator, asTool, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { openToolSocket } from '../support/toolSocket.ts';

let server: TestServer;
let admin: Client;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
});
afterAll(() => server.close());

const call = {
  service: 'jira',
  instanceUrl: 'https://acme.atlassian.example',
  operation: 'GET:/rest/api/3/issue',
  status: 200,
  durationMs: 5,
};
const impactOf = async (client: Client, path: string) => (await client.get(`${path}/impact`)).body.impact;

describe('the impact of a change of a customer', () => {
  it('counts connections, sessions, seats and credentials', async () => {
    const integrator = await newIntegrator(admin);
    const customer = await newCustomer(admin, integrator.id);
    const path = `/api/admin/customers/${customer.id}`;
    expect(await impactOf(admin, path)).toEqual({
      connections: 0,
      portalSessions: 0,
      users: 0,
      activeDeveloperSeats: 0,
      activeStakeholderSeats: 0,
      credentials: 0,
      apiCalls: 0,
    });
    const portal = await asCustomer(server.url, customer);
    const ada = await asTool(server.url, customer, 'ada');
    const bob = await asTool(server.url, customer, 'bob');
    await admin.put(`/api/admin/users/${bob.userId}/status`, { status: 'inactive' });
    await portal.post('/api/credentials/store', {
      service: 'jira',
      instanceUrl: 'https://127.0.0.1:1',
      username: 'ada',
      password: 'secret',
    });
    await ada.post('/api/cli/api-calls', { sourceId: 'impact', firstSequence: 1, calls: [call, call] });
    const socket = await openToolSocket(server.url, ada.token);
    const counted = { users: 2, activeDeveloperSeats: 1, credentials: 1, apiCalls: 2, connections: 1, portalSessions: 1 };
    const impact = await eventually(
      () => impactOf(admin, path),
      ({ apiCalls, connections }) => apiCalls === 2 && connections === 1,
    );
    expect(impact).toMatchObject(counted);
    const partner = await asIntegrator(server.url, integrator);
    expect(await impactOf(partner, `/api/service-integrator/customers/${customer.id}`)).toMatchObject(counted);
    await admin.put(path, { name: customer.name, contactEmail: customer.contactEmail, status: 'suspended' });
    await socket.closed;
    await eventually(
      () => impactOf(admin, path),
      ({ connections, portalSessions }) => connections === 0 && portalSessions === 0,
    );
  });

  it('is not shown to another service integrator', async () => {
    const customer = await newCustomer(admin, (await newIntegrator(admin)).id);
    const stranger = await asIntegrator(server.url, await newIntegrator(admin));
    expect(await stranger.get(`/api/service-integrator/customers/${customer.id}/impact`)).toMatchObject({
      status: 404,
      body: { code: 'customer_not_found' },
    });
  });
});

describe('the impact of a change of a service integrator', () => {
  it('counts its sessions, its customers of all statuses and its themes', async () => {
    const integrator = await newIntegrator(admin);
    const path = `/api/admin/service-integrators/${integrator.id}`;
    const partner = await asIntegrator(server.url, integrator);
    await asIntegrator(server.url, integrator);
    const theme = { themeName: 'own', displayName: 'Own', primaryColor: '#0070AD' };
    await partner.post('/api/service-integrator/themes', theme);
    const customer = await newCustomer(admin, integrator.id);
    await newCustomer(admin, integrator.id);
    await admin.put(`/api/admin/customers/${customer.id}`, { name: 'Gone', contactEmail: 'a@b.example', status: 'churned' });
    expect(await impactOf(admin, path)).toEqual({ sessions: 2, customers: 2, customThemes: 1 });
    await partner.post('/api/auth/service-integrator/logout');
    expect(await impactOf(admin, path)).toMatchObject({ sessions: 1 });
  });
});
