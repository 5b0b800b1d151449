import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { asAdmin, asIntegrator, asTool, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: Client;
let integrator: ServiceIntegrator;
let customer: Customer;

const period = () => `from=${new Date(Date.now() - HOUR_MS).toISOString()}&to=${new Date(Date.now() + HOUR_MS).toISOString()}`;
const listed = async (more = ''): Promise<Record<string, unknown>[]> => {
  const { status, body } = await admin.get(`/monitoring/annotations?${period()}${more}`);
  expect(status).toBe(200);
  return body.annotations;
};

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  customer = await newCustomer(admin, integrator.id, { name: 'Acme' });
});
afterAll(() => server.close());

describe('the annotations of charts', () => {
  it('are suspensions, rotated keys and starts of servers, with who did it and whom it is about', async () => {
    const partner = await asIntegrator(server.url, integrator);
    const path = `/api/service-integrator/customers/${customer.id}`;
    expect((await partner.put(path, { name: 'Acme', contactEmail: 'it@acme.example', status: 'suspended' })).status).toBe(200);
    expect((await admin.post(`/api/admin/customers/${customer.id}/rotate-key`, {})).status).toBe(200);
    expect(await listed()).toMatchObject([
      {
        type: 'ServerStarted',
        summary: expect.stringMatching(/^A server started with version [\d.]+ \(api, projector\)$/),
        actor: { kind: 'system', name: 'System' },
        about: null,
        replaced: null,
      },
      {
        type: 'CustomerSuspended',
        summary: 'The customer was suspended',
        actor: { kind: 'integrator', name: integrator.companyName },
        about: { kind: 'customer', id: customer.id, name: 'Acme' },
      },
      { type: 'LicenseKeyRotated', actor: { kind: 'admin', name: 'Administrator' }, about: { id: customer.id } },
    ]);
  });

  it('are limited to a customer or an integrator and what concerns all', async () => {
    const other = await newCustomer(admin, (await newIntegrator(admin, { companyName: 'Other' })).id, { name: 'Other' });
    const path = `/api/admin/customers/${other.id}`;
    expect((await admin.put(path, { name: 'Other', contactEmail: 'it@other.example', status: 'suspended' })).status).toBe(200);
    const aboutIn = async (more: string) => new Set((await listed(more)).map(({ about }) => (about as { id: string } | null)?.id));
    expect(await aboutIn('')).toEqual(new Set([undefined, customer.id, other.id]));
    expect(await aboutIn(`&customer=${other.id}`)).toEqual(new Set([undefined, other.id]));
    expect(await aboutIn(`&integrator=${integrator.id}`)).toEqual(new Set([undefined, customer.id]));
  });

  it('of one customer are churn and the status of its users too', async () => {
    const left = await newCustomer(admin, integrator.id, { name: 'Left' });
    const { userId } = await asTool(server.url, left);
    for (const status of ['suspended', 'active', 'inactive']) {
      expect((await admin.put(`/api/admin/users/${userId}/status`, { status })).status).toBe(200);
    }
    const path = `/api/admin/customers/${left.id}`;
    expect((await admin.put(path, { name: 'Left', contactEmail: 'it@left.example', status: 'churned' })).status).toBe(200);
    const typesIn = async (more: string) =>
      (await listed(more)).filter(({ about }) => (about as { id: string } | null)?.id === left.id).map(({ type }) => type);
    expect(await typesIn(`&customer=${left.id}`)).toEqual(['UserSuspended', 'UserActivated', 'UserDeactivated', 'CustomerChurned']);
    expect(await typesIn('')).toEqual(['CustomerChurned']);
  });

  it('need a period of at most 62 days', async () => {
    for (const query of [
      '',
      'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
      'from=2026-01-01T00:00:00Z&to=2026-06-01T00:00:00Z',
    ]) {
      expect([query, (await admin.get(`/monitoring/annotations?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('are in the history of the administration', async () => {
    const { body } = await admin.get('/api/admin/history?type=ServerStarted');
    expect(body.history).toMatchObject([{ type: 'ServerStarted', actor: { name: 'System' } }]);
  });
});
