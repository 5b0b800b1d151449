import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, asCustomer, asIntegrator, type Client, clientOf, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: Client;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
});

afterAll(() => server.close());

const profile = { companyName: 'Contoso', contactEmail: 'it@contoso.example', billingEmail: 'bills@contoso.example' };

describe('a service integrator', () => {
  it('is created with a master license key, listed, changed and deleted', async () => {
    const created = await newIntegrator(admin, { companyName: 'Tailspin' });
    expect(created).toMatchObject({
      name: 'Tailspin',
      status: 'active',
      whiteLabelEnabled: false,
      customDomain: null,
      customerCount: 0,
    });
    expect(created.masterLicenseKey).toMatch(/^LK-SI-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{5}$/);
    const list = await admin.get('/api/admin/service-integrators?search=tailspin');
    expect(list.body).toMatchObject({
      success: true,
      total: 1,
      counts: { all: 1, active: 1, suspended: 0, churned: 0 },
      service_integrators: [created],
    });
    const path = `/api/admin/service-integrators/${created.id}`;
    const changed = await admin.put(path, {
      ...profile,
      companyName: 'Tailspin Toys',
      status: 'suspended',
      whiteLabelEnabled: true,
      logoUrl: 'https://tailspin.example/logo.svg',
    });
    expect(changed.body.service_integrator).toMatchObject({
      companyName: 'Tailspin Toys',
      status: 'suspended',
      whiteLabelEnabled: true,
    });
    expect((await admin.get(path)).body.service_integrator).toEqual(changed.body.service_integrator);
    expect(await admin.delete(path)).toMatchObject({ status: 200 });
    expect(await admin.get(path)).toMatchObject({ status: 404, body: { code: 'integrator_not_found' } });
  });

  it('is listed by the number of its customers, page by page', async () => {
    const most = await newIntegrator(admin, { companyName: 'Counted most' });
    const fewest = await newIntegrator(admin, { companyName: 'Counted fewest' });
    const some = await newIntegrator(admin, { companyName: 'Counted some' });
    for (const { id } of [most, most, some]) await newCustomer(admin, id);
    const names = async (sort: string): Promise<string[]> => {
      const path = `/api/admin/service-integrators?search=counted&limit=2&sort=${sort}`;
      const first = (await admin.get(path)).body;
      const second = (await admin.get(`${path}&cursor=${encodeURIComponent(first.nextCursor)}`)).body;
      return [...first.service_integrators, ...second.service_integrators].map(({ id }: { id: string }) => id);
    };
    expect(await names('-customerCount')).toEqual([most.id, some.id, fewest.id]);
    expect(await names('customerCount')).toEqual([fewest.id, some.id, most.id]);
  });

  it('can be deleted only without customers of any status', async () => {
    const { id } = await newIntegrator(admin);
    const [one, two] = [await newCustomer(admin, id), await newCustomer(admin, id)];
    await admin.put(`/api/admin/customers/${two.id}`, { name: 'Two', contactEmail: 'a@b.example', status: 'churned' });
    const refused = await admin.delete(`/api/admin/service-integrators/${id}`);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'integrator_has_customers', error: 'Cannot delete service integrator with 2 active customers' },
    });
    for (const customer of [one, two]) await admin.delete(`/api/admin/customers/${customer.id}`);
    await eventually(
      () => admin.delete(`/api/admin/service-integrators/${id}`),
      ({ status }) => status === 200,
    );
  });

  it('that is suspended cannot sign in, but its customers can', async () => {
    const integrator = await newIntegrator(admin);
    const portal = await asCustomer(server.url, await newCustomer(admin, integrator.id));
    const session = await asIntegrator(server.url, integrator);
    await admin.put(`/api/admin/service-integrators/${integrator.id}`, { ...profile, status: 'suspended' });
    await eventually(
      () => session.get('/api/service-integrator/profile'),
      ({ status }) => status === 401,
    );
    const login = () =>
      clientOf(server.url).post('/api/auth/service-integrator/login', { masterLicenseKey: integrator.masterLicenseKey });
    expect(await login()).toMatchObject({ status: 403, body: { code: 'integrator_suspended' } });
    expect((await portal.get('/api/customer/profile')).status).toBe(200);
    await admin.put(`/api/admin/service-integrators/${integrator.id}`, { ...profile, status: 'churned' });
    expect(await login()).toMatchObject({ status: 403, body: { code: 'integrator_closed' } });
  });
});

describe('service integrators that are suspended together', () => {
  it('have one more entry, which counts and leads to their own', async () => {
    const ids: string[] = [];
    for (const companyName of ['Fabrikam', 'Wingtip']) ids.push((await newIntegrator(admin, { companyName })).id);
    const headers = { 'bulk-id': 'partners' };
    for (const id of ids) {
      const body = { ...profile, status: 'suspended', reason: 'Unpaid' };
      expect((await admin.put(`/api/admin/service-integrators/${id}`, body, { headers })).status).toBe(200);
    }
    const finish = { id: 'partners', kind: 'integratorStatus', refused: 1 };
    expect(await admin.post('/api/admin/bulk-changes', finish)).toMatchObject({ status: 200, body: { changed: 2 } });
    const [entry] = (await admin.get('/api/admin/audit?types=BulkChangeFinished')).body.entries;
    expect(entry.summary).toBe('Changed the status of 2 service integrators, 1 refused');
    const { related } = (await admin.get(`/api/admin/audit/${entry.id}`)).body;
    const suspended = related.filter(({ type }: { type: string }) => type === 'IntegratorSuspended');
    expect(suspended.map(({ summary }: { summary: string }) => summary)).toEqual([
      'The service integrator was suspended: Unpaid',
      'The service integrator was suspended: Unpaid',
    ]);
    const { body } = await admin.post('/api/admin/bulk-changes', { ...finish, kind: 'status' });
    expect(body.changed).toBe(0);
    const partner = await asIntegrator(server.url, await newIntegrator(admin));
    expect(await partner.post('/api/service-integrator/bulk-changes', finish)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'kind' }] },
    });
  });
});

describe('an integrator’s own account', () => {
  it('can be changed with its brand', async () => {
    const me = await asIntegrator(server.url, await newIntegrator(admin));
    const renamed = await me.put('/api/service-integrator/profile', { ...profile, companyName: 'Contoso Ltd.' });
    expect(renamed).toMatchObject({ status: 200, body: { success: true, serviceIntegrator: { companyName: 'Contoso Ltd.' } } });
    const brand = { whiteLabelEnabled: true, customDomain: 'CLI.Contoso.example.', logoUrl: 'https://contoso.example/logo.png' };
    const branded = await me.put('/api/service-integrator/white-label', brand);
    expect(branded.body.serviceIntegrator).toMatchObject({
      whiteLabelEnabled: true,
      customDomain: 'cli.contoso.example',
      domainVerified: false,
      logoUrl: brand.logoUrl,
    });
    expect((await me.get('/api/service-integrator/profile')).body.serviceIntegrator).toEqual(branded.body.serviceIntegrator);
    const other = await asIntegrator(server.url, await newIntegrator(admin));
    expect(
      await other.put('/api/service-integrator/white-label', { ...brand, customDomain: 'a.portal.latchkey.example' }),
    ).toMatchObject({
      status: 400,
      body: { code: 'custom_domain_reserved', issues: [{ path: 'customDomain' }] },
    });
    const cleared = await me.put('/api/service-integrator/white-label', {
      whiteLabelEnabled: false,
      customDomain: '',
      logoUrl: null,
    });
    expect(cleared.body.serviceIntegrator).toMatchObject({ whiteLabelEnabled: false, customDomain: null, logoUrl: null });
    expect(
      await me.put('/api/service-integrator/white-label', { ...brand, logoUrl: 'http://contoso.example/logo.png' }),
    ).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'logoUrl', message: 'Must be an https address' }] },
    });
  });

  it('gets a new master license key that replaces the former one', async () => {
    const integrator = await newIntegrator(admin);
    const me = await asIntegrator(server.url, integrator);
    const rotated = await me.post('/api/service-integrator/rotate-key');
    expect(rotated.body.serviceIntegrator.masterLicenseKey).not.toBe(integrator.masterLicenseKey);
    await eventually(
      () => me.get('/api/service-integrator/profile'),
      ({ status }) => status === 401,
    );
    await asIntegrator(server.url, rotated.body.serviceIntegrator);
    await expect(asIntegrator(server.url, integrator)).rejects.toThrow('401');
  });
});

describe('branding', () => {
  /** As a browser that knows this server by another name. */
  const brandingAt = (host: string): Promise<{ status: number; body: string }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      const sent = request({ hostname, port, path: '/api/branding', headers: { host } }, (response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      });
      sent.on('error', reject);
      sent.end();
    });

  it('is that of the product, or of an integrator at its verified domain', async () => {
    const own = {
      productName: 'Latchkey',
      companyName: null,
      logoUrl: null,
      primaryColor: null,
      portalHost: 'portal.latchkey.example',
      keyPrefix: 'LK',
    };
    expect((await clientOf(server.url).get('/api/branding')).body).toEqual({ success: true, branding: own });
    const integrator = await newIntegrator(admin, { companyName: 'Brandy' });
    const me = await asIntegrator(server.url, integrator);
    await me.put('/api/service-integrator/white-label', {
      whiteLabelEnabled: true,
      customDomain: 'cli.brandy.example',
      logoUrl: 'https://brandy.example/logo.svg',
    });
    const theme = { themeName: 'brandy', displayName: 'Brandy', primaryColor: '#aa5500', isDefault: true };
    expect((await me.post('/api/service-integrator/themes', theme)).status).toBe(201);
    await server.product.queries.integrators.markDomain(integrator.id, 'cli.brandy.example', new Date());
    const branded = await brandingAt('cli.brandy.example');
    expect(JSON.parse(branded.body).branding).toEqual({
      ...own,
      companyName: 'Brandy',
      logoUrl: 'https://brandy.example/logo.svg',
      primaryColor: '#AA5500',
    });
    expect((await me.get('/api/service-integrator/profile')).body.serviceIntegrator.domainVerified).toBe(true);
    expect((await brandingAt('cli.unverified.example')).status).toBe(421);
  });
});
