import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asCustomer, asIntegrator, asTool, newIntegrator } from '../support/apiClient.ts';
import { chooseIntegrator, dialogOf, openConsole, seed, type TestConsole } from './support/console.ts';
import { leave } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;
let lonely: ServiceIntegrator;

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders']);
  const [first] = seeded.customers;
  if (!first) throw new Error('No customer was made');
  integrator = seeded.integrator;
  customer = first;
  lonely = await newIntegrator(web.admin, { companyName: 'Lonely Partner' });
  await asTool(web.url, customer, 'ada');
  const [portal, partner] = [await asCustomer(web.url, customer), await asIntegrator(web.url, integrator)];
  const login = { service: 'jira', instanceUrl: 'https://127.0.0.1:1', username: 'ada', password: 'secret' };
  expect((await portal.post('/api/credentials/store', login)).status).toBe(201);
  const theme = { themeName: 'night', displayName: 'Night', primaryColor: '#112233' };
  expect((await partner.post('/api/service-integrator/themes', theme)).status).toBe(201);
});
afterAll(() => web.close());

/** Makes all requests that change data fail without an error text of the server. */
const breakActions = async (page: Page): Promise<void> => {
  await page.route('**/api/**', (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' }),
  );
};

const openAs = async (who: 'signedOut' | 'admin' | 'customer' | 'integrator', path: string): Promise<Page> => {
  switch (who) {
    case 'signedOut':
      return web.open(path);
    case 'admin':
      return web.openAsAdmin(path);
    case 'customer':
      return openAsCustomer(web, customer, path);
    case 'integrator':
      return openAsIntegrator(web, integrator, path);
  }
};

type Action = (page: Page, dialog: Locator) => Promise<void>;

/** Opens a form by a button, fills it and sends it by another. */
const form =
  (open: string, fields: Record<string, string>, send: string, more: Action = async () => undefined): Action =>
  async (page, dialog) => {
    await page
      .getByRole('button', { name: new RegExp(`^${open}`) })
      .first()
      .click();
    for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value);
    await more(page, dialog);
    await dialog.getByRole('button', { name: send }).click();
  };

const confirmBy = (dialog: Locator, name: string): Promise<void> => dialog.getByLabel(/to confirm$/).fill(name);

const email = 'it@acme.example';
const actions: readonly [text: string, who: Parameters<typeof openAs>[0], path: () => string, act: Action][] = [
  [
    'Login failed',
    'signedOut',
    () => '/admin/login',
    async (page) => {
      await page.getByLabel('Admin Key', { exact: true }).fill('some key of an administrator');
      await page.getByRole('button', { name: 'Sign in' }).click();
    },
  ],
  [
    'Failed to create customer',
    'admin',
    () => '/admin/customers',
    form('Create customer', { 'Customer name': 'Acme', 'Contact email': email }, 'Create customer', async (_, dialog) => {
      await chooseIntegrator(dialog, integrator.companyName);
    }),
  ],
  [
    'Failed to update customer',
    'admin',
    () => `/admin/customers/${customer.id}`,
    form('Edit customer', { 'Customer name': 'Acme' }, 'Save changes'),
  ],
  [
    'Failed to delete customer',
    'admin',
    () => `/admin/customers/${customer.id}`,
    form('Delete', {}, 'Delete customer', (_, dialog) => confirmBy(dialog, customer.name)),
  ],
  [
    'Failed to create service integrator',
    'admin',
    () => '/admin/service-integrators',
    form(
      'Create service integrator',
      { 'Company name': 'Acme', 'Contact email': email, 'Billing email': email },
      'Create service integrator',
    ),
  ],
  [
    'Failed to update service integrator',
    'admin',
    () => `/admin/service-integrators/${lonely.id}`,
    form('Edit service integrator', { 'Company name': 'Acme' }, 'Save changes'),
  ],
  [
    'Failed to delete service integrator',
    'admin',
    () => `/admin/service-integrators/${lonely.id}`,
    form('Delete', {}, 'Delete service integrator', (_, dialog) => confirmBy(dialog, lonely.companyName)),
  ],
  [
    'Failed to add credential',
    'customer',
    () => '/portal/credentials',
    form('Add credential', { 'Instance URL': 'https://jira.example', Username: 'ada', Password: 'secret' }, 'Add credential'),
  ],
  ['Failed to delete credential', 'customer', () => '/portal/credentials', form('Delete', {}, 'Delete')],
  ['Failed to update user', 'customer', () => '/portal/users', form('Edit', { Username: 'grace' }, 'Save changes')],
  [
    'Failed to update profile',
    'customer',
    () => '/portal/profile',
    async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Acme');
      await page.getByRole('button', { name: 'Save changes' }).click();
    },
  ],
  [
    'Failed to change password',
    'customer',
    () => '/portal/profile',
    async (page) => {
      for (const field of ['Current password', 'New password', 'Confirm password'])
        await page.getByLabel(field, { exact: true }).fill('a password');
      await page.getByRole('button', { name: 'Change password' }).click();
    },
  ],
  [
    'Failed to create theme',
    'integrator',
    () => '/service-integrator/themes',
    form('Create theme', { 'Theme Name': 'day', 'Display Name': 'Day' }, 'Create theme'),
  ],
  [
    'Failed to update theme',
    'integrator',
    () => '/service-integrator/themes',
    form('Edit', { 'Display Name': 'Day' }, 'Save changes'),
  ],
  ['Failed to delete theme', 'integrator', () => '/service-integrator/themes', form('Delete', {}, 'Delete')],
  [
    'Failed to set default theme',
    'integrator',
    () => '/service-integrator/themes',
    (page) => page.getByRole('button', { name: 'Set as Default' }).click(),
  ],
  [
    'Failed to assign theme',
    'integrator',
    () => '/service-integrator/customers',
    form('Assign Theme', {}, 'Assign Theme', async (_, dialog) => dialog.getByText('Night', { exact: true }).click()),
  ],
];

describe('an action that fails without an error text of the server', () => {
  it.each(actions)("shows '%s'", async (text, who, path, act) => {
    const page = await openAs(who, path());
    await breakActions(page);
    await act(page, dialogOf(page));
    const message = new RegExp(`^${text}(\\. The server answered with status 500\\. Try again later\\.)?$`);
    await page.getByText(message).first().waitFor();
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
