import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asCustomer, asTool, clientOf } from '../support/apiClient.ts';
import { describeAtLength, itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, seed, type TestConsole } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

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
});
afterAll(() => web.close());

const keyIn = (page: Page): Promise<string> => dialogOf(page).locator('code').innerText();

const customerSignIn = (licenseKey: string) => clientOf(web.url).post('/api/auth/customer/login', { licenseKey });
const integratorSignIn = (masterLicenseKey: string) =>
  clientOf(web.url).post('/api/auth/service-integrator/login', { masterLicenseKey });

/** No text claims that a key cannot be shown again: license keys are shown while they are valid. */
const ONCE = /\bonce\b|won.t be able|never again/i;

/** Where the page contains a text: in its content, its storage, or the state of its history entry. */
const placesOf = (page: Page, text: string): Promise<string[]> =>
  page.evaluate((searched) => {
    const places = {
      document: document.documentElement.outerHTML,
      fields: Array.from(document.querySelectorAll('input'), ({ value }) => value).join(' '),
      localStorage: JSON.stringify(localStorage),
      sessionStorage: JSON.stringify(sessionStorage),
      history: JSON.stringify(history.state),
      address: location.href,
    };
    return Object.entries(places).flatMap(([place, held]) => (held?.includes(searched) ? [place] : []));
  }, text);

describe("an administrator who replaces a customer's license key", () => {
  itAtLength('shows the effects first, and can be cancelled', async () => {
    const page = await web.openAsAdmin(`/admin/customers/${first.id}`);
    const button = page.getByRole('button', { name: 'Rotate license key' });
    await button.click();
    const dialog = page.getByRole('alertdialog', { name: 'Rotate license key' });
    await dialog.getByText('The old key stops working immediately', { exact: false }).waitFor();
    await dialog.getByText('Command-line tools that signed in with it are disconnected', { exact: false }).waitFor();
    const effects = dialog.getByRole('list', { name: 'Effects' });
    await effects.getByText('No session, CLI sign-in or API token ends.').waitFor();
    const color = () => effects.evaluate((list) => getComputedStyle(list).color);
    const harmless = await color();
    await asCustomer(web.url, first);
    await asTool(web.url, first, 'ada');
    await effects.getByText('1 session will be signed out.').waitFor();
    await effects.getByText(/^Key \(.*used (just now|\d+s ago)\)$/).waitFor();
    await effects.getByText('1 CLI sign-in will end.').waitFor();
    await effects.getByText(/^ada \(/).waitFor();
    expect(await color()).not.toBe(harmless); // a warning
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
    expect((await customerSignIn(first.licenseKey)).status).toBe(200);
    await leave(page);
  });

  it('shows the new key, and sessions of the old one are signed out', async () => {
    const portal = await openAsCustomer(web, first, '/portal/dashboard');
    await portal.getByRole('heading', { level: 1 }).waitFor();
    const page = await web.openAsAdmin(`/admin/customers/${first.id}`, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Rotate license key' }).click();
    await dialogOf(page).getByRole('button', { name: 'Rotate license key' }).click();
    const issued = page.getByRole('alertdialog', { name: 'New license key' });
    await issued.getByText('The new license key of Northwind Traders is active.').waitFor();
    expect(await issued.innerText()).not.toMatch(ONCE);
    const key = await keyIn(page);
    expect(key).not.toBe(first.licenseKey);
    const done = issued.getByRole('button', { name: 'Done' });
    await done.and(page.locator(':focus')).waitFor();
    expect(await violations(page)).toEqual([]);
    await issued.getByRole('button', { name: 'Copy new license key' }).click();
    await issued.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    await done.click();
    await issued.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText(key, { exact: true }).waitFor();
    expect((await customerSignIn(first.licenseKey)).status).toBe(401);
    await asCustomer(web.url, { licenseKey: key });
    await portal.waitForURL('**/portal/login');
    await leave(page);
    await leave(portal);
  });

  itAtLength('gets one key for a double click, and time to read it', async () => {
    const { customers } = await seed(web.admin, ['Double Click']);
    const page = await web.openAsAdmin(`/admin/customers/${customers[0]?.id}`);
    await page.getByRole('button', { name: 'Rotate license key' }).click();
    await dialogOf(page).getByRole('button', { name: 'Rotate license key' }).dblclick();
    const issued = page.getByRole('alertdialog', { name: 'New license key' });
    const key = await issued.locator('code').innerText();
    await issued.getByRole('button', { name: 'Done' }).click({ clickCount: 2 });
    await issued.waitFor({ state: 'detached' });
    await asCustomer(web.url, { licenseKey: key });
    const { body } = await web.admin.get(`/api/admin/customers/${customers[0]?.id}/history?type=LicenseKeyRotated`);
    expect(body.total).toBe(1);
    await leave(page);
  });

  itAtLength('shows why it failed, and can be tried again', async () => {
    const page = await web.openAsAdmin(`/admin/customers/${second.id}`);
    await page.route('**/rotate-key', (route) => route.fulfill({ status: 503, json: { error: 'Busy, try again', code: 'busy' } }));
    await page.getByRole('button', { name: 'Rotate license key' }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole('button', { name: 'Rotate license key' }).click();
    await dialog.getByRole('alert').getByText('Busy, try again').waitFor();
    await page.unroute('**/rotate-key');
    await dialog.getByRole('button', { name: 'Rotate license key' }).click();
    await page.getByRole('alertdialog', { name: 'New license key' }).waitFor();
    second = { ...second, licenseKey: await keyIn(page) };
    await leave(page);
  });
});

describeAtLength("an administrator who replaces a service integrator's master license key", () => {
  it('sees the new key, and the integrator is signed out', async () => {
    const { integrator: other } = await seed(web.admin, [], 'Careless Partner');
    const area = await openAsIntegrator(web, other, '/service-integrator/dashboard');
    await area.locator('[data-live="live"]').waitFor();
    const page = await web.openAsAdmin(`/admin/service-integrators/${other.id}`);
    await page.getByRole('button', { name: 'Rotate master license key' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Rotate master license key' });
    await dialog.getByText('Careless Partner gets a new master license key.').waitFor();
    await dialog.getByText('Its customers keep their own license keys.').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Rotate master license key' }).click();
    const issued = page.getByRole('alertdialog', { name: 'New master license key' });
    await issued.getByText('The new master license key of Careless Partner is active.').waitFor();
    expect(await issued.innerText()).not.toMatch(ONCE);
    const key = await keyIn(page);
    await issued.getByRole('button', { name: 'Done' }).click();
    await issued.waitFor({ state: 'detached' });
    await page.getByText(key, { exact: true }).waitFor();
    await area.waitForURL('**/service-integrator/login');
    expect((await integratorSignIn(other.masterLicenseKey)).status).toBe(401);
    expect((await integratorSignIn(key)).status).toBe(200);
    await leave(page);
    await leave(area);
  });
});

describeAtLength('an integrator', () => {
  it("replaces a customer's license key, also on a phone", async () => {
    const page = await openAsIntegrator(web, integrator, `/service-integrator/customers/${second.id}`, { viewport: PHONE });
    await page.getByRole('button', { name: 'Rotate license key' }).click();
    expect(await overflow(page)).toBe(0);
    await dialogOf(page).getByRole('button', { name: 'Rotate license key' }).click();
    const issued = page.getByRole('alertdialog', { name: 'New license key' });
    await issued.waitFor();
    const key = await keyIn(page);
    expect((await customerSignIn(second.licenseKey)).status).toBe(401);
    await asCustomer(web.url, { licenseKey: key });
    await issued.getByRole('button', { name: 'Done' }).click();
    await issued.waitFor({ state: 'detached' });
    await page.getByText(key, { exact: true }).waitFor();
    await leave(page);
  });

  it('replaces its master license key, sees the new one although its session ended, and signs in with it', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/settings');
    await page.locator('[data-live="live"]').waitFor();
    await page.getByRole('button', { name: 'Rotate master license key' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('all its sessions end, including yours').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Rotate master license key' }).click();
    const issued = page.getByRole('alertdialog', { name: 'New master license key' });
    await issued.waitFor();
    const key = await keyIn(page);
    const token = await page.evaluate(() => localStorage.getItem('service_integrator_token'));
    const ended = clientOf(web.url, { authorization: `Bearer ${token}` });
    await expect.poll(async () => (await ended.get('/api/service-integrator/profile')).status).toBe(401);
    expect((await integratorSignIn(integrator.masterLicenseKey)).status).toBe(401);
    expect(await keyIn(page)).toBe(key);
    expect(await violations(page)).toEqual([]);
    expect(await issued.innerText()).not.toMatch(ONCE);
    await issued.getByRole('button', { name: 'Sign in again' }).click();
    await page.waitForURL('**/service-integrator/login');
    await issued.waitFor({ state: 'detached' });
    await expect.poll(() => placesOf(page, key)).toEqual([]);
    await page.goBack();
    await page.waitForURL('**/service-integrator/login');
    await page.getByLabel('Master license key', { exact: true }).waitFor();
    await expect.poll(() => placesOf(page, key)).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem('service_integrator_token'))).toBe(null);
    expect((await integratorSignIn(key)).status).toBe(200);
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
