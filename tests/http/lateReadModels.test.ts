import { afterAll, beforeAll, expect, it } from 'vitest';
import { asAdmin, asCustomer, asIntegrator, newCustomer, newIntegrator, type Reply } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';

/** Answers requests, and projects nothing by itself. */
let server: TestServer;

beforeAll(async () => {
  server = await openServer({ ROLES: 'api' });
});

afterAll(() => server.close());

it('a created resource is returned completely while the read models lag', async () => {
  const projecting = await server.openNode({ ROLES: 'api,projector' });
  const admin = await asAdmin(server.url);
  const { id, masterLicenseKey } = await newIntegrator(admin);
  const partner = await asIntegrator(server.url, { masterLicenseKey });
  const look = { displayName: 'Ocean', description: 'Deep', primaryColor: '#0070AD', secondaryColor: '', accentColor: '#FFB81C' };
  const ocean = (await partner.post('/api/service-integrator/themes', { themeName: 'ocean', ...look })).body.theme;
  const portal = await asCustomer(server.url, await newCustomer(admin, id));
  await projecting.close();

  const [integrator, branded, plain, theme, credential] = await Promise.all([
    newIntegrator(admin, { companyName: 'Late Partners' }),
    newCustomer(admin, id, { name: 'Late', theme: ocean.id }),
    newCustomer(admin, id, { name: 'Later', theme: 'aurora', seatLimitsEnforced: false }),
    partner.post('/api/service-integrator/themes', { themeName: 'lagoon', ...look, isDefault: true }),
    portal.post('/api/credentials/store', {
      service: 'jira',
      instanceUrl: 'https://127.0.0.1:1',
      username: 'ada',
      password: 'secret',
      apiToken: 'token',
    }),
  ]);
  expect([theme.status, credential.status]).toEqual([201, 201]);
  expect(branded.themeDisplayName).toBe('Ocean');

  const again = await server.openNode({ ROLES: 'api,projector' });
  const shows = async (created: { id: string }, get: () => Promise<Reply>, among: string): Promise<void> => {
    const { body } = await eventually(get, ({ status }) => status === 200);
    const all: { id: string }[] = [body[among]].flat();
    expect(all.find((one) => one.id === created.id)).toEqual(created);
  };
  await shows(integrator, () => admin.get(`/api/admin/service-integrators/${integrator.id}`), 'service_integrator');
  await shows(branded, () => admin.get(`/api/admin/customers/${branded.id}`), 'customer');
  await shows(plain, () => admin.get(`/api/admin/customers/${plain.id}`), 'customer');
  await shows(theme.body.theme, () => partner.get(`/api/service-integrator/themes/${theme.body.theme.id}`), 'theme');
  const listed = await eventually(
    () => portal.get('/api/credentials/list'),
    ({ body }) => body.credentials.length > 0 && body.credentials[0].status !== null,
  );
  expect({ ...listed.body.credentials[0], lastUsed: null }).toEqual({ ...credential.body.credential, lastUsed: null });
  await again.close();
});
