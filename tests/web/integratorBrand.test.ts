import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import type { ResolveTxt } from '../../src/outbound/domainVerification.ts';
import { asIntegrator, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { describeAtLength, itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { deferred, dialogOf, openConsole, seed, type TestConsole, toastsOf } from './support/console.ts';
import { drawn, leave, PHONE } from './support/pages.ts';
import { openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let client: Client;
let customer: Customer;

/** TXT records by name; other names do not exist. */
const records = new Map<string, string>();
const resolveTxt: ResolveTxt = async (name) => {
  const record = records.get(name);
  if (record === undefined) throw Object.assign(new Error('queryTxt ENOTFOUND'), { code: 'ENOTFOUND' });
  return [[record]];
};

beforeAll(async () => {
  web = await openConsole({}, { resolveTxt });
  const seeded = await seed(web.admin, ['Northwind Traders']);
  integrator = seeded.integrator;
  if (!seeded.customers[0]) throw new Error('No customer was made');
  customer = seeded.customers[0];
  client = await asIntegrator(web.url, integrator);
});
afterAll(() => web.close());

const cards = (page: Page) => page.getByRole('list', { name: 'Custom themes' }).getByRole('listitem');
const cardOf = (page: Page, name: string) => page.getByRole('list', { name: 'Custom themes' }).getByRole('listitem', { name });
const profileNow = async (): Promise<ServiceIntegrator> =>
  (await client.get('/api/service-integrator/profile')).body.serviceIntegrator;

/** Resolves when the page has reloaded. */
const reloaded = (page: Page): Promise<unknown> => page.waitForEvent('load');

describe("an integrator's themes", () => {
  itAtLength('are empty at first', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/themes');
    await page.getByRole('heading', { level: 1, name: 'Custom Themes' }).waitFor();
    await page.getByText('Create branded command-line experiences for your customers').waitFor();
    await page.getByText('No themes', { exact: true }).waitFor();
    await leave(page);
  });

  it('are created with a terminal preview of the typed colors', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/themes');
    await page.getByRole('button', { name: 'Create theme' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Theme Name').fill('Contoso Night!');
    expect(await dialog.getByLabel('Theme Name').inputValue()).toBe('contoso night!');
    await dialog.getByLabel('Display Name').fill('Contoso Night');
    await dialog.getByLabel('Primary color', { exact: true }).fill('blue');
    await dialog.getByRole('button', { name: 'Create theme' }).click();
    await dialog.getByText('Theme name must contain only lowercase letters, numbers, hyphens, and underscores').waitFor();
    await dialog.getByText('Primary color must be a valid hex color (e.g., #0070AD)').waitFor();
    await dialog.getByLabel('Theme Name').fill('contoso-night');
    await dialog.getByLabel('Primary color', { exact: true }).fill('#112233');
    await dialog.getByLabel('Secondary color', { exact: true }).fill('');
    await dialog.getByLabel('Accent Color picker').fill('#445566');
    expect(await dialog.getByLabel('Accent color', { exact: true }).inputValue()).toBe('#445566');
    await dialog.locator('[data-preview="#112233 #112233 #445566"]').waitFor();
    await dialog.getByLabel('Set as default theme for new customers').check();
    await dialog.getByRole('button', { name: 'Create theme' }).click();
    await toastsOf(page).getByText('Theme created successfully!').waitFor();
    const card = cardOf(page, 'Contoso Night');
    await card.getByText('Default', { exact: true }).waitFor();
    await card.getByText('contoso-night', { exact: true }).waitFor();
    await expect.poll(() => card.getByRole('button').allInnerTexts()).toEqual(['Edit', 'Delete']);
    await leave(page);
  });

  it('have unique names', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/themes');
    await page.getByRole('button', { name: 'Create theme' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Theme Name').fill('contoso-night');
    await dialog.getByLabel('Display Name').fill('Another');
    await dialog.getByRole('button', { name: 'Create theme' }).click();
    await dialog.getByRole('alert').getByText('A theme with this name already exists. Choose another name.').waitFor();
    await dialog.getByLabel('Theme Name').fill('contoso-day');
    await dialog.getByLabel('Display Name').fill('Contoso Day');
    await dialog.getByRole('button', { name: 'Create theme' }).click();
    await cardOf(page, 'Contoso Day').waitFor();
    await expect.poll(() => cards(page).count()).toBe(2);
    await leave(page);
  });

  itAtLength('are assigned to a customer', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/customers');
    const own = page.getByRole('listitem', { name: customer.name });
    await own.getByRole('button', { name: 'Assign Theme' }).click();
    const dialog = dialogOf(page);
    const assign = dialog.getByRole('button', { name: 'Assign Theme' });
    await dialog.getByRole('radio').first().waitFor();
    expect(await assign.isDisabled()).toBe(true);
    await dialog.getByText('Contoso Day').click();
    await assign.click();
    await toastsOf(page).getByText('Theme Contoso Day assigned to Northwind Traders').waitFor();
    await own.getByText('Contoso Day').waitFor();
    await own.getByRole('button', { name: 'Edit' }).click();
    await expect.poll(() => dialog.getByLabel('Theme').inputValue()).toBe('contoso-day');
    await leave(page);
  });

  it('are edited, made the default and deactivated', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/themes');
    const day = cardOf(page, 'Contoso Day');
    await day.getByRole('button', { name: 'Edit' }).click();
    const dialog = dialogOf(page);
    expect(await dialog.getByLabel('Theme Name').count()).toBe(0);
    await dialog.getByLabel('Description').fill('Bright \nas noon');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await toastsOf(page).getByText('Theme updated successfully!').waitFor();
    await day.getByText('Bright as noon').waitFor();
    await day.getByRole('button', { name: 'Set as Default' }).click();
    await day.getByText('Default', { exact: true }).waitFor();
    const night = cardOf(page, 'Contoso Night');
    await night.getByRole('button', { name: 'Set as Default' }).waitFor();
    await night.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Active').uncheck();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await night.getByText('Inactive', { exact: true }).waitFor();
    await page.getByRole('group', { name: 'Filter themes' }).getByRole('button', { name: 'Active' }).click();
    await page.waitForURL('**/service-integrator/themes?show=active');
    await night.waitFor({ state: 'detached' });
    await expect.poll(() => cards(page).count()).toBe(1);
    await leave(page);
  });

  itAtLength('state before a deletion how many customers lose them, and what replaces them', async () => {
    const partner = await newIntegrator(web.admin, { companyName: 'Fallback Partner' });
    const client = await asIntegrator(web.url, partner);
    const themes = '/api/service-integrator/themes';
    const made = async (themeName: string, displayName: string) =>
      (await client.post(themes, { themeName, displayName, primaryColor: '#0070AD' })).body.theme;
    const [day, night] = [await made('day', 'Day'), await made('night', 'Night')];
    for (const name of ['One', 'Two']) await newCustomer(web.admin, partner.id, { name, theme: 'night' });
    const page = await openAsIntegrator(web, partner, '/service-integrator/themes');
    const dialog = dialogOf(page);
    await cardOf(page, 'Night').getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('2 customers use this theme and will have no theme.').waitFor();
    await dialog.getByText('One and Two', { exact: true }).waitFor();
    await client.post(`${themes}/${day.id}/set-default`);
    await dialog.getByText('2 customers use this theme and will switch to the default theme "Day".').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await toastsOf(page).getByText('Theme deleted successfully!').waitFor();
    const shown = async () => (await client.get('/api/service-integrator/customers')).body.customers;
    await expect.poll(shown).toMatchObject([{ themeDisplayName: 'Day' }, { themeDisplayName: 'Day' }]);
    expect((await client.get(`${themes}/${night.id}`)).status).toBe(404);
    await leave(page);
  });

  itAtLength('are deleted, except the default', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/themes');
    await cardOf(page, 'Contoso Day').getByRole('button', { name: 'Delete' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('Are you sure you want to delete the theme "Contoso Day"? This action cannot be undone.').waitFor();
    await dialog.getByText('This is the default theme. Set another theme as default first.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    expect(await dialog.getByText('will switch to').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await cardOf(page, 'Contoso Night').getByRole('button', { name: 'Delete' }).click();
    // The live feed removes the card and its dialog before the reply arrives.
    await page.route('**/api/service-integrator/themes/*', async (route) => {
      const response = await route.fetch();
      await page.getByText('contoso-night', { exact: true }).waitFor({ state: 'detached' });
      await route.fulfill({ response });
    });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await toastsOf(page).getByText('Theme deleted successfully!').waitFor();
    await cardOf(page, 'Contoso Night').waitFor({ state: 'detached' });
    await leave(page);
  });
});

describe("an integrator's white-label settings", () => {
  itAtLength('show which DNS records the domain needs', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/white-label');
    const domain = page.getByLabel('Custom Domain');
    await domain.waitFor();
    expect(await domain.isDisabled()).toBe(true);
    expect(await page.getByRole('region', { name: 'DNS Setup' }).count()).toBe(0);
    await page.getByRole('switch', { name: 'Enable White-Label' }).check();
    await domain.fill('Licenses.Contoso.Example');
    const dns = page.getByRole('region', { name: 'DNS Setup' });
    await dns.getByText('Propagation can take up to 48 hours.').waitFor();
    const cname = dns.getByRole('region', { name: 'CNAME record' });
    expect(await cname.locator('code').allInnerTexts()).toEqual(['licenses.contoso.example', 'portal.latchkey.example']);
    const txt = dns.getByRole('region', { name: 'TXT record' });
    expect(await txt.locator('code').allInnerTexts()).toEqual([
      '_latchkey.licenses.contoso.example',
      `latchkey-verify=${integrator.id}`,
    ]);
    await leave(page);
  });

  itAtLength('hide a logo that cannot be loaded', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/white-label');
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>';
    await page.route('**/api/service-integrator/logo?url=*good.svg', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: svg }),
    );
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.getByLabel('Logo URL').fill('https://logos.example/good.svg');
    await page.getByRole('img', { name: 'Your logo' }).waitFor();
    const rejected = page.waitForResponse('**/api/service-integrator/logo?url=*bad.svg');
    await page.getByLabel('Logo URL').fill('https://logos.example/bad.svg');
    await page.getByRole('img', { name: 'Your logo' }).waitFor({ state: 'detached' });
    await rejected;
    await drawn(page);
    expect(await page.getByRole('img', { name: 'Your logo' }).count()).toBe(0);
    expect(requests.filter((url) => url.startsWith('https://logos.example'))).toEqual([]);
    await leave(page);
  });

  it('are saved, report it, and reload the page', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/white-label');
    await page.getByRole('switch', { name: 'Enable White-Label' }).check();
    await page.getByLabel('Custom Domain').fill('licenses.contoso.example');
    const again = reloaded(page);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('button', { name: 'Saved!' }).waitFor();
    expect(await profileNow()).toMatchObject({ whiteLabelEnabled: true, customDomain: 'licenses.contoso.example', logoUrl: null });
    await again;
    await page.getByRole('banner').getByText('White-Label Enabled').waitFor();
    await expect.poll(() => page.title()).toBe(`White-Label Settings · ${integrator.companyName}`);
    const { themes } = (await client.get('/api/service-integrator/themes')).body;
    const { primaryColor } = themes.find(({ isDefault }: { isDefault: boolean }) => isDefault);
    const painted = () => page.evaluate(() => document.documentElement.style.getPropertyValue('--chakra-colors-brand-solid'));
    await expect.poll(painted).toBe(primaryColor);
    await page.getByText('Waiting for the TXT record').waitFor();
    const { domainExpiresAt } = await profileNow();
    const lastDay = await page.evaluate(
      (at) => new Date(at ?? '').toLocaleDateString(undefined, { day: 'numeric' }),
      domainExpiresAt,
    );
    const notice = await page.getByText(/Verify the domain by .*, or your claim to it expires/).innerText();
    expect(notice).toContain(lastDay);
    await leave(page);
  });

  it("have the integrator's name in its color instead of a logo of the vendor, also while the session is checked", async () => {
    const other = await newIntegrator(web.admin, { companyName: 'Fabrikam Services' });
    const { put, post } = await asIntegrator(web.url, other);
    await put('/api/service-integrator/white-label', { whiteLabelEnabled: true, customDomain: null, logoUrl: null });
    const theme = {
      themeName: 'own',
      displayName: 'Own',
      primaryColor: '#FFCC00',
      secondaryColor: '#112233',
      accentColor: '#445566',
    };
    expect((await post('/api/service-integrator/themes', { ...theme, isDefault: true })).status).toBe(201);
    const page = await openAsIntegrator(web, other, '/service-integrator/customers');
    const banner = page.getByRole('banner');
    const mark = banner.getByTitle('Fabrikam Services').first();
    const colors = () =>
      mark.evaluate((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color].map((color) => color.trim()));
    await expect.poll(colors).toEqual(['rgb(255, 204, 0)', 'rgb(10, 14, 19)']);
    expect(await banner.locator('img').count()).toBe(0);
    const { released, release } = deferred();
    await page.route('**/api/auth/service-integrator/session', async (route) => {
      await released;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await page.getByRole('main').getByRole('status').getByText('Loading').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Customers' }).waitFor();
    await expect.poll(colors).toEqual(['rgb(255, 204, 0)', 'rgb(10, 14, 19)']);
    expect([await page.getByRole('main').count(), await banner.locator('img').count()]).toEqual([1, 0]);
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await page.setViewportSize(PHONE);
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    release();
    await page.getByRole('heading', { level: 1, name: 'Customers' }).and(page.locator(':not([data-pending])')).waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await leave(page);
  });

  itAtLength('show that the claim to a domain ended, and why', async () => {
    const { db, queries } = web.server.product;
    const { id } = integrator;
    await queries.integrators.markReleased(id, 'licenses.contoso.example', 'expired');
    await client.put('/api/service-integrator/white-label', { whiteLabelEnabled: true, customDomain: null, logoUrl: null });
    const page = await openAsIntegrator(web, integrator, '/service-integrator/white-label');
    await page.getByText(/Your claim to licenses.contoso.example expired on .* was not verified within 7 days/).waitFor();
    await page.getByLabel('Custom Domain').fill('licenses.contoso.example');
    const again = reloaded(page);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await again;
    await page.getByText('Waiting for the TXT record').waitFor();
    expect(await page.getByText('Your claim to licenses').count()).toBe(0);
    await leave(page);
    expect(await db.selectFrom('ops.verified_domain').select('released_at').where('integrator_id', '=', id).execute()).toEqual([
      { released_at: null },
    ]);
  });

  itAtLength('check the TXT record on request, and show why it does not verify the domain', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/white-label');
    const dns = page.getByRole('region', { name: 'DNS Setup' });
    const check = dns.getByRole('button', { name: 'Check now' });
    await check.click();
    await dns.getByRole('status').getByText('The domain licenses.contoso.example does not exist in DNS.').waitFor();
    records.set('_latchkey.licenses.contoso.example', 'latchkey-verify=another-integrator');
    await check.click();
    await dns.getByText('has another value').waitFor();
    await page.route('**/white-label/verify', (route) => route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' }));
    await check.click();
    await toastsOf(page).getByText('Failed to check the domain').waitFor();
    await page.unroute('**/white-label/verify');
    records.set('_latchkey.licenses.contoso.example', `latchkey-verify=${integrator.id}`);
    await check.click();
    await dns.getByText('Verified', { exact: true }).waitFor();
    await check.waitFor({ state: 'detached' });
    await leave(page);
  });

  itAtLength('show what is invalid, and why saving failed', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/white-label');
    await page.getByLabel('Logo URL').fill('http://logos.example/plain.svg');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Must be an https address').waitFor();
    await page.getByLabel('Logo URL').fill('');
    const reply = deferred();
    await page.route('**/white-label', async (route) => {
      await reply.released;
      await route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' });
    });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('button', { name: 'Saving...' }).waitFor();
    reply.release();
    await toastsOf(page).getByText('Failed to save white-label settings').waitFor();
    await leave(page);
  });
});

describeAtLength("an integrator's account settings", () => {
  it('show read-only values, and how a program signs in', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/settings');
    const account = page.getByRole('region', { name: 'Account information' });
    await account.getByText(integrator.masterLicenseKey).waitFor();
    await account.getByText('Active', { exact: true }).waitFor();
    await account.getByText('Account Created').waitFor();
    await page.getByText('Primary contact for technical issues').waitFor();
    await page.getByText('Email for invoices and billing-related communication').waitFor();
    const example = await page.getByRole('region', { name: 'Example calls' }).innerText();
    expect(example).toContain(`${web.url}/api/auth/service-integrator/login`);
    expect(example).not.toContain(integrator.masterLicenseKey);
    for (const name of [/^Documentation/, /^Support/, /^Community chat/]) await page.getByRole('link', { name }).waitFor();
    await leave(page);
  });

  it('are saved, report it, and reload the page', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/settings');
    await page.getByLabel('Billing Email').fill('');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Billing Email is required').waitFor();
    await page.getByLabel('Billing Email').fill('money@contoso.example');
    await page.getByLabel('Company Name').fill('Contoso Group');
    const again = reloaded(page);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('button', { name: 'Saved!' }).waitFor();
    await page.getByRole('banner').getByText('Contoso Group').waitFor();
    await again;
    expect(await profileNow()).toMatchObject({ companyName: 'Contoso Group', billingEmail: 'money@contoso.example' });
    await leave(page);
  });

  it('show why saving failed', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/settings');
    await page.getByLabel('Company Name').fill('Another');
    const problem = { success: false, error: 'The server is busy. Try again in a moment.', code: 'overloaded' };
    const reply = deferred();
    await page.route('**/api/service-integrator/profile', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      await reply.released;
      await route.fulfill({ status: 503, json: problem });
    });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('button', { name: 'Saving...' }).waitFor();
    reply.release();
    await toastsOf(page).getByText('The server is busy.').waitFor();
    expect(await page.getByRole('button', { name: 'Saved!' }).count()).toBe(0);
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
