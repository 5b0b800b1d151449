import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asCustomer, asIntegrator, asTool } from '../support/apiClient.ts';
import { invite, join } from '../support/members.ts';
import { describeAtLength, itAtLength } from '../support/tiers.ts';
import { openToolSocket } from '../support/toolSocket.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, holdsFocus, openConsole, seed, type TestConsole, toastsOf } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;

beforeAll(async () => {
  web = await openConsole();
});
afterAll(() => web.close());

const seedOne = async (name: string): Promise<{ integrator: ServiceIntegrator; customer: Customer }> => {
  const { integrator, customers } = await seed(web.admin, [name], `Partner of ${name}`);
  const [customer] = customers;
  if (!customer) throw new Error('No customer was made');
  return { integrator, customer };
};

const question = (page: Page) => page.getByRole('alertdialog');
const effects = (page: Page) => question(page).getByRole('list', { name: 'Effects' });
const openEdit = async (page: Page, name = 'Edit customer'): Promise<void> => {
  await page.getByRole('button', { name }).click();
  await page.getByRole('dialog', { name }).waitFor();
};
const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save changes' }).click();
const shownOf = async ({ id }: Customer): Promise<Customer> => (await web.admin.get(`/api/admin/customers/${id}`)).body.customer;

describe('suspending a customer', () => {
  it('states how many CLIs, portal sessions and users it affects, and updates them while the dialog is open', async () => {
    const { customer } = await seedOne('Northwind');
    await asCustomer(web.url, customer);
    const ada = await asTool(web.url, customer, 'ada');
    const bob = await asTool(web.url, customer, 'bob');
    const first = await openToolSocket(web.url, ada.token);
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`);
    await openEdit(page);
    await dialogOf(page).getByLabel('Status').selectOption('suspended');
    await save(page);
    await question(page).getByRole('heading', { name: 'Suspend Northwind?' }).waitFor();
    await effects(page).getByText('1 connected CLI will be disconnected.').waitFor();
    await effects(page).getByText('1 portal session will be signed out.').waitFor();
    await effects(page).getByText("2 users can't sign in until you reactivate the customer.").waitFor();
    await effects(page).getByText('ada and bob', { exact: true }).waitFor();
    const second = await openToolSocket(web.url, bob.token);
    await effects(page).getByText('2 connected CLIs will be disconnected.').waitFor();
    expect(await violations(page)).toEqual([]);
    await question(page).getByRole('button', { name: 'Cancel' }).click();
    await question(page).waitFor({ state: 'detached' });
    expect(await dialogOf(page).getByLabel('Status').inputValue()).toBe('suspended');
    expect((await shownOf(customer)).status).toBe('active');
    await save(page);
    await question(page).getByRole('button', { name: 'Suspend' }).click();
    await toastsOf(page).getByText('Customer updated successfully!').waitFor();
    expect((await shownOf(customer)).status).toBe('suspended');
    await Promise.all([first.closed, second.closed]);
    await leave(page);
  });

  itAtLength('requires confirmation in the service integrator’s detail and list', async () => {
    const { customer, integrator } = await seedOne('Fabrikam');
    const page = await openAsIntegrator(web, integrator, `/service-integrator/customers/${customer.id}`);
    await openEdit(page);
    await dialogOf(page).getByLabel('Status').selectOption('churned');
    await save(page);
    await question(page).getByRole('heading', { name: 'Mark Fabrikam as churned?' }).waitFor();
    await effects(page).getByText("The customer can't sign in until you reactivate it.").waitFor();
    await holdsFocus(question(page));
    await page.keyboard.press('Escape');
    await question(page).waitFor({ state: 'detached' });
    await page.goto('/service-integrator/customers');
    await page.getByRole('button', { name: 'Edit Fabrikam' }).click();
    await dialogOf(page).getByLabel('Status').selectOption('suspended');
    await save(page);
    await question(page).getByRole('button', { name: 'Suspend' }).click();
    await toastsOf(page).getByText('Customer updated successfully!').waitFor();
    expect((await shownOf(customer)).status).toBe('suspended');
    await leave(page);
  });

  itAtLength('names the first users, and links to all of them', async () => {
    const { customer } = await seedOne('Crowded');
    for (const name of ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay']) await asTool(web.url, customer, name);
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`);
    await openEdit(page);
    await dialogOf(page).getByLabel('Status').selectOption('suspended');
    await save(page);
    await effects(page).getByText('ada, bob, cyd, dan, eve and 1 more', { exact: true }).waitFor();
    const link = question(page).getByRole('link', { name: 'Show all users' });
    expect(await link.getAttribute('href')).toBe(`/admin/users?customer=${customer.id}`);
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });

  itAtLength('can be confirmed while the numbers are unavailable, which the dialog states', async () => {
    const { customer } = await seedOne('Uncounted');
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`);
    await page.route('**/impact?**', (route) => route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' }));
    await openEdit(page);
    await dialogOf(page).getByLabel('Status').selectOption('suspended');
    await save(page);
    await question(page).getByText('The number of affected users and connections is not available.').waitFor();
    await question(page).getByRole('button', { name: 'Suspend' }).click();
    await toastsOf(page).getByText('Customer updated successfully!').waitFor();
    await leave(page);
  });
});

describeAtLength('reducing seats', () => {
  it('states in the form how many seats are taken, also if nobody is above the limit', async () => {
    const { customer } = await seedOne('Fitting');
    await asTool(web.url, customer, 'ada');
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`, { viewport: PHONE });
    await openEdit(page);
    const shown = dialogOf(page).getByRole('list', { name: 'Effects' });
    const seats = dialogOf(page).getByLabel('Developer seats');
    await seats.fill('3');
    await shown.getByText('1 of 3 developer seats is taken.').waitFor();
    await seats.fill('1');
    await shown.getByText('1 developer seat is taken, and none is free. New users are rejected until one is.').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await seats.fill('0');
    await shown.getByText('1 user exceeds the limit of 0 developer seats.').waitFor();
    await seats.fill('many');
    await shown.waitFor({ state: 'detached' });
    await seats.fill('1');
    await save(page);
    await toastsOf(page).getByText('Customer updated successfully!').waitFor();
    await leave(page);
  });

  it('states how many users exceed the limit, and requires confirmation only then', async () => {
    const { customer } = await seedOne('Seated');
    for (const name of ['ada', 'bob', 'cyd']) await asTool(web.url, customer, name);
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`);
    await openEdit(page);
    await dialogOf(page).getByLabel('Developer seats').fill('3');
    await save(page);
    await toastsOf(page).getByText('Customer updated successfully!').waitFor();
    await openEdit(page);
    await dialogOf(page).getByLabel('Developer seats').fill('1');
    await save(page);
    await question(page).getByRole('heading', { name: 'Reduce the seats of Seated?' }).waitFor();
    await effects(page).getByText('2 users exceed the limit of 1 developer seat.').waitFor();
    await effects(page).getByText('ada, bob and cyd', { exact: true }).waitFor();
    await effects(page)
      .getByText(/^They keep their seats/)
      .waitFor();
    await question(page).getByRole('button', { name: 'Reduce seats' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => shownOf(customer)).toMatchObject({ developerSeats: 1, activeDeveloperSeats: 3 });
    await leave(page);
  });

  it('requires confirmation to enforce limits that are exceeded', async () => {
    const { customer } = await seedOne('Relaxed');
    await asTool(web.url, customer, 'ada');
    const path = `/api/admin/customers/${customer.id}`;
    const { name, contactEmail } = customer;
    await web.admin.put(path, { name, contactEmail, developerSeats: 0, seatLimitsEnforced: false });
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`);
    await openEdit(page);
    await dialogOf(page).getByLabel('Enforce seat limits').check();
    await save(page);
    await question(page).getByRole('heading', { name: 'Enforce the seat limits of Relaxed?' }).waitFor();
    await effects(page).getByText('1 user exceeds the limit of 0 developer seats.').waitFor();
    await leave(page);
  });
});

describe('deleting', () => {
  it('a customer states what is removed, and requires its name, typed or pasted', async () => {
    const { customer } = await seedOne('Blue  Harbor Bank');
    const ada = await asTool(web.url, customer, 'ada');
    const socket = await openToolSocket(web.url, ada.token);
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`, { viewport: PHONE });
    await page.getByRole('button', { name: 'Delete' }).click();
    await effects(page).getByText('1 connected CLI will be disconnected.').waitFor();
    await effects(page).getByText('1 user will be removed.').waitFor();
    const confirm = question(page).getByRole('button', { name: 'Delete customer' });
    expect(await confirm.isDisabled()).toBe(true);
    const field = question(page).getByRole('textbox');
    await field.fill('Blue Harbor');
    expect(await confirm.isDisabled()).toBe(true);
    await field.press('Enter');
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await field.fill('');
    await page.evaluate(() => {
      const input = document.activeElement;
      if (input instanceof HTMLInputElement) document.execCommand('insertText', false, '  Blue Harbor Bank ');
    });
    await confirm.click();
    await toastsOf(page).getByText('Customer deleted successfully!').waitFor();
    await socket.closed;
    await leave(page);
  });

  itAtLength('a service integrator states its sessions and themes, and requires its name', async () => {
    const { integrator } = await seed(web.admin, [], 'Lonely Partner');
    const partner = await asIntegrator(web.url, integrator);
    await partner.post('/api/service-integrator/themes', { themeName: 'own', displayName: 'Own', primaryColor: '#0070AD' });
    const page = await web.openAsAdmin(`/admin/service-integrators/${integrator.id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await effects(page).getByText('1 session of this service integrator will be signed out.').waitFor();
    await effects(page).getByText('1 custom theme will be removed.').waitFor();
    await question(page).getByLabel('Type "Lonely Partner" to confirm').fill('Lonely Partner');
    await page.keyboard.press('Enter');
    await toastsOf(page).getByText('Service integrator deleted successfully!').waitFor();
    await leave(page);
  });
});

describeAtLength('churning a service integrator', () => {
  it('states that its branding is removed and its customers keep working', async () => {
    const { integrator } = await seedOne('End customer');
    const partner = await asIntegrator(web.url, integrator);
    const domain = 'licenses.partner.example';
    await partner.put('/api/service-integrator/white-label', { whiteLabelEnabled: true, customDomain: domain, logoUrl: null });
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    await partner.post('/api/tokens', { name: 'CI', scopes: ['customers:read'], expiresAt });
    await join(web.url, await invite(partner, 'owner', 'Grace Hopper'));
    const page = await web.openAsAdmin(`/admin/service-integrators/${integrator.id}`);
    await openEdit(page, 'Edit service integrator');
    await dialogOf(page).getByLabel('Status').selectOption('churned');
    await save(page);
    await effects(page).getByText('1 API token will be refused.').waitFor();
    await effects(page).getByText("1 named user can't sign in.").waitFor();
    await effects(page).getByText('Grace Hopper', { exact: true }).waitFor();
    await effects(page).getByText(`The custom domain ${domain} will be released.`).waitFor();
    await effects(page).getByText('White-label branding will be turned off.').waitFor();
    await effects(page).getByText('1 customer keeps access.').waitFor();
    await question(page).getByRole('button', { name: 'Mark as churned' }).click();
    await toastsOf(page).getByText('Service integrator updated successfully!').waitFor();
    await leave(page);
  });
});

describe('a user’s status and role', () => {
  const cardOf = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true });

  itAtLength.each(['Suspend', 'Deactivate'])('%s states on the card what stops working, and can be undone', async (action) => {
    const { customer } = await seedOne(`To ${action}`);
    await asTool(web.url, customer, 'ada');
    const page = await openAsCustomer(web, customer, '/portal/users?status=active', { viewport: PHONE });
    await cardOf(page, 'ada').getByRole('button', { name: action }).click();
    await question(page)
      .getByRole('heading', { name: `${action} ada?` })
      .waitFor();
    await effects(page).getByText('The developer seat will be released.').waitFor();
    await effects(page).getByText("1 machine can't sign in.").waitFor();
    await holdsFocus(question(page));
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await question(page).getByRole('button', { name: action }).click();
    await page.getByText('No users found').waitFor();
    await toastsOf(page).getByRole('button', { name: 'Undo' }).click();
    await toastsOf(page).getByText('The change to ada was undone').waitFor();
    await cardOf(page, 'ada').getByText('Active', { exact: true }).waitFor();
    await leave(page);
  });

  it('a status with a reason and a removal state what stops working', async () => {
    const { customer } = await seedOne('Previewed');
    await asTool(web.url, customer, 'ada');
    const page = await openAsCustomer(web, customer, '/portal/users', { viewport: PHONE });
    await cardOf(page, 'ada').getByRole('button', { name: 'Change status with reason' }).click();
    const dialogEffects = dialogOf(page).getByRole('list', { name: 'Effects' });
    await dialogEffects.getByText('The developer seat will be released.').waitFor();
    await dialogEffects.getByText("1 machine can't sign in.").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.keyboard.press('Escape');
    await cardOf(page, 'ada').getByRole('button', { name: 'Remove' }).click();
    await effects(page).getByText("1 machine can't sign in.").waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });

  itAtLength('a role is undone by keyboard: F8 focuses the toast and pauses its timeout', async () => {
    const { customer } = await seedOne('By keyboard');
    await asTool(web.url, customer, 'ada');
    const page = await openAsCustomer(web, customer, '/portal/users');
    await cardOf(page, 'ada').getByRole('button', { name: 'Edit' }).click();
    await dialogOf(page).getByLabel('Role').selectOption('stakeholder');
    const dialogEffects = dialogOf(page).getByRole('list', { name: 'Effects' });
    await dialogEffects.getByText('A stakeholder seat will be taken.').waitFor();
    await dialogEffects.getByText("1 machine can't sign in.").waitFor();
    expect(await violations(page)).toEqual([]);
    await dialogOf(page).getByLabel('Role').selectOption('developer');
    await dialogEffects.waitFor({ state: 'detached' });
    await dialogOf(page).getByLabel('Role').selectOption('stakeholder');
    await save(page);
    const undo = toastsOf(page).getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await dialogOf(page).waitFor({ state: 'detached' });
    await cardOf(page, 'ada').getByText('Stakeholder', { exact: true }).waitFor();
    await page.keyboard.press('F8');
    await expect.poll(() => undo.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.waitForTimeout(11_000); // a toast with an action stays for ten seconds
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await toastsOf(page).getByText('The change to ada was undone').waitFor();
    await cardOf(page, 'ada').getByText('Developer', { exact: true }).waitFor();
    await leave(page);
  });

  itAtLength('shows why a change cannot be undone', async () => {
    const { customer } = await seedOne('Without a seat');
    await asTool(web.url, customer, 'ada');
    const page = await openAsCustomer(web, customer, '/portal/users');
    await cardOf(page, 'ada').getByRole('button', { name: 'Deactivate' }).click();
    await question(page).getByRole('button', { name: 'Deactivate' }).click();
    const undo = toastsOf(page).getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    const { name, contactEmail } = customer;
    await web.admin.put(`/api/admin/customers/${customer.id}`, { name, contactEmail, developerSeats: 0 });
    await undo.click();
    await toastsOf(page)
      .getByText(/^The change could not be undone: /)
      .waitFor();
    await leave(page);
  });
});

describeAtLength('several toasts', () => {
  it('do not cover the filters of a screen at 1,440 px, and expand while the pointer is on them', async () => {
    const { customer } = await seedOne('Toasted');
    for (const name of ['ada', 'bob', 'cyd', 'a-user-with-a-name-of-many-letters'.repeat(2)]) {
      const { userId } = await asTool(web.url, customer, name);
      await web.admin.put(`/api/admin/users/${userId}/status`, { status: 'inactive' });
    }
    const page = await openAsCustomer(web, customer, '/portal/users');
    await page.getByRole('button', { name: 'Activate ada' }).waitFor();
    await page.getByRole('button', { name: /^Activate / }).evaluateAll((all) => {
      for (const button of all) if (button instanceof HTMLElement) button.click();
    });
    const toasts = toastsOf(page).getByRole('listitem');
    await toasts.nth(3).waitFor();
    const filters = page.getByRole('group', { name: 'Filter by status' }).getByRole('button');
    const covered = () =>
      filters.evaluateAll(
        (all) =>
          all.filter((one) => {
            const { x, y, width, height } = one.getBoundingClientRect();
            return !one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
          }).length,
      );
    await expect.poll(covered).toBe(0);
    await toasts.first().hover();
    const tops = () => toasts.evaluateAll((all) => all.map((toast) => toast.getBoundingClientRect().top));
    await expect.poll(async () => new Set(await tops()).size).toBe(4);
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
