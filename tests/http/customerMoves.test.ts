import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  newCustomer,
  newIntegrator,
  type Reply,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { openToolSocket } from '../support/toolSocket.ts';

let server: TestServer;
let admin: Client;
let [former, next]: [ServiceIntegrator?, ServiceIntegrator?] = [];
let formerPartner: Client;
let nextPartner: Client;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  [former, next] = [
    await newIntegrator(admin, { companyName: 'Former Partners' }),
    await newIntegrator(admin, { companyName: 'Next Partners' }),
  ];
  [formerPartner, nextPartner] = [await asIntegrator(server.url, former), await asIntegrator(server.url, next)];
});

afterAll(() => server.close());

const SI = '/api/service-integrator';
const moveOf = (id: string): string => `/api/admin/customers/${id}/integrator-move`;
const formerId = (): string => former?.id ?? '';
const nextId = (): string => next?.id ?? '';
const move = (id: string, body: object, headers: Record<string, string> = {}): Promise<Reply> =>
  admin.post(moveOf(id), body, { headers });
const call = { service: 'jira', instanceUrl: 'https://acme.atlassian.net', operation: 'GET:/issue', status: 200, durationMs: 40 };
const themeFor = async (partner: Client, themeName: string, displayName: string): Promise<string> =>
  (await partner.post(`${SI}/themes`, { themeName, displayName, primaryColor: '#0070AD' })).body.theme.id;
const typesOf = (entries: { type: string }[]): string[] => entries.map(({ type }) => type);

describe('a customer that moves to another service integrator', () => {
  let customer: Customer;
  let before: string;

  it('comes with its users, sessions, tools and usage, and leaves nothing but the past behind', async () => {
    const theirs = await themeFor(formerPartner, 'theirs', 'Former blue');
    const own = await themeFor(nextPartner, 'own', 'Next green');
    await nextPartner.post(`${SI}/themes/${own}/set-default`);
    customer = await newCustomer(admin, formerId(), { name: 'Acme', theme: theirs, externalId: 'crm-17', notes: 'Difficult' });
    const portal = await asCustomer(server.url, customer);
    const tool = await asTool(server.url, customer, 'ada');
    const socket = await openToolSocket(server.url, tool.token);
    await tool.post('/api/cli/api-calls', { sourceId: 'laptop', firstSequence: 1, calls: [call, call] });
    const totalOf = async (client: Client, path: string) =>
      (await client.get(`${path}/${customer.id}`)).body.customer?.totalApiCalls;
    await eventually(
      () => totalOf(formerPartner, `${SI}/customers`),
      (total) => total === 2,
    );
    before = new Date().toISOString();

    const preview = await admin.get(`${moveOf(customer.id)}?serviceIntegratorId=${nextId()}`);
    expect(preview.body.move).toMatchObject({
      from: { id: formerId(), name: 'Former Partners' },
      to: { id: nextId(), name: 'Next Partners' },
      isNameTaken: false,
      impact: { users: 1, activeDeveloperSeats: 1, portalSessions: 1, connections: 1, apiCalls: 2 },
    });
    expect(preview.body.move.changes).toEqual([
      { field: 'theme', before: 'Former blue', after: 'Next green' },
      { field: 'serviceIntegrator', before: 'Former Partners', after: 'Next Partners' },
    ]);
    expect((await move(customer.id, { serviceIntegratorId: nextId() }, { 'if-match': '"0"' })).body.code).toBe('revision_changed');
    const etag = preview.headers.get('etag') ?? '';
    const headers = { 'if-match': etag, 'idempotency-key': 'move-acme-once' };
    const moved = await move(customer.id, { serviceIntegratorId: nextId() }, headers);
    expect(moved.body.customer).toMatchObject({
      ...{
        id: customer.id,
        licenseKey: customer.licenseKey,
        serviceIntegratorId: nextId(),
        serviceIntegratorName: 'Next Partners',
      },
      ...{ theme: own, externalId: 'crm-17', notes: 'Difficult', activeConnections: 1 },
    });
    expect((await move(customer.id, { serviceIntegratorId: nextId() }, headers)).body).toEqual(moved.body);
    expect((await move(customer.id, { serviceIntegratorId: nextId() })).body.code).toBe('same_integrator');

    // Sessions and tools go on, with the new theme.
    await eventually(
      () => socket.frames,
      (frames) => frames.some((frame) => frame.type === 'theme' && frame.theme.displayName === 'Next green'),
    );
    expect((await portal.get('/api/customer/profile')).status).toBe(200);
    expect((await portal.get('/api/customer/seats')).body.seats).toMatchObject([{ username: 'ada', currentlyConnected: true }]);
    expect((await tool.get('/api/cli/session')).body.theme.displayName).toBe('Next green');
    await tool.post('/api/cli/api-calls', { sourceId: 'laptop', firstSequence: 3, calls: [call] });
    await eventually(
      () => totalOf(nextPartner, `${SI}/customers`),
      (total) => total === 3,
    );
    expect((await portal.get('/api/customer/usage')).body.usage.totalApiCalls).toBe(3);
    const usageOf = async (partner: Client) => (await partner.get(`${SI}/usage`)).body.usage.customers;
    expect(await usageOf(nextPartner)).toMatchObject([{ key: customer.id, name: 'Acme', calls: 3 }]);
    expect(await usageOf(formerPartner)).toEqual([]);
    await eventually(
      async () => (await nextPartner.get('/api/users')).body.users,
      (users) => users[0]?.currentlyConnected === true,
    );
    await socket.close();
  });

  it('cannot be reached by the former service integrator', async () => {
    for (const path of ['', '/history', '/usage', '/instances', '/impact', `/as-of?at=${before}`, '/plan-offer'])
      expect([path, (await formerPartner.get(`${SI}/customers/${customer.id}${path}`)).status]).toEqual([path, 404]);
    const changed = { name: 'Taken back', contactEmail: 'it@former.example' };
    expect((await formerPartner.put(`${SI}/customers/${customer.id}`, changed)).status).toBe(404);
    expect((await formerPartner.get(`${SI}/customers`)).body.customers).toEqual([]);
    expect((await formerPartner.get('/api/users')).body.users).toEqual([]);
    expect((await formerPartner.get(`${SI}/calls`)).body.calls).toEqual([]);
    expect((await formerPartner.get(`${SI}/dashboard/stats`)).body).not.toHaveProperty('customer');
    // The external id is free again.
    await newCustomer(admin, formerId(), { name: 'Successor', externalId: 'crm-17' });
  });

  it('has the past in the audit of the former, and what follows in that of the new one', async () => {
    await admin.put(`/api/admin/customers/${customer.id}`, { name: 'Acme Two', contactEmail: 'it@acme.example' });
    const audit = async (partner: Client) =>
      (await partner.get(`${SI}/audit?limit=100&customer=${customer.id}`)).body.entries as { type: string; summary: string }[];
    const past = await audit(formerPartner);
    expect(typesOf(past).slice(0, 2)).toEqual(['CustomerMovedAway', 'ThemeUnassigned']);
    expect(past[0]?.summary).toBe('Acme moved to another service integrator');
    expect(typesOf(past)).toContain('CustomerRegistered');
    expect(JSON.stringify(past)).not.toContain('Next');
    expect(typesOf(await audit(nextPartner))).toEqual(['CustomerDetailsChanged', 'ThemeAssigned', 'CustomerMoved']);
    const own = (await nextPartner.get(`${SI}/customers/${customer.id}/history`)).body.history;
    expect(typesOf(own)).toEqual(['CustomerDetailsChanged', 'ThemeAssigned', 'CustomerMoved']);
    for (const [partner, type] of [
      [formerPartner, 'CustomerMovedAway'],
      [nextPartner, 'CustomerMoved'],
    ] as const)
      expect(typesOf((await partner.get(`${SI}/history`)).body.history)).toContain(type);
    const whole = typesOf((await admin.get(`/api/admin/customers/${customer.id}/history?limit=100`)).body.history);
    expect(whole).toEqual(expect.arrayContaining(['CustomerRegistered', 'CustomerMovedAway', 'CustomerMoved']));
  });

  it('belonged to the former one at a time before, which only administrators see', async () => {
    const asOf = (client: Client, prefix: string, query: string) =>
      client.get(`${prefix}/customers/${customer.id}/as-of?at=${query}`);
    const then = await asOf(admin, '/api/admin', `${before}&compareTo=${new Date().toISOString()}`);
    expect(then.body.customer).toMatchObject({ serviceIntegratorName: 'Former Partners', themeDisplayName: 'Former blue' });
    expect(then.body.changes).toContainEqual({ field: 'serviceIntegrator', before: 'Former Partners', after: 'Next Partners' });
    expect((await asOf(nextPartner, SI, before)).status).toBe(404);
    expect((await asOf(nextPartner, SI, new Date().toISOString())).status).toBe(200);
    const { history } = (await admin.get(`/api/admin/customers/${customer.id}/history?limit=100`)).body;
    const themed = history.find(({ type }: { type: string }) => type === 'ThemeUnassigned');
    expect((await nextPartner.get(`${SI}/customers/${customer.id}/reverts/${themed.id}`)).body.code).toBe('revert_outdated');
  });

  it('is erased in both histories when it is deleted', async () => {
    await admin.delete(`/api/admin/customers/${customer.id}`);
    for (const partner of [formerPartner, nextPartner]) {
      const { entries } = (await partner.get(`${SI}/audit?limit=100&customer=${customer.id}`)).body;
      expect(entries.length).toBeGreaterThan(2);
      expect(JSON.stringify(entries)).not.toContain('Acme');
    }
    await eventually(
      () => admin.delete(`/api/admin/service-integrators/${nextId()}`),
      ({ status }) => status === 200,
    );
  });
});

it('is refused where the other service integrator cannot take the customer', async () => {
  const other = await newIntegrator(admin);
  const { id } = await newCustomer(admin, formerId(), { name: 'Twin', externalId: 'crm-taken' });
  await newCustomer(admin, other.id, { name: 'Twin', externalId: 'crm-taken' });
  const wanted = { serviceIntegratorId: other.id };
  const preview = (records: string) => admin.get(`${moveOf(id)}?serviceIntegratorId=${other.id}&records=${records}`);
  for (const reply of [await preview('keep'), await move(id, wanted)])
    expect([reply.status, reply.body.code]).toEqual([409, 'external_id_taken']);
  expect((await preview('clear')).body.move).toMatchObject({ isNameTaken: true });
  const moved = await move(id, { ...wanted, records: 'clear' });
  expect(moved.body.customer).not.toHaveProperty('externalId');
  const missing = await move(id, { serviceIntegratorId: '00000000-0000-4000-8000-000000000000' });
  expect([missing.status, missing.body.code]).toEqual([400, 'integrator_unknown']);
});
