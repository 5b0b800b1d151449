import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { describeAtLength, itAtLength } from '../support/tiers.ts';
import { violations } from './support/axe.ts';
import { dialogOf, holdsFocus, openConsole, seed, type TestConsole, titleOf } from './support/console.ts';
import { leave } from './support/pages.ts';
import { openAsCustomer } from './support/tokens.ts';

let web: TestConsole;
let customer: Customer;

beforeAll(async () => {
  web = await openConsole();
  const { customers } = await seed(web.admin, ['Northwind']);
  if (!customers[0]) throw new Error('No customer was made');
  [customer] = customers;
});
afterAll(() => web.close());

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard changes?' });
const form = (page: Page) => page.getByRole('dialog', { name: 'Edit customer' });
const nameOf = (page: Page) => form(page).getByLabel('Customer name');

/** Opens the form of the customer from the list, so that the browser can navigate back. */
const openForm = async (): Promise<Page> => {
  const page = await web.openAsAdmin('/admin/customers');
  await page.getByRole('link', { name: 'Northwind' }).click();
  await page.getByRole('button', { name: 'Edit customer' }).click();
  await holdsFocus(form(page));
  return page;
};

describeAtLength('a form that was not modified', () => {
  it('closes with Escape, also after a change is reverted', async () => {
    const page = await openForm();
    await page.keyboard.press('Escape');
    await form(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit customer' }).click();
    await holdsFocus(form(page));
    await nameOf(page).fill('Other');
    await nameOf(page).fill('Northwind');
    await page.keyboard.press('Escape');
    await form(page).waitFor({ state: 'detached' });
    expect(await question(page).count()).toBe(0);
    await leave(page);
  });
});

describe('a modified form', () => {
  it('requires confirmation before Escape and the close button discard it', async () => {
    const page = await openForm();
    await nameOf(page).fill('Changed');
    await page.keyboard.press('Escape');
    await question(page).waitFor();
    expect(await violations(page)).toEqual([]);
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    await question(page).waitFor({ state: 'detached' });
    expect(await nameOf(page).inputValue()).toBe('Changed');
    await form(page).getByRole('button', { name: 'Close' }).click();
    await question(page).getByRole('button', { name: 'Discard' }).click();
    await form(page).waitFor({ state: 'detached' });
    expect(await titleOf(page).innerText()).toBe('Northwind');
    await leave(page);
  });

  itAtLength('requires confirmation before the user navigates back', async () => {
    const page = await openForm();
    await nameOf(page).fill('Changed');
    await page.evaluate(() => history.back());
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    await question(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe(`/admin/customers/${customer.id}`);
    expect(await nameOf(page).inputValue()).toBe('Changed');
    await page.evaluate(() => history.back());
    await question(page).getByRole('button', { name: 'Discard' }).click();
    await page.waitForURL('**/admin/customers');
    await page.getByRole('link', { name: 'Northwind' }).waitFor();
    expect(await dialogOf(page).count()).toBe(0);
    await leave(page);
  });

  itAtLength('requires confirmation by the browser before a reload', async () => {
    const page = await openForm();
    await nameOf(page).fill('Changed');
    const confirmation = page.waitForEvent('dialog');
    // `page.reload` would wait for a load that does not happen.
    await page.evaluate(() => setTimeout(() => location.reload()));
    const dialog = await confirmation;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    expect(await nameOf(page).inputValue()).toBe('Changed');
    await leave(page);
  });

  it('on a screen requires confirmation before a link is followed, and none once it is saved', async () => {
    const page = await openAsCustomer(web, customer, '/portal/profile');
    const company = page.getByLabel('Company', { exact: true });
    await company.fill('Changed Inc.');
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'Users', exact: true }).click();
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    await question(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByText('Profile updated successfully').waitFor();
    await navigation.getByRole('link', { name: 'Users', exact: true }).click();
    await page.waitForURL('**/portal/users');
    await leave(page);
  });
});

describeAtLength('a save that fails', () => {
  it.each([
    ['no response arrives', { abort: true }, /did not answer\. Check your connection/],
    ['a proxy responds', { abort: false }, /answered with status 502/],
  ])('shows the cause if %s, and keeps the input', async (_what, { abort }, cause) => {
    const page = await openForm();
    await nameOf(page).fill('Typed');
    await page.route(`**/api/admin/customers/${customer.id}`, (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      return abort ? route.abort() : route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad gateway' });
    });
    await form(page).getByRole('button', { name: 'Save Changes' }).click();
    const banner = form(page).getByRole('alert');
    await banner.getByText('Failed to update customer').waitFor();
    expect(await banner.innerText()).toMatch(cause);
    expect(await nameOf(page).inputValue()).toBe('Typed');
    await leave(page);
  });
});

describe('a conflict', () => {
  it('shows what the other user saved in the fields that both edited', async () => {
    const page = await openForm();
    await nameOf(page).fill('Mine');
    await form(page).getByLabel('Developer seats').fill('20');
    const theirs = { name: 'Theirs', contactEmail: 'theirs@northwind.example', developerSeats: 30 };
    await web.admin.put(`/api/admin/customers/${customer.id}`, theirs);
    await form(page).getByRole('button', { name: 'Save Changes' }).click();
    const banner = form(page).getByRole('alert');
    await banner.getByText('Customer name is now "Theirs".').waitFor();
    expect(await banner.innerText()).toContain('Developer seats is now "30".');
    expect(await form(page).getByLabel('Contact email').inputValue()).toBe('theirs@northwind.example');
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
