import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { HistoryEntry } from '../../src/contracts/history.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
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
  type Reply,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';

const PASSWORD = 'violet lantern quarry';

let server: TestServer;
let admin: Client;
let integrator: ServiceIntegrator;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
});

afterAll(() => server.close());

const signIn = ({ licenseKey }: Customer, password?: string): Promise<Reply> =>
  clientOf(server.url).post('/api/auth/customer/login', { licenseKey, ...(password !== undefined && { password }) });

/** A new customer with the password; `portal` is the session that set it. */
const newProtected = async (): Promise<{ customer: Customer; portal: Client }> => {
  const customer = await newCustomer(admin, integrator.id);
  const portal = await asCustomer(server.url, customer);
  const change = { currentPassword: customer.licenseKey, newPassword: PASSWORD };
  expect((await portal.post('/api/customer/change-password', change)).status).toBe(200);
  return { customer, portal };
};

describe('portal sign-in of a customer with a password', () => {
  it('requires it after the license key', async () => {
    const { customer } = await newProtected();
    expect(await signIn(customer)).toMatchObject({ status: 401, body: { code: 'password_required' } });
    expect(await signIn(customer, 'wrong')).toMatchObject({ status: 401, body: { code: 'wrong_password' } });
    const reply = await signIn(customer, PASSWORD);
    expect(reply).toMatchObject({ status: 200, body: { customer: { id: customer.id, hasPassword: true } } });
    const portal = clientOf(server.url, bearer(reply.body.token));
    expect((await portal.get('/api/customer/profile')).status).toBe(200);
  });

  it('does not reveal a suspension without the password', async () => {
    const { customer } = await newProtected();
    const change = { name: customer.name, contactEmail: customer.contactEmail, status: 'suspended' };
    await admin.put(`/api/admin/customers/${customer.id}`, change);
    expect(await signIn(customer)).toMatchObject({ status: 401, body: { code: 'password_required' } });
    expect(await signIn(customer, PASSWORD)).toMatchObject({ status: 403, body: { code: 'customer_suspended' } });
  });

  it('does not affect the command-line tool', async () => {
    const { customer } = await newProtected();
    const tool = await asTool(server.url, customer, 'ada');
    expect((await tool.get('/api/cli/session')).status).toBe(200);
  });

  it('ignores a password if none is set', async () => {
    const customer = await newCustomer(admin, integrator.id);
    expect(await signIn(customer, 'anything')).toMatchObject({ status: 200, body: { customer: { hasPassword: false } } });
  });
});

describe('resetting a portal password', () => {
  it.each([
    ['an administrator', '/api/admin', async () => admin],
    ['the integrator', '/api/service-integrator', () => asIntegrator(server.url, integrator)],
  ] as const)('is up to %s, ends the portal sessions and stands in the history', async (_who, root, clientFor) => {
    const { customer, portal } = await newProtected();
    const tool = await asTool(server.url, customer, 'ada');
    const client = await clientFor();
    const path = `${root}/customers/${customer.id}`;
    const before = await client.get(path);
    expect(before.body.customer.hasPassword).toBe(true);
    const reset = await client.post(`${path}/reset-password`, undefined, {
      headers: { 'if-match': before.headers.get('etag') ?? '' },
    });
    expect(reset).toMatchObject({ status: 200, body: { success: true, customer: { id: customer.id, hasPassword: false } } });
    await eventually(
      () => portal.get('/api/customer/profile'),
      ({ status }) => status === 401,
    );
    expect((await tool.get('/api/cli/session')).status).toBe(200);
    expect(await signIn(customer)).toMatchObject({ status: 200 });
    const { history } = (await client.get(`${path}/history?type=PasswordReset`)).body;
    expect(history.map(({ summary }: HistoryEntry) => summary)).toEqual(['The portal password was reset']);
    expect((await client.post(`${path}/reset-password`)).body.customer.hasPassword).toBe(false);
    expect((await client.get(`${path}/history?type=PasswordReset`)).body.total).toBe(1);
  });
});

describe('a new password', () => {
  it('is rejected if it is common, repeated, or derived from data of the customer', async () => {
    const customer = await newCustomer(admin, integrator.id, {
      name: 'Kumquat Logistics',
      company: 'Tangerine Holding',
      contactEmail: 'pomelo@satsuma-freight.example',
    });
    const portal = await asCustomer(server.url, customer);
    const set = (newPassword: string) =>
      portal.post('/api/customer/change-password', { currentPassword: customer.licenseKey, newPassword });
    const { licenseKey } = customer;
    const guessable = [
      'password1234',
      'qwertyuiop',
      'aaaaaaaaaaaaaaaa',
      'Kumquat2026',
      'KumquatLogistics',
      'Tang3rine!',
      'pomelo@satsuma-freight.example',
      'satsuma-freight',
      licenseKey,
      licenseKey.toLowerCase().replaceAll('-', ''),
      'latchkey1',
      `${'password'.repeat(4)}x7#Lq`,
    ];
    for (const newPassword of guessable) {
      expect([newPassword, await set(newPassword)]).toMatchObject([
        newPassword,
        { status: 400, body: { code: 'password_too_weak', issues: [{ path: 'newPassword' }] } },
      ]);
    }
    expect(await set('short')).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'newPassword', message: 'Password must be at least 8 characters' }] },
    });
    expect((await portal.get('/api/customer/profile')).body.profile.hasPassword).toBe(false);
    expect(await set('violet lantern quarry')).toMatchObject({ status: 200 });
  });
});
