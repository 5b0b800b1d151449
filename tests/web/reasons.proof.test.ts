import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTool } from '../support/apiClient.ts';
import { violations } from './support/axe.ts';
import { dialogOf, openConsole, seed, type TestConsole, toastsOf } from './support/console.ts';
import { leave } from './support/pages.ts';
import { openAsCustomer } from './support/tokens.ts';

let web: TestConsole;

beforeAll(async () => {
  web = await openConsole();
});
afterAll(() => web.close());

/** The history on the screen, newest first, read on each call. */
const summaries = async (page: Page): Promise<string[]> => {
  await page.getByRole('region', { name: 'History', exact: true }).scrollIntoViewIfNeeded();
  return page.getByRole('list', { name: 'History entries' }).locator('> li p:first-child').allInnerTexts();
};

/** Changes the status in the screen's dialog, and confirms its effects. */
const changeStatus = async (page: Page, edit: string, status: string, reason: string, confirm?: string): Promise<void> => {
  await page.getByRole('button', { name: edit }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Reason').count()).toBe(0);
  await dialog.getByLabel('Status').selectOption(status);
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  if (confirm) await page.getByRole('alertdialog').getByRole('button', { name: confirm }).click();
  await dialogOf(page).first().waitFor({ state: 'detached' });
};

const subjects = [
  {
    whose: 'a customer',
    edit: 'Edit customer',
    the: 'The customer',
    pathOf: async () => `/admin/customers/${(await seed(web.admin, ['Northwind Traders'])).customers[0]?.id}`,
  },
  {
    whose: 'a service integrator',
    edit: 'Edit service integrator',
    the: 'The service integrator',
    pathOf: async () => `/admin/service-integrators/${(await seed(web.admin, [])).integrator.id}`,
  },
];

describe.each(subjects)('the reason of a status change of $whose', ({ edit, the, pathOf }) => {
  it('is shown in its history, and is optional', async () => {
    const page = await web.openAsAdmin(await pathOf());
    await changeStatus(page, edit, 'suspended', ' Invoice 42 is unpaid ', 'Suspend');
    await expect.poll(() => summaries(page)).toContain(`${the} was suspended: Invoice 42 is unpaid`);
    await changeStatus(page, edit, 'active', '');
    await expect.poll(async () => (await summaries(page))[0]).toBe(`${the} was reactivated`);
    await changeStatus(page, edit, 'churned', 'Contract ended', 'Mark as churned');
    await expect.poll(() => summaries(page)).toContain(`${the} churned: Contract ended`);
    await leave(page);
  });

  it('is rejected at its field when it is too long, and kept until it is short enough', async () => {
    const page = await web.openAsAdmin(await pathOf());
    await page.getByRole('button', { name: edit }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Status').selectOption('suspended');
    await dialog.getByLabel('Reason').fill('x'.repeat(501));
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByText('Must be at most 500 characters').waitFor();
    expect(await dialog.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await dialog.getByLabel('Reason').fill('x'.repeat(500));
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
    await expect.poll(() => summaries(page)).toContain(`${the} was suspended: ${'x'.repeat(500)}`);
    await leave(page);
  });
});

describe('the status of a user', () => {
  const cardOf = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true });
  const historyOf = async (customerId: string): Promise<string[]> => {
    const { history } = (await web.admin.get(`/api/admin/customers/${customerId}/history?limit=100`)).body;
    return history.map(({ summary }: { summary: string }) => summary);
  };

  it('is changed on the card with an optional reason of limited length', async () => {
    const customer = (await seed(web.admin, ['With users'])).customers[0];
    if (!customer) throw new Error('No customer was made');
    await asTool(web.url, customer, 'ada');
    const page = await openAsCustomer(web, customer, '/portal/users');
    const open = () => cardOf(page, 'ada').getByRole('button', { name: 'Change status with reason… ada' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change status' });
    await open();
    await dialog.getByLabel('Reason').fill('x'.repeat(501));
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByText('Must be at most 500 characters').waitFor();
    await dialog.getByLabel('Reason').fill('Laptop lost');
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await toastsOf(page).getByText('ada is suspended').waitFor();
    await toastsOf(page).getByRole('button', { name: 'Undo' }).waitFor();
    await cardOf(page, 'ada').getByText('Suspended', { exact: true }).waitFor();
    await open();
    await dialog.getByLabel('Status').selectOption('active');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await toastsOf(page).getByText('ada is active').waitFor();
    expect(await historyOf(customer.id)).toEqual(
      expect.arrayContaining(['User ada was suspended: Laptop lost', 'User ada was activated']),
    );
    await leave(page);
  });

  it('is not undone after another user has changed the user', async () => {
    const customer = (await seed(web.admin, ['Changed by two'])).customers[0];
    if (!customer) throw new Error('No customer was made');
    const { userId } = await asTool(web.url, customer, 'ada');
    const page = await openAsCustomer(web, customer, '/portal/users');
    await cardOf(page, 'ada').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click();
    const undo = toastsOf(page).getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    const theirs = { status: 'suspended', reason: 'Stolen laptop' };
    expect((await web.admin.put(`/api/admin/users/${userId}/status`, theirs)).status).toBe(200);
    await undo.click();
    await toastsOf(page).getByText('The change could not be undone: Someone else changed this user since then.').waitFor();
    await cardOf(page, 'ada').getByText('Suspended', { exact: true }).waitFor();
    expect((await historyOf(customer.id))[0]).toBe('User ada was suspended: Stolen laptop');
    await leave(page);
  });
});

describe('the screen of a service integrator', () => {
  it('pages through its customers and its history separately, and filters only its history', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `Customer ${index + 1}`);
    const { integrator } = await seed(web.admin, names);
    const account = { companyName: integrator.companyName, billingEmail: integrator.billingEmail };
    for (let turn = 0; turn < 26; turn++) {
      const change = { ...account, contactEmail: `it${turn}@contoso.example` };
      expect((await web.admin.put(`/api/admin/service-integrators/${integrator.id}`, change)).status).toBe(200);
    }
    const page = await web.openAsAdmin(`/admin/service-integrators/${integrator.id}`);
    const [customers, history] = [page.getByRole('main'), page.getByRole('region', { name: 'History', exact: true })];
    await customers.getByText('Customer 12', { exact: true }).waitFor();
    await history.scrollIntoViewIfNeeded();
    await history.getByText('25 of 28 entries').waitFor();
    await history.getByRole('button', { name: 'Next' }).click();
    await history.getByText('3 of 28 entries').waitFor();
    await page.getByRole('button', { name: 'Next' }).first().click();
    await customers.getByText('Customer 2', { exact: true }).waitFor();
    await history.getByText('3 of 28 entries').waitFor();
    await page.getByRole('button', { name: 'Previous' }).first().click();
    await customers.getByText('Customer 12', { exact: true }).waitFor();
    await history.getByLabel('Type').selectOption('IntegratorRegistered');
    await history.getByText('1 of 1 entries').waitFor();
    expect(await summaries(page)).toEqual(['Contoso Partners was registered']);
    expect(await history.getByLabel('Type').locator('option', { hasText: 'Seats allocated' }).count()).toBe(0);
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
