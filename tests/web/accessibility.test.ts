import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTool } from '../support/apiClient.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, seed, type TestConsole } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';

let web: TestConsole;
/** Paths that contain the id of a created account. */
const made = { customer: '', integrator: '', lonely: '' };

beforeAll(async () => {
  web = await openConsole();
  const { integrator, customers } = await seed(web.admin, ['Northwind Traders', 'Aperture Robotics']);
  const { integrator: lonely } = await seed(web.admin, [], 'Lonely Partner');
  const [customer] = customers;
  if (!customer) throw new Error('No customer was made');
  made.customer = `/admin/customers/${customer.id}`;
  made.integrator = `/admin/service-integrators/${integrator.id}`;
  made.lonely = `/admin/service-integrators/${lonely.id}`;
  const tool = await asTool(web.url, customer);
  const call = { service: 'jira', instanceUrl: 'https://acme.atlassian.net', operation: 'GET:/issue', durationMs: 40 };
  const calls = [200, 200, 500].map((status) => ({ ...call, status }));
  await tool.post('/api/cli/api-calls', { sourceId: 'a-tool', firstSequence: 1, calls });
});
afterAll(() => web.close());

type Screen = { name: string; path: () => string; ready: (page: Page) => Promise<unknown> };

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();
const drawn = (page: Page) => page.locator('.recharts-surface').first().waitFor();

const publicScreens: readonly Screen[] = [
  { name: 'the landing page', path: () => '/', ready: heading },
  { name: "the administrators' sign-in", path: () => '/admin/login', ready: heading },
  { name: "the customers' sign-in", path: () => '/portal/login', ready: heading },
  { name: "the integrators' sign-in", path: () => '/service-integrator/login', ready: heading },
  { name: 'the sign-in of named users', path: () => '/admin/login#account', ready: heading },
  { name: 'an invitation without a token', path: () => '/join', ready: heading },
  {
    name: 'a sign-in without a key',
    path: () => '/portal/login',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Please enter license key').waitFor();
    },
  },
];

const opened = (button: string, inside: string) => async (page: Page) => {
  await page.getByRole('button', { name: button }).first().click();
  await dialogOf(page).getByRole('button', { name: inside }).waitFor();
};

const adminScreens: readonly Screen[] = [
  { name: 'the dashboard', path: () => '/admin/dashboard', ready: drawn },
  { name: 'the customers', path: () => '/admin/customers', ready: (page) => page.getByText('2 of 2 customers').waitFor() },
  {
    name: 'no customers',
    path: () => '/admin/customers?search=nobody',
    ready: (page) => page.getByText('No customers found').waitFor(),
  },
  { name: 'a customer', path: () => made.customer, ready: drawn },
  {
    name: 'no such customer',
    path: () => '/admin/customers/none',
    ready: (page) => page.getByRole('heading', { name: 'Customer not found' }).waitFor(),
  },
  {
    name: 'the service integrators',
    path: () => '/admin/service-integrators',
    ready: (page) => page.getByText('2 of 2 service integrators').waitFor(),
  },
  { name: 'a service integrator', path: () => made.integrator, ready: (page) => page.getByText('2 of 2 customers').waitFor() },
  { name: 'the themes', path: () => '/admin/themes', ready: (page) => page.getByRole('article').first().waitFor() },
  { name: 'monitoring', path: () => '/admin/monitoring', ready: drawn },
  { name: 'the team', path: () => '/admin/team', ready: (page) => page.getByText('No named users yet').waitFor() },
  { name: 'the account', path: () => '/admin/account', ready: (page) => page.getByText('You signed in with a key').waitFor() },
];

const adminDialogs: readonly Screen[] = [
  { name: 'creating a customer', path: () => '/admin/customers?new=1', ready: (page) => dialogOf(page).waitFor() },
  {
    name: 'creating a customer wrongly',
    path: () => '/admin/customers?new=1',
    ready: async (page) => {
      await dialogOf(page).getByRole('button', { name: 'Create customer' }).click();
      await page.getByText('Customer name is required').waitFor();
    },
  },
  { name: 'editing a customer', path: () => made.customer, ready: opened('Edit customer', 'Save changes') },
  { name: 'deleting a customer', path: () => made.customer, ready: opened('Delete', 'Delete customer') },
  {
    name: 'creating a service integrator',
    path: () => '/admin/service-integrators?new=1',
    ready: (page) => dialogOf(page).waitFor(),
  },
  { name: 'editing a service integrator', path: () => made.integrator, ready: opened('Edit service integrator', 'Save changes') },
  { name: 'deleting a service integrator', path: () => made.lonely, ready: opened('Delete', 'Delete service integrator') },
];

describe.each(publicScreens)('$name', ({ path, ready }) => {
  it('has no accessibility violation in light and dark mode, and fits a phone', async () => {
    const page = await web.open(path(), { viewport: PHONE });
    await ready(page);
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });
});

describe.each(adminScreens)('$name', ({ path, ready }) => {
  it('has no accessibility violation in light and dark mode, and fits a phone', async () => {
    const page = await web.openAsAdmin(path());
    await ready(page);
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    await ready(page);
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });
});

describe.each(adminDialogs)('$name', ({ path, ready }) => {
  it('has no accessibility violation in light and dark mode', async () => {
    const page = await web.openAsAdmin(path());
    await ready(page);
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });
});

describe('the menu on a phone', () => {
  it('reaches every screen by keyboard', async () => {
    const page = await web.openAsAdmin('/admin/dashboard', { viewport: PHONE });
    await page.getByRole('button', { name: 'Open menu' }).press('Enter');
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.getByRole('link', { name: 'Monitoring' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await menu.getByRole('link', { name: 'Themes' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Themes' }).waitFor();
    await menu.waitFor({ state: 'detached' });
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
