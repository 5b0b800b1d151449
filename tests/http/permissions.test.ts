import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { integratorId } from '../../src/contracts/fields.ts';
import { permissionsOfRole, type RoleOf } from '../../src/domain/permissions.ts';
import type { Audience } from '../../src/http/principal.ts';
import { ADMIN_COOKIE, guardRoutes } from '../../src/http/requests/guard.ts';
import { asAdmin, bearer, type Client, clientOf, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';

const MASKED = 'LK-ENT-••••-•••••';
const MASKED_MASTER = 'LK-SI-••••-•••••';

let server: TestServer;
let admin: Client;
let integrator: Awaited<ReturnType<typeof newIntegrator>>;
let customer: Awaited<ReturnType<typeof newCustomer>>;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  customer = await newCustomer(admin, integrator.id);
});

afterAll(() => server.close());

const asAdministrator = async (role: RoleOf<'administration'>): Promise<Client> => {
  const { token } = await server.product.sessions.open({ kind: 'admin' }, { role });
  return clientOf(server.url, { cookie: `${ADMIN_COOKIE}=${token}` });
};

const asMember = async (role: RoleOf<'integrator'>): Promise<Client> => {
  const owner = { kind: 'integrator', integratorId: integratorId.parse(integrator.id) } as const;
  return clientOf(server.url, bearer((await server.product.sessions.open(owner, { role })).token));
};

describe('a session', () => {
  it('names its role and permissions', async () => {
    const { body } = await (await asMember('auditor')).get('/api/auth/service-integrator/session');
    expect(body).toMatchObject({ role: 'auditor', permissions: [...permissionsOfRole('integrator', 'auditor')] });
  });

  it('of a key has no role and all permissions', async () => {
    const { body } = await admin.get('/api/auth/admin/session');
    expect(body.session).toMatchObject({ role: null, permissions: [...permissionsOfRole('administration', 'owner')] });
  });

  it('of one role does not get the stored reply of another', async () => {
    const path = `/api/service-integrator/customers/${customer.id}`;
    const headers = { 'idempotency-key': 'shared' };
    const details = { name: 'Renamed', contactEmail: 'it@renamed.example' };
    expect((await (await asMember('manager')).put(path, details, { headers })).status).toBe(200);
    expect((await (await asMember('auditor')).put(path, details, { headers })).status).toBe(403);
  });
});

describe('a license key', () => {
  it('is masked where the role may not see keys', async () => {
    const auditor = await asMember('auditor');
    const { body } = await auditor.get(`/api/service-integrator/customers/${customer.id}`);
    expect(body.customer.licenseKey).toBe(MASKED);
    const page = await auditor.get('/api/service-integrator/customers');
    expect(page.body.customers[0].licenseKey).toBe(MASKED);
    const asOf = await auditor.get(`/api/service-integrator/customers/${customer.id}/as-of?at=2999-01-01T00:00:00Z`);
    expect(asOf.body.customer.licenseKey).toBe(MASKED);
    expect((await auditor.get('/api/service-integrator/profile')).body.serviceIntegrator.masterLicenseKey).toBe(MASKED_MASTER);
    const own = await auditor.get('/api/service-integrator/as-of?at=2999-01-01T00:00:00Z');
    expect(own.body.serviceIntegrator.masterLicenseKey).toBe(MASKED_MASTER);
  });

  it('is masked where two times are compared', async () => {
    const before = new Date(Date.now() - 1).toISOString(); // the rotation may follow within the same millisecond
    await admin.post(`/api/admin/customers/${customer.id}/rotate-key`);
    const path = `/api/admin/customers/${customer.id}/as-of?at=${before}&compareTo=2999-01-01T00:00:00Z`;
    const { body } = await (await asAdministrator('auditor')).get(path);
    expect(body.changes).toContainEqual({ field: 'licenseKey', before: MASKED, after: MASKED });
    await admin.post(`/api/admin/service-integrators/${integrator.id}/rotate-key`);
    const ofPartner = `/api/admin/service-integrators/${integrator.id}/as-of?at=${before}&compareTo=2999-01-01T00:00:00Z`;
    expect((await (await asAdministrator('auditor')).get(ofPartner)).body.changes).toEqual([
      { field: 'masterLicenseKey', before: MASKED_MASTER, after: MASKED_MASTER },
    ]);
  });

  it('is shown to a manager, but not the master license key', async () => {
    const manager = await asMember('manager');
    const { licenseKey } = (await admin.get(`/api/admin/customers/${customer.id}`)).body.customer;
    const { body } = await manager.get(`/api/service-integrator/customers/${customer.id}`);
    expect(body.customer.licenseKey).toBe(licenseKey);
    expect((await manager.get('/api/service-integrator/profile')).body.serviceIntegrator.masterLicenseKey).toBe(MASKED_MASTER);
  });

  it('is found by its letters only where the role may see keys', async () => {
    const { licenseKey } = (await admin.get(`/api/admin/customers/${customer.id}`)).body.customer;
    const partner = await admin.get(`/api/admin/service-integrators/${integrator.id}`);
    const { masterLicenseKey } = partner.body.service_integrator;
    const found = async (client: Client, path: string, key: string) => (await client.get(`${path}?search=${key}`)).body.total;
    const [auditor, operator] = [await asAdministrator('auditor'), await asAdministrator('operator')];
    expect(await found(operator, '/api/admin/customers', licenseKey)).toBe(1);
    expect(await found(auditor, '/api/admin/customers', licenseKey)).toBe(0);
    expect(await found(operator, '/api/admin/service-integrators', masterLicenseKey)).toBe(1);
    expect(await found(auditor, '/api/admin/service-integrators', masterLicenseKey)).toBe(0);
  });
});

describe('a route', () => {
  it.each<[what: string, config: { audience?: readonly Audience[]; permission?: 'customers:read' | 'monitoring:read' }]>([
    ['without an audience', {}],
    ['without a permission', { audience: ['admin'] }],
    ['with a permission that its audience never has', { audience: ['integrator'], permission: 'monitoring:read' }],
    ['that is public and names a permission', { audience: ['public'], permission: 'customers:read' }],
  ])('%s keeps the server from starting', async (_what, config) => {
    const app = Fastify();
    const { sessions, origins } = { sessions: server.product.sessions, origins: Object(null) };
    const resolveApiToken = () => ({ problem: 'api_token_unknown' }) as const;
    guardRoutes(app, { sessions, origins, now: Date.now, resolveApiToken, refusalAfter: async () => null });
    app.get('/open', { config }, async () => 'open');
    await expect(app.ready()).rejects.toThrow('These routes do not declare who may call them: GET /open');
  });
});
