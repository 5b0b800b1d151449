import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserId } from '../../src/domain/ids.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  bearer,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { asIntegratorMember, asPortalMember, invite, inviteUser, join, PASSWORD } from '../support/members.ts';
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
      apiTokens: 0,
      connected: { count: 0, names: [] },
      lockedOut: { count: 0, names: [] },
      overLimit: [],
      changedSeats: [],
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
    expect(impact.connected).toEqual({ count: 1, names: ['ada'] });
    const partner = await asIntegrator(server.url, integrator);
    expect(await impactOf(partner, `/api/service-integrator/customers/${customer.id}`)).toMatchObject(counted);
    await admin.put(path, { name: customer.name, contactEmail: customer.contactEmail, status: 'suspended' });
    await socket.closed;
    await eventually(
      () => impactOf(admin, path),
      ({ connections, portalSessions }) => connections === 0 && portalSessions === 0,
    );
  });

  it('names who is locked out and who keeps a seat beyond the limit, as the decision says, without recording it', async () => {
    const integrator = await newIntegrator(admin);
    const customer = await newCustomer(admin, integrator.id);
    for (const name of ['gil', 'ada', 'bob', 'cyd', 'dan', 'eve', 'fay']) {
      const { userId } = await asTool(server.url, customer, name);
      if (name === 'fay') await admin.put(`/api/admin/users/${userId}/status`, { status: 'inactive' });
    }
    const portal = await asCustomer(server.url, customer);
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    await portal.post('/api/tokens', { name: 'CI', scopes: ['users:read'], expiresAt });
    const path = `/api/admin/customers/${customer.id}`;
    const first = ['ada', 'bob', 'cyd', 'dan', 'eve'];
    const ask = async (client: Client, query: string) => (await client.get(`${path}/impact?${query}`)).body.impact;
    expect(await ask(admin, 'status=suspended')).toMatchObject({
      lockedOut: { count: 6, names: first },
      apiTokens: 1,
      overLimit: [],
    });
    expect(await ask(admin, 'status=active')).toMatchObject({ lockedOut: { count: 0, names: [] } });
    expect(await ask(admin, 'deletion=true')).toMatchObject({ lockedOut: { count: 6, names: first } });
    expect(await ask(admin, 'developerSeats=2&seatLimitsEnforced=true')).toMatchObject({
      lockedOut: { count: 0 },
      overLimit: [{ kind: 'developer', limit: 2, holders: { count: 6, names: first } }],
    });
    expect(await ask(admin, 'developerSeats=6')).toMatchObject({
      overLimit: [],
      changedSeats: [{ kind: 'developer', limit: 6, isFloating: false, isEnforced: true, users: 6 }],
    });
    expect((await ask(admin, 'developerSeats=2&floatingDeveloperMinutes=5')).changedSeats).toMatchObject([
      { kind: 'developer', limit: 2, isFloating: true, users: 6 },
    ]);
    expect((await admin.get(`${path}/impact?developerSeats=many`)).status).toBe(400);
    expect((await admin.get(path)).body.customer).toMatchObject({ status: 'active', activeDeveloperSeats: 6 });

    const token = { name: 'Without users', scopes: ['customers:read'], expiresAt };
    const { secret } = (await admin.post('/api/tokens', token)).body;
    const program = clientOf(server.url, bearer(secret));
    expect(await ask(program, 'status=suspended')).toMatchObject({ lockedOut: { count: 6, names: [] }, connected: { names: [] } });
  });

  it('is not shown to another service integrator', async () => {
    const customer = await newCustomer(admin, (await newIntegrator(admin)).id);
    const outsider = await asIntegrator(server.url, await newIntegrator(admin));
    expect(await outsider.get(`/api/service-integrator/customers/${customer.id}/impact`)).toMatchObject({
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
    expect(await impactOf(admin, path)).toEqual({
      sessions: 2,
      customers: 2,
      customThemes: 1,
      customerNames: ['Acme', 'Gone'],
      refusal: null,
      lockedOut: { count: 0, names: [] },
      apiTokens: 0,
      releasedDomain: null,
      endsBranding: false,
    });
    await partner.post('/api/auth/service-integrator/logout');
    expect(await impactOf(admin, path)).toMatchObject({ sessions: 1 });
  });
});

describe('the decision on a change of a service integrator', () => {
  it('names users who are locked out, counts API tokens that stop working, and says what of the brand ends', async () => {
    const integrator = await newIntegrator(admin);
    const path = `/api/admin/service-integrators/${integrator.id}`;
    const ask = async (query: string) => (await admin.get(`${path}/impact?${query}`)).body.impact;
    const partner = await asIntegrator(server.url, integrator);
    await join(server.url, await invite(partner, 'owner', 'Grace Hopper'));
    await partner.post('/api/team/members', { name: 'Invited only', email: 'invited@partner.example', role: 'owner' });
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    expect((await partner.post('/api/tokens', { name: 'CI', scopes: ['customers:read'], expiresAt })).status).toBe(201);
    const brand = { whiteLabelEnabled: true, customDomain: 'impact.partner.example', logoUrl: null };
    await partner.put('/api/service-integrator/white-label', brand);
    const lockedOut = { count: 1, names: ['Grace Hopper'] };
    expect(await ask('status=suspended')).toMatchObject({
      refusal: null,
      lockedOut,
      apiTokens: 1,
      releasedDomain: null,
      endsBranding: false,
    });
    const ended = { lockedOut, apiTokens: 1, releasedDomain: 'impact.partner.example', endsBranding: true };
    expect(await ask('status=churned')).toMatchObject(ended);
    expect(await ask('deletion=true')).toMatchObject(ended);
    expect(await ask('status=active')).toMatchObject({ lockedOut: { count: 0 }, apiTokens: 0 });
    await newCustomer(admin, integrator.id);
    expect((await ask('deletion=true')).refusal).toContain('customers');
    expect((await admin.get(path)).body.service_integrator).toMatchObject({ status: 'active' });
    expect((await admin.get(`${path}/impact?status=gone`)).status).toBe(400);
  });
});

describe('the impact of a change of a named user', () => {
  it('counts the sessions that end and names the API tokens that are revoked, and says why a change is refused', async () => {
    const partner = await asIntegrator(server.url, await newIntegrator(admin));
    await join(server.url, await invite(partner, 'owner', 'Grace Hopper'));
    const leaver = await join(server.url, await invite(partner, 'owner', 'Ada Byron'));
    const member = await asIntegratorMember(server.url, leaver);
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    for (const [name, scope] of [
      ['Reads', 'customers:read'],
      ['Writes', 'customers:write'],
    ]) {
      expect((await member.post('/api/tokens', { name, scopes: [scope], expiresAt })).status).toBe(201);
    }
    const path = `/api/team/members/${leaver.userId}`;
    const ask = async (client: Client, query: string) => (await client.get(`${path}/impact?${query}`)).body.impact;
    const nothing = { refusal: null, sessions: 0, apiTokens: { count: 0, names: [] } };
    expect(await ask(partner, 'role=owner')).toMatchObject(nothing);
    expect(await ask(partner, 'role=auditor')).toMatchObject({
      ...nothing,
      sessions: 1,
      apiTokens: { count: 1, names: ['Writes'] },
    });
    expect(await ask(partner, 'removal=true')).toMatchObject({
      ...nothing,
      sessions: 1,
      apiTokens: { count: 2, names: ['Reads', 'Writes'] },
    });
    const ended = {
      console: { count: 1, sessions: [{ user: 'Ada Byron', machine: null, lastSeenAt: expect.any(String) }] },
      tools: { count: 0, sessions: [] },
      apiTokens: { count: 0, names: [] },
      kept: { console: 0, tools: 0, apiTokens: 2 },
    };
    expect(await ask(partner, 'signOut=true')).toMatchObject({ ...nothing, sessions: 1, ended });
    expect((await ask(partner, 'role=operator')).refusal).toEqual(expect.any(String));
    expect((await partner.get(`${path}/impact?role=king`)).status).toBe(400);
    const outsider = await asIntegrator(server.url, await newIntegrator(admin));
    expect((await outsider.get(`${path}/impact`)).body.code).toBe('member_not_found');
    expect((await member.get('/api/tokens')).status).toBe(200);
    expect((await partner.put(path, { role: 'auditor' })).status).toBe(200);
    expect((await ask(partner, 'removal=true')).apiTokens).toEqual({ count: 1, names: ['Reads'] });
  });
});

const inADay = () => new Date(Date.now() + 86_400_000).toISOString();

describe('the impact of replacing a license key and of resetting a portal password', () => {
  it('lists the sessions, sign-ins of the tool and API tokens that end, which are those that then end', async () => {
    const integrator = await newIntegrator(admin);
    const customer = await newCustomer(admin, integrator.id);
    const path = `/api/admin/customers/${customer.id}`;
    const byKey = await asCustomer(server.url, customer);
    const ada = await asTool(server.url, customer, 'ada');
    await admin.put(`/api/admin/users/${ada.userId}`, { username: 'ada', email: 'ada@acme.example', role: 'admin' });
    const byName = await asPortalMember(server.url, await join(server.url, await inviteUser(byKey, ada.userId)));
    for (const [client, name] of [[byKey, 'Of the key'] as const, [byName, 'Of Ada'] as const])
      expect((await client.post('/api/tokens', { name, scopes: ['users:read'], expiresAt: inADay() })).status).toBe(201);
    const { sessions } = server.product;
    const owner = {
      kind: 'cli',
      userId: ada.userId as UserId,
      customerId: customer.id,
      integratorId: integrator.id,
      machine: null,
    } as const;
    const byCode = clientOf(server.url, bearer((await sessions.open(owner, { method: 'device_code' })).token));
    const ask = async (client: Client, query: string) => (await client.get(`${path}/impact?${query}`)).body.impact.ended;
    const none = { count: 0, sessions: [] };
    const expected = {
      console: { count: 1, sessions: [{ user: null, machine: null }] },
      tools: { count: 1, sessions: [{ user: 'ada', machine: expect.any(String) }] },
      apiTokens: { count: 1, names: [] },
      kept: { console: 1, tools: 1, apiTokens: 1 },
    };
    expect(await ask(admin, 'keyRotation=true')).toMatchObject(expected);
    const partner = await asIntegrator(server.url, integrator);
    const ofPartner = await partner.get(`/api/service-integrator/customers/${customer.id}/impact?keyRotation=true`);
    expect(ofPartner.body.impact.ended).toMatchObject(expected);
    const password = { currentPassword: customer.licenseKey, newPassword: PASSWORD };
    expect((await byKey.post('/api/customer/change-password', password)).status).toBe(200);
    expect(await ask(admin, 'passwordReset=true')).toMatchObject({
      console: { count: 1 },
      tools: none,
      apiTokens: { count: 0 },
      kept: { console: 1, tools: 2, apiTokens: 2 },
    });
    expect(await ask(admin, '')).toBeUndefined();

    const token = { name: 'No users', scopes: ['customers:read'], expiresAt: inADay() };
    const program = clientOf(server.url, bearer((await admin.post('/api/tokens', token)).body.secret));
    expect(await ask(program, 'keyRotation=true')).toMatchObject({ console: { count: 1, sessions: [] }, tools: { sessions: [] } });

    expect((await admin.post(`${path}/rotate-key`)).status).toBe(200);
    const statusOf = (client: Client, of: string) => client.get(of).then(({ status }) => status);
    await eventually(
      async () => [await statusOf(byKey, '/api/customer/profile'), await statusOf(ada, '/api/cli/session')],
      (statuses) => statuses.every((status) => status === 401),
    );
    expect([await statusOf(byName, '/api/customer/profile'), await statusOf(byCode, '/api/cli/session')]).toEqual([200, 200]);
    await eventually(
      async () => (await byName.get('/api/tokens')).body.tokens as { name: string; state: string }[],
      (tokens) => tokens.every(({ name, state }) => state === (name === 'Of Ada' ? 'active' : 'revoked')),
    );
  });

  it('of a service integrator lists the sessions of its key, for administrators and itself', async () => {
    const integrator = await newIntegrator(admin);
    const partner = await asIntegrator(server.url, integrator);
    const member = await asIntegratorMember(server.url, await join(server.url, await invite(partner, 'owner', 'Grace Hopper')));
    await partner.post('/api/tokens', { name: 'Of the key', scopes: ['customers:read'], expiresAt: inADay() });
    const ended = {
      console: { count: 1, sessions: [{ user: null, machine: null, lastSeenAt: expect.any(String) }] },
      tools: { count: 0, sessions: [] },
      kept: { console: 1, tools: 0, apiTokens: 0 },
    };
    const asked = await admin.get(`/api/admin/service-integrators/${integrator.id}/impact?keyRotation=true`);
    expect(asked.body.impact.ended).toMatchObject({ ...ended, apiTokens: { count: 1, names: [] } });
    const own = await member.get('/api/service-integrator/impact');
    expect(own.body.impact.ended).toMatchObject({ ...ended, apiTokens: { count: 1, names: ['Of the key'] } });
  });
});

describe('the impact of deleting a custom theme', () => {
  it('names the customers that have it now, and what they get instead', async () => {
    const integrator = await newIntegrator(admin);
    const partner = await asIntegrator(server.url, integrator);
    const make = async (themeName: string, isDefault = false): Promise<string> => {
      const look = { displayName: themeName.toUpperCase(), primaryColor: '#0070AD', isDefault };
      return (await partner.post('/api/service-integrator/themes', { themeName, ...look })).body.theme.id;
    };
    const [ocean, reef] = [await make('ocean'), await make('reef')];
    for (const name of ['Northwind', 'Aperture']) await newCustomer(admin, integrator.id, { name, theme: ocean });
    const ask = async (client: Client, id: string) => client.get(`/api/service-integrator/themes/${id}/impact`);
    const customers = { count: 2, names: ['Aperture', 'Northwind'] };
    expect((await ask(partner, ocean)).body.impact).toEqual({ refusal: null, customers, fallbackTheme: null });
    await partner.post(`/api/service-integrator/themes/${reef}/set-default`);
    expect((await ask(partner, ocean)).body.impact).toEqual({ refusal: null, customers, fallbackTheme: 'REEF' });
    expect((await ask(partner, reef)).body.impact).toMatchObject({
      refusal: expect.any(String),
      customers: { count: 0, names: [] },
    });
    const outsider = await asIntegrator(server.url, await newIntegrator(admin));
    expect(await ask(outsider, ocean)).toMatchObject({ status: 404, body: { code: 'theme_not_found' } });
    const token = { name: 'Themes', scopes: ['themes:write'], expiresAt: inADay() };
    const program = clientOf(server.url, bearer((await partner.post('/api/tokens', token)).body.secret));
    expect((await ask(program, ocean)).body.impact.customers).toEqual({ count: 2, names: [] });
    await partner.delete(`/api/service-integrator/themes/${ocean}`);
    expect((await ask(partner, ocean)).status).toBe(404);
  });
});

describe('the impact of a change of a user', () => {
  it('is what the decision on the change leads to', async () => {
    const customer = await newCustomer(admin, (await newIntegrator(admin)).id);
    const { userId } = await asTool(server.url, customer, 'ada');
    const portal = await asCustomer(server.url, customer);
    const ask = async (client: Client, query: string) => (await client.get(`/api/users/${userId}/impact?${query}`)).body.impact;
    const unchanged = { refusal: null, isLockedOut: false, releasedSeat: null, claimedSeat: null };
    expect(await ask(portal, '')).toMatchObject(unchanged);
    expect(await ask(portal, 'status=suspended')).toEqual({
      refusal: null,
      isLockedOut: true,
      losesTool: true,
      endsSessions: true,
      releasedSeat: 'developer',
      claimedSeat: null,
      isConnected: false,
      portalSessions: 0,
      machines: { count: 1, names: [expect.any(String)] },
      apiTokens: { count: 0, names: [] },
    });
    expect(await ask(portal, 'removal=true')).toMatchObject({ isLockedOut: true, releasedSeat: 'developer' });
    const asStakeholder = { releasedSeat: 'developer', claimedSeat: 'stakeholder', losesTool: true, endsSessions: true };
    expect(await ask(portal, 'role=stakeholder')).toMatchObject({ ...asStakeholder, isLockedOut: false });
    expect(await ask(portal, 'role=admin')).toMatchObject({ losesTool: false, endsSessions: true });
    expect(await ask(portal, 'role=developer')).toMatchObject({ losesTool: false, endsSessions: false });
    const { name, contactEmail } = customer;
    await admin.put(`/api/admin/customers/${customer.id}`, { name, contactEmail, stakeholderSeats: 0, seatLimitsEnforced: true });
    expect(await ask(portal, 'role=stakeholder')).toMatchObject({ ...unchanged, refusal: expect.stringContaining('seat') });
    expect((await portal.get('/api/users/with-connections')).body.users).toMatchObject([{ status: 'active', role: 'developer' }]);
    const outsider = await asCustomer(server.url, await newCustomer(admin, (await newIntegrator(admin)).id));
    expect((await outsider.get(`/api/users/${userId}/impact`)).status).toBe(404);
  });
});
