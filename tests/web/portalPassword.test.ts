import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asCustomer, clientOf } from '../support/apiClient.ts';
import { describeAtLength, itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, seed, type TestConsole, toastsOf } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

const PASSWORD = 'violet lantern quarry';

let web: TestConsole;
let integrator: ServiceIntegrator;
let first: Customer;
let second: Customer;

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders', 'Blue Harbor Bank']);
  const [northwind, harbor] = seeded.customers;
  if (!northwind || !harbor) throw new Error('The customers were not made');
  integrator = seeded.integrator;
  first = northwind;
  second = harbor;
  for (const customer of [northwind, harbor]) {
    const portal = await asCustomer(web.url, customer);
    const change = { currentPassword: customer.licenseKey, newPassword: PASSWORD };
    if ((await portal.post('/api/customer/change-password', change)).status !== 200) throw new Error('No password was set');
  }
});
afterAll(() => web.close());

const signInStatus = async ({ licenseKey }: Customer): Promise<number> =>
  (await clientOf(web.url).post('/api/auth/customer/login', { licenseKey })).status;

describeAtLength('a customer that sets a portal password', () => {
  it('sees why a guessable one is rejected, in the order of the rules', async () => {
    const { customers } = await seed(web.admin, ['Northwind Traders'], 'Fabrikam Partners');
    const licenseKey = customers[0]?.licenseKey ?? '';
    const page = await openAsCustomer(web, { licenseKey }, '/portal/profile');
    await page.getByLabel('Current password').fill(licenseKey);
    const [chosen, confirmed] = [page.getByLabel('New password'), page.getByLabel('Confirm password')];
    const submit = page.getByRole('button', { name: 'Change password' });
    await chosen.fill('short');
    await confirmed.fill('short');
    await submit.click();
    await page.getByText('Password must be at least 8 characters').waitFor();
    await chosen.fill('northwind2026');
    await submit.click();
    await page.getByText('Passwords do not match').waitFor();
    await confirmed.fill('northwind2026');
    await submit.click();
    await page.getByText('This password is easy to guess.', { exact: false }).waitFor();
    expect(await violations(page)).toEqual([]);
    await chosen.fill(PASSWORD);
    await confirmed.fill(PASSWORD);
    await submit.click();
    await toastsOf(page).getByText('Password changed successfully').waitFor();
    await leave(page);
  });
});

describe('portal sign-in of a customer with a password', () => {
  it('shows the password field after the license key, and signs in with both', async () => {
    const page = await web.open('/portal/login');
    const [key, password] = [page.getByLabel('License key'), page.getByLabel('Password')];
    const submit = page.getByRole('button', { name: 'Sign in' });
    expect(await password.count()).toBe(0);
    await key.fill(first.licenseKey);
    await submit.click();
    await password.waitFor();
    await password.and(page.locator(':focus')).waitFor();
    expect(await password.getAttribute('type')).toBe('password');
    await page.getByText('This account is protected by a password.').waitFor();
    expect(await violations(page)).toEqual([]);
    await submit.click();
    await page.getByText('Please enter password').waitFor();
    await password.fill('wrong');
    await submit.click();
    await page.getByText('The password is wrong.', { exact: false }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/portal/login');
    await password.fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/portal/dashboard');
    await leave(page);
  });

  itAtLength('hides the password field for another license key, and fits a phone', async () => {
    const page = await web.open('/portal/login', { viewport: PHONE });
    await page.getByLabel('License key').fill(second.licenseKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Password').waitFor();
    expect(await overflow(page)).toBe(0);
    await page.getByLabel('License key').fill('LK-ENT-0000-00000');
    await page.getByLabel('Password').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Unknown license key').waitFor();
    await leave(page);
  });
});

describe('resetting a portal password', () => {
  it('is confirmed by an administrator on the customer’s screen', async () => {
    const page = await web.openAsAdmin(`/admin/customers/${first.id}`);
    await page.getByRole('button', { name: 'Reset password' }).click();
    await dialogOf(page).getByText('Reset the portal password of Northwind Traders?').waitFor();
    await dialogOf(page).getByRole('list', { name: 'Effects' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await dialogOf(page).getByRole('button', { name: 'Reset password' }).click();
    await toastsOf(page).getByText('Portal password reset').waitFor();
    await page.getByText('Not set').waitFor();
    await page.getByRole('region', { name: 'History', exact: true }).scrollIntoViewIfNeeded();
    await page.getByText('The portal password was reset').waitFor();
    expect(await signInStatus(first)).toBe(200);
    await leave(page);
  });

  itAtLength('is confirmed by the integrator on the customer’s screen', async () => {
    expect(await signInStatus(second)).toBe(401);
    const page = await openAsIntegrator(web, integrator, `/service-integrator/customers/${second.id}`);
    await page.getByRole('button', { name: 'Reset password' }).click();
    await dialogOf(page).getByRole('button', { name: 'Reset password' }).click();
    await toastsOf(page).getByText('Portal password reset').waitFor();
    expect(await signInStatus(second)).toBe(200);
    await leave(page);
  });
});
