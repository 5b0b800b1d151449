import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../src/contracts/history.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asAdmin, asCustomer, asIntegrator, asTool, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { sessionEnd } from '../support/sessionEnd.ts';

let server: TestServer;
let admin: Client;
let partner: Client;
let integrator: ServiceIntegrator;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  partner = await asIntegrator(server.url, integrator);
});

afterAll(() => server.close());

const summariesOf = async (path: string): Promise<string[]> =>
  (await admin.get(`${path}/history?limit=500`)).body.history.map(({ summary }: HistoryEntry) => summary);

describe('the reason of a status change', () => {
  it('is shown in the history of a customer', async () => {
    const customer = await newCustomer(admin, integrator.id);
    const own = `/api/service-integrator/customers/${customer.id}`;
    const path = `/api/admin/customers/${customer.id}`;
    const details = { name: customer.name, contactEmail: customer.contactEmail };
    const changes = [
      [partner, own, { status: 'suspended', reason: '  Invoice 42 is unpaid ' }],
      [admin, path, { status: 'active', reason: null }],
      [admin, path, { status: 'churned', reason: 'Contract ended' }],
      [admin, path, { reason: 'Without a change of the status' }],
    ] as const;
    for (const [client, url, change] of changes) {
      expect(await client.put(url, { ...details, ...change })).toMatchObject({ status: 200 });
    }
    expect((await summariesOf(path)).slice(0, 3)).toEqual([
      'The customer churned: Contract ended',
      'The customer was reactivated',
      'The customer was suspended: Invoice 42 is unpaid',
    ]);
  });

  it('is shown in the history of a service integrator, to administrators only', async () => {
    const other = await newIntegrator(admin, { companyName: 'Northwind' });
    const own = await asIntegrator(server.url, other);
    const path = `/api/admin/service-integrators/${other.id}`;
    const { companyName, contactEmail, billingEmail } = other;
    const changes = [
      { status: 'suspended', reason: '  Invoice 42 is unpaid ' },
      { status: 'active', reason: '' },
      { status: 'churned', reason: 'Contract ended' },
      { reason: 'Without a change of the status' },
    ];
    let signedIn = own;
    for (const change of changes) {
      expect(await admin.put(path, { companyName, contactEmail, billingEmail, ...change })).toMatchObject({ status: 200 });
      if (change.status === 'active') signedIn = await asIntegrator(server.url, other);
      else if (change.status !== undefined) await sessionEnd(server.product, signedIn);
    }
    const { history } = (await admin.get(`${path}/history`)).body;
    expect(history.slice(0, 3)).toMatchObject([
      { summary: 'The service integrator churned: Contract ended', actor: { kind: 'admin' } },
      { summary: 'The service integrator was reactivated' },
      {
        summary: 'The service integrator was suspended: Invoice 42 is unpaid',
        changes: [{ field: 'status', before: 'active', after: 'suspended' }],
      },
    ]);
    const csv = await admin.get(`${path}/history?type=IntegratorSuspended`, { headers: { accept: 'text/csv' } });
    expect(String(csv.body).trim().split('\r\n')).toEqual([expect.stringMatching(/^at,/), expect.stringContaining('Invoice 42')]);

    expect((await admin.put(path, { companyName, contactEmail, billingEmail, status: 'active' })).status).toBe(200);
    expect(await own.get(`${path}/history`)).toMatchObject({ status: 401 });
    const again = await asIntegrator(server.url, other);
    expect(await again.get(`${path}/history`)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const seen = await again.get('/api/service-integrator/profile');
    expect(JSON.stringify(seen.body)).not.toMatch(/Invoice 42|Contract ended/);
  });

  it('stays in the history of a deleted service integrator without its text', async () => {
    const other = await newIntegrator(admin, { companyName: 'Aardvark' });
    const path = `/api/admin/service-integrators/${other.id}`;
    const { companyName, contactEmail, billingEmail } = other;
    const suspended = { companyName, contactEmail, billingEmail, status: 'suspended', reason: 'Armadillo said so' };
    expect((await admin.put(path, suspended)).status).toBe(200);
    expect((await admin.delete(path)).status).toBe(200);
    const { history } = (await admin.get(`${path}/history`)).body;
    expect(history.map(({ type }: HistoryEntry) => type)).toEqual([
      'IntegratorDeleted',
      'IntegratorSuspended',
      'MasterLicenseIssued',
      'IntegratorRegistered',
    ]);
    expect(JSON.stringify(history)).not.toMatch(/Aardvark|Armadillo/);
    expect((await admin.get(path)).status).toBe(404);
  });

  it('is shown for a user, whether the status changes alone or with the details', async () => {
    const customer = await newCustomer(admin, integrator.id);
    const { userId } = await asTool(server.url, customer, 'ada');
    const portal = await asCustomer(server.url, customer);
    const details = { username: 'ada', email: 'ada@example.com', role: 'developer' };
    const changes = [
      [portal, `/api/users/${userId}/status`, { status: 'inactive', reason: 'On leave' }],
      [partner, `/api/users/${userId}`, { ...details, status: 'active', reason: 'Back from leave' }],
      [admin, `/api/admin/users/${userId}/status`, { status: 'suspended', reason: 'Laptop lost' }],
      [admin, `/api/admin/users/${userId}`, { ...details, reason: 'Without a change of the status' }],
    ] as const;
    for (const [client, url, body] of changes) expect(await client.put(url, body)).toMatchObject({ status: 200 });
    const summaries = await summariesOf(`/api/admin/customers/${customer.id}`);
    expect(summaries.filter((summary) => summary.includes(': '))).toEqual([
      'User ada was suspended: Laptop lost',
      'User ada was activated: Back from leave',
      'User ada was deactivated: On leave',
    ]);
  });

  it('has at most 500 characters and no control characters', async () => {
    const customer = await newCustomer(admin, integrator.id);
    const { userId } = await asTool(server.url, customer, 'ada');
    const details = { name: customer.name, contactEmail: customer.contactEmail };
    const account = { companyName: 'Contoso', contactEmail: 'it@contoso.example', billingEmail: 'bills@contoso.example' };
    const calls = [
      [`/api/admin/customers/${customer.id}`, details],
      [`/api/admin/service-integrators/${integrator.id}`, account],
      [`/api/admin/users/${userId}/status`, {}],
    ] as const;
    for (const [path, body] of calls) {
      for (const reason of ['x'.repeat(501), 'two\nlines', 7]) {
        const reply = await admin.put(path, { ...body, status: 'suspended', reason });
        expect(reply).toMatchObject({ status: 400, body: { code: 'validation_failed', issues: [{ path: 'reason' }] } });
      }
    }
  });
});
