import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asTool, newIntegrator } from '../support/apiClient.ts';
import { itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import {
  chooseIn,
  chooseIntegrator,
  deferred,
  dialogOf,
  openConsole,
  seed,
  type TestConsole,
  toastsOf,
} from './support/console.ts';
import { DESKTOP, drawn, leave, PHONE } from './support/pages.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customers: Customer[];

const names = ['Northwind Traders', 'Aperture Robotics', 'Blue Harbor Bank'];

beforeAll(async () => {
  web = await openConsole();
  ({ integrator, customers } = await seed(web.admin, names));
});
afterAll(() => web.close());

const rowsOf = (page: Page) => page.getByRole('region', { name: 'Customers table' }).locator('tbody tr');
const customerOf = (name: string): Customer => {
  const customer = customers.find((one) => one.name === name);
  if (!customer) throw new Error(`No customer ${name} was made`);
  return customer;
};

describe('the list of customers', () => {
  it('shows names, seats and status, newest first', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await rowsOf(page).first().waitFor();
    const first = rowsOf(page).first();
    expect(await first.innerText()).toContain('Blue Harbor Bank');
    expect(await first.innerText()).toContain(customerOf('Blue Harbor Bank').licenseKey);
    await first.getByText('Active').waitFor();
    await first.getByRole('img', { name: 'Developer seats: 0 of 10 used, 0 percent, success' }).waitFor();
    await page.getByText('3 of 3 customers').waitFor();
    await leave(page);
  });

  const hiddenAt = async (page: Page, width: number): Promise<number> => {
    await page.setViewportSize({ width, height: 800 });
    await drawn(page);
    return page
      .getByRole('region', { name: 'Customers table' })
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  };

  itAtLength('shows every column beside the navigation at 1,280 px, also with a long name', async () => {
    const { id } = customerOf('Blue Harbor Bank');
    const contactEmail = 'license.administration@a-rather-long-subdomain.blue-harbor-bank.example';
    await web.admin.put(`/api/admin/customers/${id}`, { name: 'Blue Harbor Bank', contactEmail });
    const page = await web.openAsAdmin('/admin/customers', { viewport: { width: 1280, height: 800 } });
    await page.getByText(contactEmail).waitFor();
    expect(await hiddenAt(page, 1280)).toBe(0);
    await page.getByRole('columnheader', { name: 'License key' }).waitFor();
    await leave(page);
  });

  itAtLength('hides the least important columns on a narrower screen instead of scrolling horizontally', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await rowsOf(page).first().waitFor();
    const headersAre = (...headers: string[]) =>
      expect.poll(() => page.getByRole('columnheader').allInnerTexts()).toEqual(['', ...headers]);
    expect(await hiddenAt(page, 1100)).toBe(0);
    await headersAre('Customer', 'Status', 'Developer seats', 'Stakeholder seats', 'API calls');
    for (const width of [1024, 768]) {
      expect(await hiddenAt(page, width)).toBe(0);
      await headersAre('Customer', 'Status', 'Developer seats', 'API calls');
    }
    await leave(page);
  });

  itAtLength('is searched, with the search text in the URL', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.getByLabel('Search customers').fill('aperture');
    await page.waitForURL('**/admin/customers?search=aperture');
    await page.getByText('1 of 1 customers').waitFor();
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await page.getByLabel('Search customers').fill('nobody by this name');
    await page.getByText('No customers found').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('3 of 3 customers').waitFor();
    await expect.poll(() => page.getByLabel('Search customers').inputValue()).toBe('');
    await leave(page);
  });

  itAtLength('reads its filter and its order from the URL', async () => {
    await web.admin.put(`/api/admin/customers/${customerOf('Aperture Robotics').id}`, {
      name: 'Aperture Robotics',
      contactEmail: 'it@acme.example',
      status: 'suspended',
    });
    const page = await web.openAsAdmin('/admin/customers?status=suspended');
    await page.getByText('1 of 1 customers').waitFor();
    await rowsOf(page).getByText('Suspended').waitFor();
    expect(await page.getByRole('button', { name: 'Suspended' }).getAttribute('aria-pressed')).toBe('true');
    await page.goto('/admin/customers?sort=name');
    await page.getByText('3 of 3 customers').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Customer' }).getAttribute('aria-sort')).toBe('ascending');
    expect(await rowsOf(page).first().innerText()).toContain('Aperture Robotics');
    await page.getByRole('columnheader', { name: 'Customer' }).getByRole('button').click();
    await page.waitForURL('**/admin/customers?sort=-name');
    await rowsOf(page).first().getByText('Northwind Traders').waitFor();
    await leave(page);
  });

  itAtLength('shows cards instead of a table on a narrow screen', async () => {
    const page = await web.openAsAdmin('/admin/customers', { viewport: PHONE });
    const list = page.getByRole('list', { name: 'Customers table' });
    await list.getByRole('link', { name: 'Blue Harbor Bank' }).waitFor();
    await expect.poll(() => list.getByRole('listitem').count()).toBe(3);
    await leave(page);
  });
});

describe('creating a customer', () => {
  itAtLength('shows which fields are missing before it sends a request', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.getByRole('button', { name: 'Create customer' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Contact email').fill('not an email address');
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await dialog.getByText('Customer name is required').waitFor();
    await dialog.getByText('Must be an email address').waitFor();
    await dialog.getByText('Service integrator is required').waitFor();
    await dialog.getByLabel('Customer name').and(page.locator(':focus')).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await leave(page);
  });

  it('issues a license key and shows the customer immediately', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.getByRole('button', { name: 'Create customer' }).click();
    const dialog = dialogOf(page);
    expect(await dialog.getByLabel('Developer seats').inputValue()).toBe('10');
    expect(await dialog.getByLabel('Stakeholder seats').inputValue()).toBe('5');
    expect(await dialog.getByLabel('Enforce seat limits').isChecked()).toBe(true);
    await dialog.getByLabel('Customer name').fill('Cobalt Systems');
    await dialog.getByLabel('Contact email').fill('it@cobalt.example');
    await chooseIntegrator(dialog, integrator.companyName);
    await dialog.getByLabel('Theme').selectOption({ label: 'Aurora' });
    await dialog.getByLabel('Developer seats').fill('-1');
    await dialog.getByLabel('Stakeholder seats').fill('none');
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await toastsOf(page).getByText('Customer created successfully! License key generated automatically.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    const row = rowsOf(page).filter({ hasText: 'Cobalt Systems' });
    await row.getByText('Unlimited').waitFor();
    const { body } = await web.admin.get('/api/admin/customers?search=Cobalt');
    expect(body.customers[0]).toMatchObject({ theme: 'aurora', developerSeats: -1, stakeholderSeats: 0, company: null });
    const below = async () => {
      const toast = await toastsOf(page).getByRole('listitem').boundingBox();
      const action = await page.getByRole('button', { name: 'Create customer' }).boundingBox();
      return (toast?.y ?? 0) - (action?.y ?? 0) - (action?.height ?? 0);
    };
    await expect.poll(below).toBeGreaterThanOrEqual(0);
    await toastsOf(page).getByRole('button', { name: 'Open' }).click();
    await page.waitForURL(`**/admin/customers/${body.customers[0].id}`);
    await leave(page);
  });

  itAtLength.each([
    ['a double click', (page: Page) => dialogOf(page).getByRole('button', { name: 'Create customer' }).dblclick()],
    [
      'two presses of Enter in a row',
      (page: Page) =>
        page.evaluate(() => {
          for (const _ of [1, 2]) document.querySelector('form')?.requestSubmit();
        }),
    ],
  ])('makes one by %s', async (way, submit) => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.getByRole('button', { name: 'Create customer' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Customer name').fill(`By ${way}`);
    await dialog.getByLabel('Contact email').fill('it@once.example');
    await chooseIntegrator(dialog, integrator.companyName);
    await submit(page);
    await toastsOf(page).getByText('Customer created successfully! License key generated automatically.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect((await web.admin.get(`/api/admin/customers?search=${encodeURIComponent(`By ${way}`)}`)).body.total).toBe(1);
    await leave(page);
  });

  itAtLength('creates the first service integrator if there is none, and continues with it', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    let isEmpty = true;
    await page.route(
      (url) => url.pathname === '/api/admin/service-integrators',
      (route) => {
        if (route.request().method() === 'POST') isEmpty = false;
        if (!isEmpty) return route.continue();
        const counts = { all: 0, active: 0, suspended: 0, churned: 0 };
        return route.fulfill({ json: { success: true, service_integrators: [], total: 0, nextCursor: null, counts } });
      },
    );
    await page.getByRole('button', { name: 'Create customer' }).click();
    const first = page.getByRole('dialog', { name: 'Create service integrator' });
    await first.getByText(/Create the first one, then continue with the customer/).waitFor();
    await first.getByLabel('Company name').fill('First Partner');
    await first.getByLabel('Contact email').fill('it@first.example');
    await first.getByLabel('Billing email').fill('bills@first.example');
    await first.getByRole('button', { name: 'Create service integrator' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create customer' });
    await dialog.getByLabel('Customer name').fill('First Customer');
    await dialog.getByLabel('Contact email').fill('it@customer.example');
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await web.admin.get('/api/admin/customers?search=First%20Customer');
    expect(body.customers[0].serviceIntegratorName).toBe('First Partner');
    await leave(page);
  });

  itAtLength('opens from the dashboard', async () => {
    const page = await web.openAsAdmin('/admin/dashboard');
    await page.getByRole('link', { name: /^Create customer/ }).click();
    await dialogOf(page).getByRole('heading', { name: 'Create customer' }).waitFor();
    await page.waitForURL(`${web.url}/admin/customers`);
    await page.reload();
    await rowsOf(page).first().waitFor();
    expect(await dialogOf(page).count()).toBe(0);
    await leave(page);
  });
});

describe('a customer', () => {
  itAtLength('is shown with its license, its usage and its instances', async () => {
    const customer = customerOf('Northwind Traders');
    const page = await web.openAsAdmin('/admin/customers');
    const reply = deferred();
    await page.route(`**/api/admin/customers/${customer.id}`, async (route) => {
      await reply.released;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Northwind Traders' }).click();
    await page.waitForURL(`**/admin/customers/${customer.id}`);
    await page.getByText('Loading customer').waitFor();
    reply.release();
    await page.getByRole('heading', { level: 1, name: 'Northwind Traders' }).waitFor();
    await page.getByText(customer.licenseKey).waitFor();
    await page.getByText('Usage, last 30 days').waitFor();
    await page.getByText('No instances yet').waitFor();
    await page.getByRole('link', { name: integrator.companyName }).click();
    await page.waitForURL(`**/admin/service-integrators/${integrator.id}`);
    await leave(page);
  });

  it('is edited', async () => {
    const page = await web.openAsAdmin(`/admin/customers/${customerOf('Northwind Traders').id}`);
    await page.getByRole('button', { name: 'Edit customer' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Customer name').fill('Northwind Trading');
    await dialog.getByLabel('Status').selectOption('suspended');
    await dialog.getByLabel('Enforce seat limits').uncheck();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
    await toastsOf(page).getByText('Customer updated successfully!').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Northwind Trading' }).waitFor();
    await page.getByText('Not enforced').waitFor();
    await page.getByRole('main').getByText('Suspended').first().waitFor();
    await leave(page);
  });

  /** Whether nothing covers an element, and its dialog is scrolled to it. */
  const isInSight = (element: Locator): Promise<boolean> =>
    element.evaluate((node) => {
      const { left, top, width, height } = node.getBoundingClientRect();
      return node.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });

  itAtLength('is not overwritten when another user changed it after the dialog opened', async () => {
    const { id } = customerOf('Blue Harbor Bank');
    const page = await web.openAsAdmin(`/admin/customers/${id}`);
    await page.getByRole('button', { name: 'Edit customer' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Customer name').fill('Mine');
    await web.admin.put(`/api/admin/customers/${id}`, { name: 'Theirs', contactEmail: 'theirs@acme.example' });
    await dialog.locator('input, textarea').last().scrollIntoViewIfNeeded();
    const conflict = dialog.getByText(/Someone else updated/);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect.poll(() => isInSight(conflict)).toBe(true);
    expect((await web.admin.get(`/api/admin/customers/${id}`)).body.customer.name).toBe('Theirs');
    expect(await dialog.getByLabel('Customer name').inputValue()).toBe('Mine');
    expect(await dialog.getByLabel('Contact email').inputValue()).toBe('theirs@acme.example');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor();
    expect((await web.admin.get(`/api/admin/customers/${id}`)).body.customer.contactEmail).toBe('theirs@acme.example');
    await leave(page);
  });

  itAtLength('is edited while a user takes a seat, and keeps its theme', async () => {
    const { id, licenseKey } = customerOf('Blue Harbor Bank');
    await web.admin.post(`/api/themes/customer/${id}/assign`, { theme: 'summit' });
    const page = await web.openAsAdmin(`/admin/customers/${id}`);
    await page.getByRole('button', { name: 'Edit customer' }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole('option', { name: 'Aurora' }).waitFor({ state: 'attached' });
    expect(await dialog.getByLabel('Theme').locator('option:checked').innerText()).toBe('Summit');
    await dialog.getByLabel('Company name').fill('Blue Harbor Limited');
    await asTool(web.url, { licenseKey });
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await toastsOf(page).getByText('Customer updated successfully!').waitFor();
    const { body } = await web.admin.get(`/api/admin/customers/${id}`);
    expect(body.customer).toMatchObject({ company: 'Blue Harbor Limited', theme: 'summit', activeDeveloperSeats: 1 });
    await leave(page);
  });

  itAtLength('moves to another service integrator after a preview', async () => {
    const { customers: moving } = await seed(web.admin, ['Moving'], 'Former Partner');
    await seed(web.admin, ['Moving'], 'Next Partner');
    const { id } = await newIntegrator(web.admin, { companyName: 'Closed Partner' });
    const account = { contactEmail: 'it@closed.example', billingEmail: 'bills@closed.example' };
    await web.admin.put(`/api/admin/service-integrators/${id}`, { companyName: 'Closed Partner', ...account, status: 'suspended' });
    const page = await web.openAsAdmin(`/admin/customers/${moving[0]?.id}`);
    await page.getByRole('button', { name: 'Move customer' }).click();
    const dialog = dialogOf(page);
    const confirm = dialog.getByRole('button', { name: 'Move customer' });
    expect(await confirm.isDisabled()).toBe(true);
    const choose = (companyName: string) => chooseIn(dialog, 'New service integrator', companyName);
    await choose('Closed Partner');
    await dialog.getByText('This service integrator is suspended. Reactivate it first, or choose another one.').waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await choose('Next Partner');
    await dialog.getByText('Next Partner has another customer of this name. You can rename this one afterwards.').waitFor();
    await dialog.getByText(/^0 users, 0 claimed seats, 0 portal sessions, .* 0 recorded API calls$/).waitFor();
    await dialog.getByLabel('Take tags, notes, custom fields and external ID along').uncheck();
    await dialog.getByText('Changes', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect([await overflow(page), await violations(page)]).toEqual([0, []]);
    await page.setViewportSize(DESKTOP);
    await confirm.click();
    await toastsOf(page).getByText('The customer belongs to Next Partner now').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Next Partner' }).waitFor();
    const { body } = await web.admin.get(`/api/admin/customers/${moving[0]?.id}/history`);
    expect(body.history[0]).toMatchObject({ type: 'CustomerMoved', summary: 'Moving came from another service integrator' });
    await leave(page);
  });

  itAtLength('is deleted after a confirmation', async () => {
    const { customers: doomed } = await seed(web.admin, ['Doomed'], 'Another Partner');
    const page = await web.openAsAdmin(`/admin/customers/${doomed[0]?.id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText(/usage logs and credentials .* removed permanently/).waitFor();
    const name = dialog.getByLabel('Type "Doomed" to confirm');
    await name.and(page.locator(':focus')).waitFor();
    await name.fill('Doomed');
    await dialog.getByRole('button', { name: 'Delete customer' }).click();
    await toastsOf(page).getByText('Customer deleted successfully!').waitFor(); // first, since it goes away
    await page.waitForURL('**/admin/customers');
    await page.goto(`/admin/customers/${doomed[0]?.id}`);
    await page.getByRole('heading', { level: 1, name: 'Customer not found' }).waitFor();
    await page.getByRole('link', { name: 'Back to customers' }).click();
    await page.waitForURL('**/admin/customers');
    await leave(page);
  });

  itAtLength('is reported as not found for an unknown id', async () => {
    const page = await web.openAsAdmin('/admin/customers/not-an-id');
    await page.getByRole('heading', { level: 1, name: 'Customer not found' }).waitFor();
    await leave(page);
  });
});

describe('the live feed', () => {
  it('shows on one screen a change made on another', async () => {
    const page = await web.openAsAdmin('/admin/customers?search=Cobalt');
    await page.locator('[data-live=live]').waitFor();
    const { body } = await web.admin.get('/api/admin/customers?search=Cobalt');
    const { id, contactEmail } = body.customers[0];
    await web.admin.put(`/api/admin/customers/${id}`, { name: 'Cobalt Renamed', contactEmail });
    await page.getByRole('link', { name: 'Cobalt Renamed' }).waitFor();
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
