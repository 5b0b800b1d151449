import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asCustomer, asIntegrator, asTool } from '../support/apiClient.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, seed, type TestConsole } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders', 'Aperture Robotics']);
  integrator = seeded.integrator;
  if (!seeded.customers[0]) throw new Error('No customer was made');
  customer = seeded.customers[0];
  const tool = await asTool(web.url, customer);
  const call = { service: 'jira', instanceUrl: 'https://acme.atlassian.net', operation: 'GET:/issue', durationMs: 40 };
  const calls = [200, 200, 500].map((status) => ({ ...call, status }));
  await tool.post('/api/cli/api-calls', { sourceId: 'a-tool', firstSequence: 1, calls });
  const own = await asCustomer(web.url, customer);
  const credential = { service: 'jira', instanceUrl: 'https://127.0.0.1:1', username: 'svc', password: 'secret' };
  await own.post('/api/credentials/store', credential);
  const client = await asIntegrator(web.url, integrator);
  const theme = { themeName: 'contoso-night', displayName: 'Contoso Night', primaryColor: '#112233', isDefault: true };
  const { body } = await client.post('/api/service-integrator/themes', theme);
  await client.post(`/api/service-integrator/themes/${body.theme.id}/assign-customer`, { customerId: customer.id });
  const branding = { whiteLabelEnabled: true, customDomain: 'licenses.contoso.example', logoUrl: null };
  await client.put('/api/service-integrator/white-label', branding);
});
afterAll(() => web.close());

type Screen = { name: string; path: () => string; ready: (page: Page) => Promise<unknown> };

const listed = (list: string) => (page: Page) => page.getByRole('list', { name: list }).getByRole('listitem').first().waitFor();
const drawn = (page: Page) => page.locator('.recharts-surface').first().waitFor();
const opened = (button: string) => async (page: Page) => {
  await page.getByRole('button', { name: button }).first().click();
  await dialogOf(page).waitFor();
};

const portal: readonly Screen[] = [
  { name: "a customer's dashboard", path: () => '/portal/dashboard', ready: drawn },
  { name: "a customer's credentials", path: () => '/portal/credentials', ready: listed('Service connections') },
  { name: "a customer's usage", path: () => '/portal/usage', ready: drawn },
  { name: "a customer's users", path: () => '/portal/users', ready: listed('Users') },
  {
    name: "a customer's profile",
    path: () => '/portal/profile',
    ready: async (page) => {
      await page.getByRole('region', { name: 'History', exact: true }).scrollIntoViewIfNeeded();
      await listed('History entries')(page);
    },
  },
];
const portalDialogs: readonly Screen[] = [
  { name: 'adding a credential', path: () => '/portal/credentials', ready: opened('Add credential') },
  { name: 'deleting a credential', path: () => '/portal/credentials', ready: opened('Delete') },
  { name: 'editing a user', path: () => '/portal/users', ready: opened('Edit') },
  { name: 'asking for deletion', path: () => '/portal/profile', ready: opened('Request account deletion') },
];

const area: readonly Screen[] = [
  {
    name: "an integrator's dashboard",
    path: () => '/service-integrator/dashboard',
    ready: (page) => page.getByText('View all').waitFor(),
  },
  { name: "an integrator's customers", path: () => '/service-integrator/customers', ready: listed('Customers') },
  {
    name: "an integrator's customer",
    path: () => `/service-integrator/customers/${customer.id}?asOf=${new Date().toISOString()}`,
    ready: async (page) => {
      await page.getByText(/^As of /).waitFor();
      await page.getByRole('region', { name: 'History', exact: true }).scrollIntoViewIfNeeded();
      await listed('History entries')(page);
    },
  },
  { name: "an integrator's users", path: () => '/service-integrator/users', ready: listed('Users') },
  { name: "an integrator's themes", path: () => '/service-integrator/themes', ready: listed('Custom themes') },
  {
    name: 'the white-label settings',
    path: () => '/service-integrator/white-label',
    ready: (page) => page.getByRole('region', { name: 'DNS Setup' }).waitFor(),
  },
  {
    name: 'the account settings',
    path: () => '/service-integrator/settings',
    ready: (page) => page.getByLabel('Company Name').waitFor(),
  },
];
const areaDialogs: readonly Screen[] = [
  { name: 'creating a customer', path: () => '/service-integrator/customers?new=1', ready: (page) => dialogOf(page).waitFor() },
  { name: 'editing a customer in the list', path: () => '/service-integrator/customers', ready: opened('Edit') },
  { name: 'assigning a theme', path: () => '/service-integrator/customers', ready: opened('Assign Theme') },
  { name: 'editing a customer', path: () => `/service-integrator/customers/${customer.id}`, ready: opened('Edit Customer') },
  { name: 'creating a theme', path: () => '/service-integrator/themes', ready: opened('Create theme') },
  { name: 'deleting a theme', path: () => '/service-integrator/themes', ready: opened('Delete') },
];

const asPortal = (path: string, options?: BrowserContextOptions) => openAsCustomer(web, customer, path, options);
const asArea = (path: string, options?: BrowserContextOptions) => openAsIntegrator(web, integrator, path, options);
const screens = [
  ...portal.map((screen) => ({ ...screen, open: asPortal, header: ['Northwind Traders', 'Contoso Night'] })),
  ...area.map((screen) => ({ ...screen, open: asArea, header: ['Contoso Partners', 'White-Label Enabled'] })),
];
const dialogs = [
  ...portalDialogs.map((screen) => ({ ...screen, open: asPortal })),
  ...areaDialogs.map((screen) => ({ ...screen, open: asArea })),
];

describe.each(screens)('$name', ({ path, ready, open, header }) => {
  it('has no accessibility violation, fits a phone, shows the signed-in user and has one heading', async () => {
    const page = await open(path());
    await ready(page);
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    await ready(page);
    for (const text of header) await page.getByRole('banner').getByText(text, { exact: true }).waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    await leave(page);
  });
});

describe.each(dialogs)('$name', ({ path, ready, open }) => {
  it('has no accessibility violation in light and dark mode', async () => {
    const page = await open(path());
    await ready(page);
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
