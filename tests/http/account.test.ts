import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asAdmin, asCustomer, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: Client;
let integrator: ServiceIntegrator;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
});

afterAll(() => server.close());

describe('a customer’s profile', () => {
  it('is changed by the customer, with all three fields', async () => {
    const portal = await asCustomer(server.url, await newCustomer(admin, integrator.id));
    const wanted = { name: 'Acme 2', contactEmail: 'ops@acme.example', company: 'Acme Group' };
    expect((await portal.put('/api/customer/profile', wanted)).body).toMatchObject({ success: true, profile: wanted });
    expect((await portal.get('/api/customer/profile')).body.profile).toMatchObject(wanted);
    expect(await portal.put('/api/customer/profile', { ...wanted, company: '' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'company' }] },
    });
    expect(await portal.put('/api/customer/profile', { ...wanted, status: 'active' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'status', message: 'Unknown field' }] },
    });
  });
});

describe('a customer’s password', () => {
  it('is the license key until one is set, which ends other sessions', async () => {
    const customer = await newCustomer(admin, integrator.id);
    const [portal, other] = [await asCustomer(server.url, customer), await asCustomer(server.url, customer)];
    const change = (currentPassword: string, newPassword: string) =>
      portal.post('/api/customer/change-password', { currentPassword, newPassword });
    expect(await change('wrong', 'violet lantern quarry')).toMatchObject({ status: 400, body: { code: 'wrong_current_password' } });
    expect(await change(customer.licenseKey.toLowerCase(), 'short')).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'newPassword', message: 'Password must be at least 8 characters' }] },
    });
    expect(await change(customer.licenseKey.toLowerCase(), 'violet lantern quarry')).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect((await portal.get('/api/customer/profile')).status).toBe(200);
    expect((await other.get('/api/customer/profile')).status).toBe(401);
    expect(await change(customer.licenseKey, 'marble otter compass')).toMatchObject({
      status: 400,
      body: { code: 'wrong_current_password' },
    });
    expect(await change('violet lantern quarry', 'marble otter compass')).toMatchObject({ status: 200 });
  });

  it('can be guessed ten times a minute', async () => {
    const portal = await asCustomer(server.url, await newCustomer(admin, integrator.id));
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++) {
      const reply = await portal.post('/api/customer/change-password', {
        currentPassword: `guess ${guess}`,
        newPassword: 'violet lantern quarry',
      });
      statuses.push(reply.status);
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429, 429]);
  });
});

describe('the request for deletion', () => {
  it('is shown to administrators and the integrator, and can be withdrawn', async () => {
    const customer = await newCustomer(admin, integrator.id);
    const portal = await asCustomer(server.url, customer);
    const asked = await portal.post('/api/customer/request-deletion');
    expect(asked).toMatchObject({ status: 200, body: { success: true, profile: { deletionRequestedAt: expect.any(String) } } });
    expect((await admin.get(`/api/admin/customers/${customer.id}`)).body.customer.deletionRequestedAt).toBe(
      asked.body.profile.deletionRequestedAt,
    );
    expect((await portal.post('/api/customer/request-deletion')).body.profile.deletionRequestedAt).toBe(
      asked.body.profile.deletionRequestedAt,
    );
    expect((await portal.delete('/api/customer/request-deletion')).body.profile.deletionRequestedAt).toBeNull();
  });
});
