import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import type { StreamName } from '../../src/eventstore/port.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  clientOf,
  cookieOf,
  newCustomer,
  newIntegrator,
  toolLoginOf,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { ADMIN_KEY } from '../support/keys.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { sessionEnd } from '../support/sessionEnd.ts';

let server: TestServer;
let admin: Client;
let nobody: Client;
let integrator: ServiceIntegrator;
let customer: Customer;

beforeAll(async () => {
  server = await openServer({ ADMIN_EMAIL: 'root@example.com' });
  admin = await asAdmin(server.url);
  nobody = clientOf(server.url);
  integrator = await newIntegrator(admin);
  customer = await newCustomer(admin, integrator.id);
});

afterAll(() => server.close());

/** A client whose failed sign-ins are counted apart. */
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

const eventsOf = async ({ product }: TestServer, stream: StreamName): Promise<string[]> => {
  const types: string[] = [];
  for await (const { event } of product.events.read(stream)) types.push(event.type);
  return types;
};

describe('an administrator', () => {
  it('signs in with the admin key and gets the session in an HttpOnly cookie', async () => {
    const reply = await nobody.post('/api/auth/admin/login', { adminKey: ADMIN_KEY });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      success: true,
      session: { email: 'root@example.com', expiresAt: expect.any(String), role: null, name: null, permissions: expect.any(Array) },
    });
    const [cookie = ''] = reply.headers.getSetCookie();
    expect(cookie).toMatch(/^latchkey_admin=[\w-]{43}; Path=\/; Expires=.*; HttpOnly; SameSite=Strict$/);
    const me = clientOf(server.url, { cookie: cookieOf(reply) });
    expect((await me.get('/api/auth/admin/session')).body.session.email).toBe('root@example.com');
  });

  it('is signed out permanently', async () => {
    const me = await asAdmin(server.url);
    const reply = await me.post('/api/auth/admin/logout');
    expect(reply.status).toBe(200);
    expect(reply.headers.getSetCookie()[0]).toMatch(/^latchkey_admin=;.*Expires=Thu, 01 Jan 1970/);
    expect((await me.get('/api/auth/admin/session')).status).toBe(401);
  });

  it('is refused with a wrong key', async () => {
    const reply = await nobody.post('/api/auth/admin/login', { adminKey: 'not the admin key' });
    expect(reply).toMatchObject({ status: 401, body: { success: false, code: 'wrong_admin_key' } });
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  it('cannot use a cookie as a token, nor a token as a cookie', async () => {
    const token = (admin.headers.cookie ?? '').split('=')[1] ?? '';
    expect((await clientOf(server.url, { authorization: `Bearer ${token}` }).get('/api/admin/customers')).status).toBe(401);
    const other = await asCustomer(server.url, customer);
    const asCookie = `latchkey_admin=${other.headers.authorization?.split(' ')[1]}`;
    expect((await clientOf(server.url, { cookie: asCookie }).get('/api/customer/profile')).status).toBe(401);
  });

  it('is signed out if the environment has another key', async () => {
    const me = await asAdmin(server.url);
    // After the node itself a policy ends the sessions, and with them those that are opened until then.
    const endedByPolicy = new Promise<void>((resolve) => {
      server.product.sessions.onEnded(({ openedBefore }, reason) => {
        if (reason === 'key_rotated' && openedBefore !== undefined) resolve();
      });
    });
    const node = await server.openNode({ ADMIN_KEY: 'another-key-of-the-environment' });
    await node.close();
    expect((await me.get('/api/auth/admin/session')).status).toBe(401);
    const recorded = await eventsOf(server, streams.adminActivity);
    expect(recorded).toContain('AdminKeyRotated');
    await endedByPolicy;
    admin = await asAdmin(server.url);
  });

  it('can act only from pages of this server', async () => {
    const evil = await admin.post('/api/auth/admin/logout', undefined, { headers: { origin: 'https://evil.example' } });
    expect(evil).toMatchObject({ status: 403, body: { code: 'origin_refused' } });
    expect((await admin.get('/api/auth/admin/session')).status).toBe(200);
    const own = await (await asAdmin(server.url)).post('/api/auth/admin/logout', undefined, { headers: { origin: server.url } });
    expect(own.status).toBe(200);
  });
});

describe('a customer and a service integrator', () => {
  it('sign in with their keys in any spelling, and get their identity', async () => {
    const typed = ` ${customer.licenseKey.toLowerCase()} `;
    const reply = await nobody.post('/api/auth/customer/login', { licenseKey: typed });
    expect(reply).toMatchObject({ status: 200, body: { success: true, customer: { id: customer.id, name: 'Acme' } } });
    const me = clientOf(server.url, { authorization: `Bearer ${reply.body.token}` });
    expect((await me.get('/api/auth/customer/session')).body.customer.id).toBe(customer.id);
    expect((await me.post('/api/auth/customer/logout')).status).toBe(200);
    expect((await me.get('/api/auth/customer/session')).status).toBe(401);

    const partner = await asIntegrator(server.url, integrator);
    expect((await partner.get('/api/auth/service-integrator/session')).body.serviceIntegrator.id).toBe(integrator.id);
    expect((await partner.post('/api/auth/service-integrator/logout')).status).toBe(200);
    expect((await partner.get('/api/auth/service-integrator/session')).status).toBe(401);
  });

  it('are refused alike with unknown keys', async () => {
    const [license, master] = await Promise.all([
      nobody.post('/api/auth/customer/login', { licenseKey: 'LK-ENT-0000-00000' }),
      nobody.post('/api/auth/service-integrator/login', { masterLicenseKey: 'LK-SI-0000-00000' }),
    ]);
    expect(license).toMatchObject({ status: 401, body: { code: 'unknown_license_key' } });
    expect(master).toMatchObject({ status: 401, body: { code: 'unknown_master_license_key' } });
  });

  it('get the reason of a refusal only with the correct key', async () => {
    const suspended = await newCustomer(admin, integrator.id, { name: 'Suspended' });
    await admin.put(`/api/admin/customers/${suspended.id}`, {
      name: 'Suspended',
      contactEmail: 'a@b.example',
      status: 'suspended',
    });
    const login = () => nobody.post('/api/auth/customer/login', { licenseKey: suspended.licenseKey });
    expect(await login()).toMatchObject({ status: 403, body: { code: 'customer_suspended' } });
    await admin.put(`/api/admin/customers/${suspended.id}`, { name: 'Suspended', contactEmail: 'a@b.example', status: 'churned' });
    expect(await login()).toMatchObject({ status: 403, body: { code: 'customer_churned' } });
    await admin.put(`/api/admin/customers/${suspended.id}`, { name: 'Suspended', contactEmail: 'a@b.example', status: 'active' });
    expect(await login()).toMatchObject({ status: 200 });
  });

  it('cannot use a former key', async () => {
    const rotating = await newCustomer(admin, integrator.id, { name: 'Rotating' });
    const session = await asCustomer(server.url, rotating);
    const rotated = (await admin.post(`/api/admin/customers/${rotating.id}/rotate-key`)).body.customer;
    expect(rotated.licenseKey).not.toBe(rotating.licenseKey);
    expect(await nobody.post('/api/auth/customer/login', { licenseKey: rotating.licenseKey })).toMatchObject({ status: 401 });
    expect(await nobody.post('/api/auth/customer/login', { licenseKey: rotated.licenseKey })).toMatchObject({ status: 200 });
    await eventually(
      () => session.get('/api/customer/profile'),
      ({ status }) => status === 401,
    );
  });
});

describe('a command-line tool', () => {
  it('signs a user in, and the same user again', async () => {
    const first = await asTool(server.url, customer, 'ada');
    const again = await asTool(server.url, customer, 'ada');
    expect(again.userId).toBe(first.userId);
    const session = await again.get('/api/cli/session');
    expect(session.body).toMatchObject({
      success: true,
      user: { username: 'ada', email: 'ada@example.com', role: 'developer', status: 'active', lastLogin: expect.any(String) },
      customer: { id: customer.id, name: 'Acme', status: 'active' },
      seat: { kind: 'developer', allocated: 10, active: 1 },
      theme: { name: 'plain' },
    });
    expect((await again.post('/api/cli/logout')).status).toBe(200);
    expect((await again.get('/api/cli/session')).status).toBe(401);
  });

  it('is refused for users without access', async () => {
    const tool = await asTool(server.url, customer, 'grace');
    const login = toolLoginOf(customer, 'grace');
    await admin.put(`/api/admin/users/${tool.userId}/status`, { status: 'suspended' });
    expect(await nobody.post('/api/cli/login', login)).toMatchObject({ status: 403, body: { code: 'user_suspended' } });
    await eventually(
      () => tool.get('/api/cli/session'),
      ({ status, body }) => status === 403 && body.code === 'user_suspended',
    );
    await sessionEnd(server.product, tool);
    await admin.put(`/api/admin/users/${tool.userId}/status`, { status: 'active' });
    expect(await tool.get('/api/cli/session')).toMatchObject({ status: 401 });
    expect(await nobody.post('/api/cli/login', login)).toMatchObject({ status: 200 });
  });
});

describe('the check of a license key', () => {
  const check = (licenseKey: string) => nobody.post('/api/cli/license-key/check', { licenseKey });

  it('answers as a sign-in would for every user, and registers nobody', async () => {
    const checked = await newCustomer(admin, integrator.id, { name: 'Checked' });
    const { licenseKey, name, contactEmail } = checked;
    const before = await eventsOf(server, streams.customer(checked.id));
    expect(await check(licenseKey.toLowerCase())).toMatchObject({ status: 200, body: { success: true } });
    expect(await check('LK-ENT-0000-00000')).toMatchObject({ status: 401, body: { code: 'unknown_license_key' } });
    expect(await eventsOf(server, streams.customer(checked.id))).toEqual(before);
    const codes: string[] = [];
    for (const status of ['suspended', 'churned']) {
      await admin.put(`/api/admin/customers/${checked.id}`, { name, contactEmail, status });
      const { body } = await nobody.post('/api/cli/login', toolLoginOf(checked, 'ada'));
      expect((await check(licenseKey)).body).toEqual(body);
      codes.push(body.code);
    }
    expect(codes).toEqual(['customer_suspended', 'customer_churned']);
  });
});

describe('too many wrong keys', () => {
  it('are answered with 429 for a minute, the correct key too, for each address separately', async () => {
    const node = await server.openNode({ TRUST_PROXY: 'loopback' });
    const client = clientOf(node.url);
    const attempt = (address: string, adminKey: string) =>
      client.post('/api/auth/admin/login', { adminKey }, { headers: from(address) });
    const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await attempt('192.0.2.9', 'wrong')).status));
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    const locked = await attempt('192.0.2.9', ADMIN_KEY);
    expect(locked).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await attempt('192.0.2.10', ADMIN_KEY)).status).toBe(200);
    await node.close();
  });
});
