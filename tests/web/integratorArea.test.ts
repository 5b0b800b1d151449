import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asIntegrator, asTool, type Client, newCustomer } from '../support/apiClient.ts';
import { describeAtLength, itAtLength } from '../support/tiers.ts';
import { deferred, dialogOf, openConsole, seed, type TestConsole, toastsOf } from './support/console.ts';
import { EMPTY_PAGE, leave } from './support/pages.ts';
import { openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let client: Client;
let customers: Customer[];

beforeAll(async () => {
  web = await openConsole();
  ({ integrator, customers } = await seed(web.admin, ['Northwind Traders', 'Aperture Robotics', 'Blue Harbor Bank']));
  client = await asIntegrator(web.url, integrator);
  const [first, second] = customers;
  if (!first || !second) throw new Error('No customers were made');
  await asTool(web.url, first, 'ada');
  await asTool(web.url, second, 'grace');
  await seed(web.admin, ['Foreign Customer'], 'Fabrikam Partners');
});
afterAll(() => web.close());

const customerOf = (name: string): Customer => {
  const customer = customers.find((one) => one.name === name);
  if (!customer) throw new Error(`No customer ${name} was made`);
  return customer;
};
const pathOf = (name: string): string => `/service-integrator/customers/${customerOf(name).id}`;
const cardOf = (page: Page, name: string) => page.getByRole('list', { name: 'Customers' }).getByRole('listitem', { name });

describe("an integrator's layout", () => {
  it('shows its name, a badge while white-label is on, and Logout', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator');
    const banner = page.getByRole('banner');
    await banner.getByText('Service Integrator', { exact: true }).waitFor();
    await banner.getByText('Contoso Partners').waitFor();
    expect(await banner.getByText('White-Label Enabled').count()).toBe(0);
    await page.locator('[data-live="live"]').waitFor();
    await client.put('/api/service-integrator/white-label', { whiteLabelEnabled: true, customDomain: '', logoUrl: '' });
    await banner.getByText('White-Label Enabled').waitFor();
    const menu = page.getByRole('navigation', { name: 'Main' });
    await expect
      .poll(() => menu.getByRole('link').allInnerTexts())
      .toEqual(['Dashboard', 'Customers', 'Usage', 'Users', 'Themes', 'White-Label', 'Settings', 'Audit', 'Security']);
    await banner.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/service-integrator/login');
    await expect.poll(() => page.evaluate(() => localStorage.getItem('service_integrator_token'))).toBeNull();
    await leave(page);
  });
});

describeAtLength("an integrator's dashboard", () => {
  it('counts its own customers, shows its account and links to other screens', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/dashboard');
    const total = (label: string) => page.getByRole('article', { name: label }).locator('[data-stat]');
    await total('Total Customers').filter({ hasText: /^3$/ }).waitFor();
    await total('Active Customers').filter({ hasText: /^3$/ }).waitFor();
    await total('Total API Calls').filter({ hasText: /^0$/ }).waitFor();
    await total('Custom Themes').filter({ hasText: /^0$/ }).waitFor();
    await page.getByRole('region', { name: 'Account information' }).getByText(integrator.masterLicenseKey).waitFor();
    const recent = page.getByRole('region', { name: 'Recent customers' }).locator('tbody tr');
    await recent.first().getByText('Blue Harbor Bank').waitFor();
    await expect.poll(() => recent.count()).toBe(3);
    for (const [link, path] of [
      ['Manage customers', 'customers'],
      ['Custom themes', 'themes'],
      ['White-label settings', 'white-label'],
    ] as const) {
      await page.getByRole('link', { name: link }).last().click();
      await page.waitForURL(`**/service-integrator/${path}`);
      await page.goBack();
    }
    await leave(page);
  });
});

describe("an integrator's customers", () => {
  itAtLength('are its own only, as cards with key, calls and seats', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/customers');
    await page.getByText('Manage your end-customers and their licenses').waitFor();
    const card = cardOf(page, 'Northwind Traders');
    await card.getByText(customerOf('Northwind Traders').licenseKey).waitFor();
    await card.getByText('Northwind Traders Inc.').waitFor();
    await card.getByRole('img', { name: 'Developer Seats: 1 of 10 used, 10 percent, success' }).waitFor();
    await page.getByText('3 of 3 customers').waitFor();
    expect(await page.getByText('Foreign Customer').count()).toBe(0);
    await leave(page);
  });

  itAtLength('open on a click anywhere on the card except on its buttons', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/customers');
    await cardOf(page, 'Aperture Robotics').click({ position: { x: 200, y: 120 } });
    await page.waitForURL(`**${pathOf('Aperture Robotics')}`);
    await page.getByRole('heading', { level: 1, name: 'Aperture Robotics' }).waitFor();
    await page.goBack();
    await cardOf(page, 'Aperture Robotics').getByRole('button', { name: 'Assign Theme' }).click();
    await dialogOf(page).getByText('No custom themes available. Please create a theme first in the Themes page.').waitFor();
    expect(await dialogOf(page).getByRole('button', { name: 'Assign Theme' }).isDisabled()).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/service-integrator/customers');
    await leave(page);
  });

  it('are created with their own keys', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/customers');
    await page.getByRole('button', { name: 'Create Customer' }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole('heading', { name: 'Create New Customer' }).waitFor();
    await dialog.getByRole('button', { name: 'Create Customer' }).click();
    for (const field of ['Customer Name', 'Contact Email', 'Company Name'])
      await dialog.getByText(`${field} is required`).waitFor();
    await dialog.getByLabel('Customer Name').fill('Cobalt Systems');
    await dialog.getByLabel('Contact Email').fill('it@cobalt.example');
    await dialog.getByLabel('Company Name').fill('Cobalt Systems Inc.');
    await dialog.getByLabel('Theme').fill('no-such-theme');
    await dialog.getByRole('button', { name: 'Create Customer' }).click();
    await toastsOf(page).getByText('Unknown theme').first().waitFor();
    await dialog.getByLabel('Theme').fill('Aurora');
    expect(await dialog.getByLabel('Theme').inputValue()).toBe('aurora');
    await dialog.getByRole('button', { name: 'Create Customer' }).click();
    await dialog.waitFor({ state: 'detached' });
    await cardOf(page, 'Cobalt Systems').getByText('Aurora').waitFor();
    await leave(page);
  });

  itAtLength('are edited in the list, and a refusal is shown above the form', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/customers');
    await cardOf(page, 'Blue Harbor Bank').getByRole('button', { name: 'Edit' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Customer Name').fill('Blue Harbor Trust');
    await dialog.getByLabel('Status').selectOption({ label: 'Suspended' });
    await page.route('**/api/service-integrator/customers/*', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' })
        : route.continue(),
    );
    const save = async () => {
      await dialog.getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
    };
    await save();
    await dialog.getByRole('alert').getByText('Failed to update customer').waitFor();
    await page.unroute('**/api/service-integrator/customers/*');
    await save();
    await toastsOf(page).getByText('Customer updated successfully!').waitFor();
    await cardOf(page, 'Blue Harbor Trust').getByText('Suspended').waitFor();
    await page.getByRole('group', { name: 'Filter by status' }).getByRole('button', { name: 'Suspended' }).click();
    await page.waitForURL('**/service-integrator/customers?status=suspended');
    await page.getByText('1 of 1 customers').waitFor();
    await leave(page);
  });
});

describe("an integrator's customer", () => {
  it('is no longer its customer after a move, which its open screens say', async () => {
    const { id } = await newCustomer(web.admin, integrator.id, { name: 'Leaving' });
    const { integrator: next } = await seed(web.admin, [], 'Next Partners');
    const path = `/service-integrator/customers/${id}`;
    const page = await openAsIntegrator(web, integrator, path);
    const seats = await openAsIntegrator(web, integrator, `${path}/seats`);
    for (const one of [page, seats]) await one.locator('[data-live="live"]').waitFor();
    const body = { serviceIntegratorId: next.id };
    expect((await web.admin.post(`/api/admin/customers/${id}/integrator-move`, body)).status).toBe(200);
    for (const one of [page, seats]) {
      await one.getByRole('heading', { level: 1, name: 'No longer your customer' }).waitFor();
      await one.getByText('It was deleted or moved to another service integrator.').waitFor();
    }
    await page.reload();
    await page.getByText('It may have been deleted or moved to another service integrator').waitFor();
    await seats.getByRole('link', { name: 'Back to customers' }).click();
    await seats.waitForURL('**/service-integrator/customers');
    await leave(page);
    await leave(seats);
  });

  itAtLength('is shown with status, tier, key, seats and company', async () => {
    const page = await openAsIntegrator(web, integrator, EMPTY_PAGE);
    const reply = deferred();
    await page.route('**/api/service-integrator/customers/*', async (route) => {
      await reply.released;
      await route.continue();
    });
    await page.goto(pathOf('Northwind Traders'));
    await page.getByText('Loading customer...').waitFor();
    reply.release();
    const value = (label: string) => page.getByRole('article', { name: label });
    await value('Status').getByText('Active').waitFor();
    await value('License Tier').getByText('ENT').waitFor();
    await value('Total API Calls').waitFor();
    await value('Active Connections').waitFor();
    await page.getByRole('region', { name: 'License Key' }).getByText(customerOf('Northwind Traders').licenseKey).waitFor();
    const seats = page.getByRole('region', { name: 'Developer Seats' });
    await expect.poll(() => seats.locator('dd').allInnerTexts()).toEqual(['10', '1', '9']);
    await page.getByRole('region', { name: 'Company Information' }).getByText('Northwind Traders Inc.').waitFor();
    await leave(page);
  });

  it('is edited with its seats, also while a user takes a seat', async () => {
    const customer = customerOf('Northwind Traders');
    const page = await openAsIntegrator(web, integrator, pathOf('Northwind Traders'));
    await page.getByRole('button', { name: 'Edit Customer' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Developer Seats').fill('2');
    await dialog.getByLabel('Stakeholder Seats').fill('-1');
    await dialog.getByLabel('Enforce seat limits').uncheck();
    await asTool(web.url, customer, 'linus');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await toastsOf(page).getByText('Customer updated successfully!').waitFor();
    const seats = page.getByRole('region', { name: 'Developer Seats' });
    await seats.getByRole('img', { name: 'Developer Seats: 2 of 2 used, 100 percent, danger' }).waitFor();
    await page.getByRole('region', { name: 'Stakeholder Seats' }).getByText('Unlimited').first().waitFor();
    await page.getByText('Not enforced', { exact: true }).waitFor();
    await leave(page);
  });

  itAtLength('is not overwritten when another user changed the same field', async () => {
    const customer = customerOf('Aperture Robotics');
    const page = await openAsIntegrator(web, integrator, pathOf('Aperture Robotics'));
    await page.getByRole('button', { name: 'Edit Customer' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Company Name').fill('Typed Here');
    const { contactEmail } = customer;
    await web.admin.put(`/api/admin/customers/${customer.id}`, { name: 'Aperture Labs', contactEmail });
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await toastsOf(page).getByText('Someone else updated this customer.').waitFor();
    expect((await web.admin.get(`/api/admin/customers/${customer.id}`)).body.customer.name).toBe('Aperture Labs');
    await leave(page);
  });

  itAtLength('is not found if it belongs to another integrator or does not exist', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'nonsense']) {
      const page = await openAsIntegrator(web, integrator, `/service-integrator/customers/${id}`);
      await page.getByRole('heading', { level: 1, name: 'Customer not found' }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Back to Customers' }).click();
      await page.waitForURL('**/service-integrator/customers');
      await leave(page);
    }
  });
});

describe("an integrator's users", () => {
  it('are those of all its customers, and can be suspended', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/users');
    await page.getByText('Manage users across all your customers').waitFor();
    const card = page.getByRole('list', { name: 'Users' }).getByRole('listitem', { name: 'grace' });
    await card.getByText('grace@example.com').waitFor();
    await card.locator('dd').first().waitFor();
    expect(await card.locator('dd').first().innerText()).toMatch(/^Aperture/);
    await card.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
    await toastsOf(page).getByText('grace is suspended').waitFor();
    await card.getByText('Suspended', { exact: true }).waitFor();
    await leave(page);
  });

  itAtLength('show why a change is refused', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/users');
    await page.route('**/api/users/*/status', (route) => route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' }));
    await page.getByRole('button', { name: 'Deactivate ada' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('alertdialog').getByText('Failed to update user status').waitFor();
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
