import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asCustomer, asIntegrator, asTool } from '../support/apiClient.ts';
import { describeAtLength, IS_AT_LENGTH } from '../support/tiers.ts';
import { overflow, violations, violationsInBothModes } from './support/axe.ts';
import { dialogOf, openConsole, seed, type TestConsole, titleOf } from './support/console.ts';
import { leave, navigate, type OpenOptions, PHONE } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;
/** Paths that contain the id of a created account. */
const made = { customer: '', integrator: '', lonely: '' };

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders', 'Aperture Robotics']);
  integrator = seeded.integrator;
  const { integrator: lonely } = await seed(web.admin, [], 'Lonely Partner');
  if (!seeded.customers[0]) throw new Error('No customer was made');
  customer = seeded.customers[0];
  made.customer = `/admin/customers/${customer.id}`;
  made.integrator = `/admin/service-integrators/${integrator.id}`;
  made.lonely = `/admin/service-integrators/${lonely.id}`;
  await asTool(web.url, customer);
  const own = await asCustomer(web.url, customer);
  const credential = { service: 'jira', instanceUrl: 'https://127.0.0.1:1', username: 'svc', password: 'secret' };
  await own.post('/api/credentials/store', credential);
  const client = await asIntegrator(web.url, integrator);
  const theme = { themeName: 'contoso-night', displayName: 'Contoso Night', primaryColor: '#112233', isDefault: true };
  await client.post('/api/service-integrator/themes', theme);
});
afterAll(() => web.close());

/** Screens by themselves are in `everyScreen`; these are their other states and their dialogs. */
type Screen = { name: string; path: () => string; ready: (page: Page) => Promise<unknown> };

const opened = (button: string, inside?: string) => async (page: Page) => {
  await page.getByRole('button', { name: button }).first().click();
  await (inside ? dialogOf(page).getByRole('button', { name: inside }) : dialogOf(page)).waitFor();
};

const states = [
  {
    name: 'a sign-in without a key',
    open: (options: OpenOptions) => web.open('/portal/login', options),
    ready: async (page: Page) => {
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Please enter license key').waitFor();
    },
  },
  {
    name: 'no customers',
    open: (options: OpenOptions) => web.openAsAdmin('/admin/customers?search=nobody', options),
    ready: (page: Page) => page.getByText('No customers found').waitFor(),
  },
  {
    name: 'no such customer',
    open: (options: OpenOptions) => web.openAsAdmin('/admin/customers/none', options),
    ready: (page: Page) => page.getByRole('heading', { name: 'Customer not found' }).waitFor(),
  },
  {
    name: 'a customer as it was',
    open: (options: OpenOptions) =>
      openAsIntegrator(web, integrator, `/service-integrator/customers/${customer.id}?asOf=${new Date().toISOString()}`, options),
    ready: async (page: Page) => {
      await page.getByText(/^As of /).waitFor();
      await page.getByRole('region', { name: 'History', exact: true }).scrollIntoViewIfNeeded();
      await page.getByRole('list', { name: 'History entries' }).getByRole('listitem').first().waitFor();
    },
  },
] as const;

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

const portalDialogs: readonly Screen[] = [
  { name: 'adding a credential', path: () => '/portal/credentials', ready: opened('Add credential') },
  { name: 'deleting a credential', path: () => '/portal/credentials', ready: opened('Delete') },
  { name: 'editing a user', path: () => '/portal/users', ready: opened('Edit') },
  { name: 'asking for deletion', path: () => '/portal/profile', ready: opened('Request account deletion') },
];

const areaDialogs: readonly Screen[] = [
  { name: 'creating a customer', path: () => '/service-integrator/customers?new=1', ready: (page) => dialogOf(page).waitFor() },
  { name: 'editing a customer in the list', path: () => '/service-integrator/customers', ready: opened('Edit') },
  { name: 'assigning a theme', path: () => '/service-integrator/customers', ready: opened('Assign Theme') },
  { name: 'editing a customer', path: () => `/service-integrator/customers/${customer.id}`, ready: opened('Edit Customer') },
  { name: 'creating a theme', path: () => '/service-integrator/themes', ready: opened('Create theme') },
  { name: 'deleting a theme', path: () => '/service-integrator/themes', ready: opened('Delete') },
];

const areas = [
  { area: 'the administration', dialogs: adminDialogs, open: () => web.openAsAdmin('/admin/account') },
  { area: 'the portal', dialogs: portalDialogs, open: () => openAsCustomer(web, customer, '/portal/account') },
  {
    area: 'a service integrator',
    dialogs: areaDialogs,
    open: () => openAsIntegrator(web, integrator, '/service-integrator/account'),
  },
];

describeAtLength.each(states)('$name', ({ open, ready }) => {
  it('has no accessibility violation in light and dark mode, and fits a phone', async () => {
    const page = await open({ viewport: PHONE });
    await ready(page);
    expect(await overflow(page)).toBe(0);
    expect(await violationsInBothModes(page)).toEqual([]);
    await leave(page);
  });
});

/** An invalid form, a form with values, and a confirmation: the other dialogs have the same parts. */
const VARIED = ['creating a customer wrongly', 'editing a customer', 'deleting a customer'];

/** All areas have the same dialogs of forms and confirmations: `npm test` checks those of one. */
const checkedAreas = IS_AT_LENGTH ? areas : areas.slice(0, 1);

describe.each(checkedAreas)('the dialogs of $area', ({ dialogs, open }) => {
  it('have no accessibility violation', async () => {
    const page = await open();
    await titleOf(page).waitFor();
    for (const { name, path, ready } of IS_AT_LENGTH ? dialogs : dialogs.filter((one) => VARIED.includes(one.name))) {
      await navigate(page, path());
      await ready(page);
      expect([name, ...(await violations(page))]).toEqual([name]);
      await page.keyboard.press('Escape');
      await dialogOf(page).waitFor({ state: 'detached' });
    }
    await leave(page);
  });
});

describe('the menu on a phone', () => {
  it('reaches every screen by keyboard', async () => {
    const page = await web.openAsAdmin('/admin/dashboard', { viewport: PHONE });
    await page.getByRole('button', { name: 'Open menu' }).press('Enter');
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.getByRole('link', { name: 'Monitoring' }).waitFor();
    expect(await violationsInBothModes(page)).toEqual([]);
    await menu.getByRole('link', { name: 'Themes' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Themes' }).waitFor();
    await menu.waitFor({ state: 'detached' });
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
