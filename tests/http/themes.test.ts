import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asAdmin, asCustomer, asIntegrator, asTool, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';

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

const PATH = '/api/service-integrator/themes';
const look = { displayName: 'Ocean', description: 'Deep', primaryColor: '#0070ad', secondaryColor: '', accentColor: '#ffb81c' };

const newTheme = async (themeName: string, given: Record<string, unknown> = {}) => {
  const reply = await partner.post(PATH, { themeName, ...look, ...given });
  expect(reply.status).toBe(201);
  return reply.body.theme;
};

describe('built-in themes', () => {
  it('are listed, and shown by name', async () => {
    const { themes } = (await admin.get('/api/themes/list')).body;
    expect(themes.map(({ name }: { name: string }) => name)).toEqual(['plain', 'aurora', 'meridian', 'summit']);
    expect((await partner.get('/api/themes/aurora')).body.theme).toEqual(themes[1]);
    expect(await partner.get('/api/themes/neon')).toMatchObject({ status: 404, body: { code: 'theme_not_found' } });
  });
});

describe('an integrator’s catalogue', () => {
  it('accepts a theme and derives its other colors', async () => {
    const theme = await newTheme('ocean', { themeConfig: { name: 'liar', colors: {} } });
    expect(theme).toMatchObject({
      themeName: 'ocean',
      displayName: 'Ocean',
      primaryColor: '#0070AD',
      secondaryColor: null,
      isDefault: false,
      isActive: true,
      customerCount: 0,
      fallbackTheme: null,
      themeConfig: {
        name: 'ocean',
        colors: { primary: '#0070AD', secondary: '#0070AD', accent: '#FFB81C', background: '#FFFFFF', foreground: '#000000' },
      },
    });
    expect((await partner.get(PATH)).body.themes).toContainEqual(theme);
    expect(await partner.post(PATH, { themeName: 'ocean', ...look })).toMatchObject({
      status: 409,
      body: { code: 'theme_name_taken' },
    });
    expect(await partner.post(PATH, { themeName: 'aurora', ...look })).toMatchObject({
      status: 409,
      body: { code: 'theme_name_reserved' },
    });
    expect(await partner.post(PATH, { themeName: 'Ocean Blue', ...look })).toMatchObject({
      status: 400,
      body: {
        issues: [
          { path: 'themeName', message: 'Theme name must contain only lowercase letters, numbers, hyphens, and underscores' },
        ],
      },
    });
    expect(await partner.post(PATH, { themeName: 'red', ...look, primaryColor: 'red' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'primaryColor', message: 'Primary color must be a valid hex color (e.g., #0070AD)' }] },
    });
  });

  it('has one default, which is replaced before it can be removed', async () => {
    const [one, two] = [await newTheme('one', { isDefault: true }), await newTheme('two')];
    expect(one.isDefault).toBe(true);
    expect(await partner.delete(`${PATH}/${one.id}`)).toMatchObject({ status: 409, body: { code: 'theme_is_default' } });
    expect(await partner.put(`${PATH}/${one.id}`, { ...look, isActive: false })).toMatchObject({
      status: 409,
      body: { code: 'theme_is_default' },
    });
    expect((await partner.post(`${PATH}/${two.id}/set-default`)).body.theme.isDefault).toBe(true);
    expect((await partner.get(`${PATH}/${one.id}`)).body.theme.isDefault).toBe(false);
    const inactive = await partner.put(`${PATH}/${one.id}`, { ...look, displayName: 'One!', isActive: false });
    expect(inactive.body.theme).toMatchObject({ displayName: 'One!', isActive: false });
    expect((await partner.get(`${PATH}?active=false`)).body.themes.map(({ id }: { id: string }) => id)).toEqual([one.id]);
    expect(await partner.delete(`${PATH}/${one.id}`)).toMatchObject({ status: 200 });
    expect(await partner.get(`${PATH}/${one.id}`)).toMatchObject({ status: 404 });
  });

  it('rejects a change of a version that another user has changed', async () => {
    const theme = await newTheme('contested');
    const seen = (await partner.get(`${PATH}/${theme.id}`)).headers.get('etag') ?? '';
    await partner.put(`${PATH}/${theme.id}`, { ...look, displayName: 'First' }, { headers: { 'if-match': seen } });
    expect(
      await partner.put(`${PATH}/${theme.id}`, { ...look, displayName: 'Second' }, { headers: { 'if-match': seen } }),
    ).toMatchObject({ status: 412 });
  });
});

describe('a customer’s theme', () => {
  it('is assigned, counted, shown in the tool and unassigned', async () => {
    const customer = await newCustomer(admin, integrator.id);
    const theme = await newTheme('terminal');
    const [portal, tool] = [await asCustomer(server.url, customer), await asTool(server.url, customer)];
    const assigned = await partner.post(`${PATH}/${theme.id}/assign-customer`, { customerId: customer.id });
    expect(assigned.body.customer).toMatchObject({ theme: theme.id, themeDisplayName: 'Ocean' });
    for (const [client, path, name, rest] of [
      [partner, `${PATH}?active=true`, /filename="themes-[a-z0-9-]+-\d{4}-\d\d-\d\d\.csv"/, '$'],
      [admin, `/api/admin/themes?serviceIntegratorId=${integrator.id}`, /filename="themes-[a-z0-9-]+\.csv"/, `,${integrator.id},`],
    ] as const) {
      const file = await client.get(path, { headers: { accept: 'text/csv' } });
      expect(file.headers.get('content-disposition')).toMatch(name);
      expect(
        String(file.body)
          .split('\r\n')
          .find((line) => line.startsWith(theme.id)),
      ).toMatch(new RegExp(`^${theme.id},terminal,Ocean,.*,true,1,[^,]+,[^,]+${rest}`));
    }
    expect((await tool.get('/api/cli/theme')).body.theme).toEqual({ ...theme.themeConfig, displayName: 'Ocean' });
    expect((await portal.get('/api/themes/customer/current')).body.theme).toMatchObject({ name: 'terminal' });
    expect((await partner.get(`${PATH}/${theme.id}/usage?days=7`)).body.stats).toEqual({
      customers: 1,
      activeUsers: 1,
      apiCalls: 0,
    });
    const builtin = await admin.post(`/api/themes/customer/${customer.id}/assign`, { theme: 'summit' });
    expect(builtin.body.customer).toMatchObject({ theme: 'summit', themeDisplayName: 'Summit' });
    const byName = await partner.post(`/api/themes/customer/${customer.id}/assign`, { theme: 'terminal' });
    expect(byName.body.customer.theme).toBe(theme.id);
    const removed = await partner.delete(`/api/themes/customer/${customer.id}/theme`);
    expect(removed.body.customer).toMatchObject({ theme: null, themeDisplayName: null });
    expect((await tool.get('/api/cli/theme')).body.theme.name).toBe('plain');
  });

  it('cannot be one that is inactive, or another integrator’s', async () => {
    const customer = await newCustomer(admin, integrator.id, { theme: null });
    const theme = await newTheme('asleep');
    await partner.put(`${PATH}/${theme.id}`, { ...look, isActive: false });
    const assign = (chosen: string) => partner.post(`/api/themes/customer/${customer.id}/assign`, { theme: chosen });
    expect(await assign(theme.id)).toMatchObject({ status: 409, body: { code: 'theme_inactive' } });
    const outsider = await asIntegrator(server.url, await newIntegrator(admin));
    const theirs = (await outsider.post(PATH, { themeName: 'theirs', ...look })).body.theme;
    expect(await assign(theirs.id)).toMatchObject({ status: 400, body: { code: 'theme_unknown' } });
  });

  it('falls back to the default when it is deleted; new customers get the default', async () => {
    const owner = await newIntegrator(admin, { companyName: 'Fallback' });
    const own = await asIntegrator(server.url, owner);
    const [base, brand] = [
      (await own.post(PATH, { themeName: 'base', ...look, isDefault: true })).body.theme,
      (await own.post(PATH, { themeName: 'brand', ...look })).body.theme,
    ];
    const customer = await newCustomer(admin, owner.id, { theme: null });
    expect(customer.theme).toBe(base.id);
    await own.post(`${PATH}/${brand.id}/assign-customer`, { customerId: customer.id });
    await own.delete(`${PATH}/${brand.id}`);
    await eventually(
      () => admin.get(`/api/admin/customers/${customer.id}`),
      ({ body }) => body.customer.theme === base.id,
    );
  });
});
