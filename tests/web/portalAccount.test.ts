import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { asCustomer } from '../support/apiClient.ts';
import { startThirdParty, type ThirdParty } from '../support/thirdParties.ts';
import { itAtLength } from '../support/tiers.ts';
import { violations } from './support/axe.ts';
import { dialogOf, holdsFocus, openConsole, seed, type TestConsole, toastsOf } from './support/console.ts';
import { leave } from './support/pages.ts';
import { openAsCustomer } from './support/tokens.ts';

let web: TestConsole;
let customer: Customer;
let jira: ThirdParty;

beforeAll(async () => {
  [web, jira] = await Promise.all([
    openConsole({ CREDENTIAL_TEST_ALLOW: '127.0.0.1' }),
    startThirdParty('jira', { username: 'svc-latchkey', secret: 'right' }),
  ]);
  const { customers } = await seed(web.admin, ['Northwind Traders']);
  if (!customers[0]) throw new Error('No customer was made');
  customer = customers[0];
});
afterAll(async () => {
  await web.close();
  await jira.close();
});

const cards = (page: Page) => page.getByRole('list', { name: 'Service connections' }).getByRole('listitem');

describe("a customer's credentials", () => {
  itAtLength('are empty at first, with the note that they are encrypted', async () => {
    const page = await openAsCustomer(web, customer, '/portal/credentials');
    await page.getByText('No service connections configured').waitFor();
    await page.getByText('Credentials are encrypted with AES-256-GCM.').waitFor();
    await leave(page);
  });

  itAtLength('offer an API token for Jira only', async () => {
    const page = await openAsCustomer(web, customer, '/portal/credentials');
    await page.getByRole('button', { name: 'Add credential' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('API token').waitFor();
    await dialog.getByLabel('Service').selectOption({ label: 'Azure DevOps' });
    await dialog.getByLabel('API token').waitFor({ state: 'detached' });
    await dialog.getByLabel('Instance URL').fill('not an address');
    await dialog.getByRole('button', { name: 'Add credential' }).click();
    await dialog.getByText('Must be an http or https address').waitFor();
    await dialog.getByText('Username is required').waitFor();
    await dialog.getByText('Password is required').waitFor();
    await leave(page);
  });

  it('are added and tested immediately', async () => {
    const page = await openAsCustomer(web, customer, '/portal/credentials');
    await page.getByRole('button', { name: 'Add credential' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Instance URL').fill(jira.url);
    await dialog.getByLabel('Username').fill('svc-latchkey');
    await dialog.getByLabel('Password').fill('right');
    await dialog.getByRole('button', { name: 'Add credential' }).click();
    await toastsOf(page).getByText('Credential added successfully!').waitFor();
    await cards(page).getByText('Connected', { exact: true }).waitFor();
    expect(await cards(page).innerText()).not.toContain('right');
    await leave(page);
  });

  itAtLength('are tested, with success and with failure', async () => {
    const page = await openAsCustomer(web, customer, '/portal/credentials');
    await cards(page).getByRole('button', { name: 'Test' }).click();
    await toastsOf(page).getByText('Credential test successful!').waitFor();
    jira.behave('unauthorized');
    await cards(page).getByRole('button', { name: 'Test' }).click();
    await cards(page).getByText('Error', { exact: true }).waitFor();
    await cards(page).getByText('Jira refused the username or the password (401).').waitFor();
    await cards(page).getByText('Correct the credential, or test it again.').waitFor();
    jira.behave('normal');
    await page.route('**/test', (route) => route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' }));
    await cards(page).getByRole('button', { name: 'Test' }).click();
    await toastsOf(page).getByText('Failed to test credential').waitFor();
    await page.unroute('**/test');
    await page.route('**/test', (route) => route.fulfill({ json: { success: false, error: '' } }));
    await cards(page).getByRole('button', { name: 'Test' }).click();
    await toastsOf(page).getByText('Credential test failed').waitFor();
    await leave(page);
  });

  it('are edited, and a new address requires the secret again', async () => {
    const page = await openAsCustomer(web, customer, '/portal/credentials');
    await cards(page).getByRole('button', { name: 'Edit' }).click();
    const dialog = dialogOf(page);
    expect(await dialog.getByLabel('Password').inputValue()).toBe('');
    await dialog.getByLabel('Instance URL').fill(`${jira.url}/moved`);
    await dialog.getByText('Enter it again if you change the instance URL.').first().waitFor();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByText('Password is required').waitFor();
    await dialog.getByLabel('Password').and(page.locator(':focus')).waitFor();
    await dialog.getByLabel('Instance URL').fill(jira.url);
    await dialog.getByLabel('Expires').fill('2099-12-31');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await toastsOf(page).getByText('Credential updated successfully!').waitFor();
    await cards(page).getByText('31 Dec 2099').waitFor();
    await cards(page).getByText('Connected', { exact: true }).waitFor();
    await leave(page);
  });

  itAtLength('lose the expiry and the password when an API token replaces the password', async () => {
    const page = await openAsCustomer(web, customer, '/portal/credentials');
    await cards(page).getByRole('button', { name: 'Edit' }).click();
    const dialog = dialogOf(page);
    expect(await dialog.getByLabel('Remove the stored password').count()).toBe(0);
    await dialog.getByLabel('API token').fill('right');
    await dialog.getByLabel('Remove the stored password').check();
    await expect.poll(() => dialog.getByLabel('Password', { exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel('Expires').fill('');
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await toastsOf(page).getByText('Credential updated successfully!').waitFor();
    await cards(page).getByText('31 Dec 2099').waitFor({ state: 'detached' });
    await cards(page).getByText('Connected', { exact: true }).waitFor();
    const portal = await asCustomer(web.url, customer);
    const [credential] = (await portal.get('/api/credentials/list')).body.credentials;
    expect(credential).toMatchObject({ hasPassword: false, hasApiToken: true, expiresAt: null });
    await leave(page);
  });

  itAtLength('are deleted after a confirmation', async () => {
    const page = await openAsCustomer(web, customer, '/portal/credentials');
    await cards(page).getByRole('button', { name: 'Delete' }).click();
    await dialogOf(page).getByText(`Are you sure you want to delete the Jira credential for ${jira.url}?`).waitFor();
    await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
    expect(await cards(page).count()).toBe(1);
    await cards(page).getByRole('button', { name: 'Delete' }).click();
    await dialogOf(page).getByRole('button', { name: 'Delete' }).click();
    await toastsOf(page).getByText('Credential deleted').waitFor();
    await page.getByText('No service connections configured').waitFor();
    await holdsFocus(page.getByRole('main'));
    await leave(page);
  });
});

describe("a customer's profile", () => {
  it('is edited, and the header shows the change', async () => {
    const page = await openAsCustomer(web, customer, '/portal/profile');
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByLabel('Company').fill('');
    await details.getByRole('button', { name: 'Save changes' }).click();
    await details.getByText('Company is required').waitFor();
    await details.getByLabel('Company').fill('Northwind Group');
    await details.getByLabel('Name', { exact: true }).fill('Northwind Trading');
    await details.getByRole('button', { name: 'Save changes' }).click();
    await toastsOf(page).getByText('Profile updated successfully').waitFor();
    await page.getByRole('banner').getByText('Northwind Trading').waitFor();
    await leave(page);
  });

  itAtLength('shows changes from elsewhere, but never overwrites edited fields', async () => {
    const page = await openAsCustomer(web, customer, '/portal/profile');
    const name = page.getByRole('region', { name: 'Details' }).getByLabel('Name', { exact: true });
    await name.waitFor();
    await page.locator('[data-live="live"]').waitFor();
    const put = (to: string) =>
      web.admin.put(`/api/admin/customers/${customer.id}`, { name: to, contactEmail: customer.contactEmail });
    await put('Named Elsewhere');
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[name=name]')?.value === 'Named Elsewhere');
    await name.fill('Typed Here');
    await put('Named Elsewhere Again');
    await page.getByRole('banner').getByText('Named Elsewhere Again').waitFor();
    expect(await name.inputValue()).toBe('Typed Here');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Someone else updated this profile.').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await toastsOf(page).getByText('Profile updated successfully').waitFor();
    await page.getByRole('banner').getByText('Typed Here').waitFor();
    await leave(page);
  });

  it('accepts a new password if it is typed twice and the current one is correct', async () => {
    const { customers } = await seed(web.admin, ['Blue Harbor Bank']);
    const licenseKey = customers[0]?.licenseKey ?? '';
    const page = await openAsCustomer(web, { licenseKey }, '/portal/profile');
    const password = page.getByRole('region', { name: 'Password' });
    const fill = async (current: string, next: string, again: string) => {
      await password.getByLabel('Current password').fill(current);
      await password.getByLabel('New password').fill(next);
      await password.getByLabel('Confirm password').fill(again);
      await password.getByRole('button', { name: 'Change password' }).click();
    };
    await fill('whatever', 'long enough', 'something else');
    await password.getByText('Passwords do not match').waitFor();
    await fill('whatever', 'short', 'short');
    await password.getByText('Password must be at least 8 characters').waitFor();
    await fill('wrong', 'long enough', 'long enough');
    await password.getByRole('alert').getByText('The current password is wrong').waitFor();
    await fill(licenseKey, 'violet lantern quarry', 'violet lantern quarry');
    await toastsOf(page).getByText('Password changed successfully').waitFor();
    await expect.poll(() => password.getByLabel('Current password').inputValue()).toBe('');
    await leave(page);
  });

  it('requests the deletion of the account, and withdraws the request', async () => {
    const page = await openAsCustomer(web, customer, '/portal/profile');
    await page.getByRole('button', { name: 'Request account deletion' }).click();
    await dialogOf(page).getByText('Everything keeps working until an administrator deletes the account').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Request account deletion' }).click();
    await page.getByText('You requested the deletion of this account on').waitFor();
    const client = await asCustomer(web.url, customer);
    const requestedAt = async () => (await client.get('/api/customer/profile')).body.profile.deletionRequestedAt;
    await expect.poll(requestedAt).not.toBeNull();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByText('Deletion of this account was requested on').waitFor();
    await page.getByRole('link', { name: 'Withdraw it on the profile page' }).click();
    await page.getByRole('button', { name: 'Withdraw request' }).click();
    await page.getByRole('button', { name: 'Request account deletion' }).waitFor();
    await expect.poll(requestedAt).toBeNull();
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
