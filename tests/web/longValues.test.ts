import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import {
  MAX_DESCRIPTION,
  MAX_DISPLAY_NAME,
  MAX_EMAIL,
  MAX_MACHINE_ID,
  MAX_NAME,
  MAX_THEME_NAME,
  MAX_URL,
  MAX_USERNAME,
} from '../../src/domain/limits.ts';
import { asCustomer, asIntegrator, clientOf, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { overflow } from './support/axe.ts';
import { clippedTexts } from './support/clipping.ts';
import { dialogOf, openConsole, type TestConsole, titleOf } from './support/console.ts';
import { leave, loaded } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

/** Wide letters without a space, so that no line breaks. */
const long = (length: number): string => 'W'.repeat(length);
const padded = (start: string, end: string, length: number): string =>
  `${start}${'w'.repeat(length - start.length - end.length)}${end}`;

/** Addresses have at most 64 characters before the @ and 63 between dots. */
const email = `${'w'.repeat(64)}@${'w'.repeat(63)}.${'w'.repeat(63)}.${'w'.repeat(MAX_EMAIL - 64 - 1 - 128 - 8)}.example`;
const domain = `${'w'.repeat(63)}.${'w'.repeat(63)}.${'w'.repeat(63)}.${'w'.repeat(253 - 192 - 8)}.example`;
const name = long(MAX_NAME);

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;

const mustSucceed = async (reply: Promise<{ status: number; body: unknown }>): Promise<void> => {
  const { status, body } = await reply;
  if (status >= 300) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
};

/** Every text that a user may enter, at its maximum length. */
beforeAll(async () => {
  web = await openConsole();
  integrator = await newIntegrator(web.admin, { companyName: name, contactEmail: email, billingEmail: email });
  const partner = await asIntegrator(web.url, integrator);
  const logoUrl = padded('https://logos.example/', '.png', MAX_URL);
  await mustSucceed(partner.put('/api/service-integrator/white-label', { whiteLabelEnabled: true, customDomain: domain, logoUrl }));
  const themeName = 'w'.repeat(MAX_THEME_NAME);
  await mustSucceed(
    partner.post('/api/service-integrator/themes', {
      themeName,
      displayName: long(MAX_DISPLAY_NAME),
      description: long(MAX_DESCRIPTION),
      primaryColor: '#0070AD',
      isDefault: true,
    }),
  );
  customer = await newCustomer(web.admin, integrator.id, { name, company: name, contactEmail: email, theme: themeName });
  const machineId = long(MAX_MACHINE_ID);
  const login = { licenseKey: customer.licenseKey, username: long(MAX_USERNAME), email, machineId };
  const tool = await clientOf(web.url).post('/api/cli/login', login);
  await mustSucceed(Promise.resolve(tool));
  const instanceUrl = padded('https://instance.example/', '/end', MAX_URL);
  const call = { service: 'jira', instanceUrl, operation: long(200), status: 500, durationMs: 5 };
  await mustSucceed(
    clientOf(web.url, { authorization: `Bearer ${tool.body.token}` }).post('/api/cli/api-calls', {
      sourceId: 'long',
      firstSequence: 1,
      calls: [call],
    }),
  );
  const portal = await asCustomer(web.url, customer);
  await mustSucceed(
    portal.post('/api/credentials/store', {
      service: 'jira',
      instanceUrl: padded('https://127.0.0.1:1/', '/end', MAX_URL),
      username: long(MAX_EMAIL),
      password: 'secret',
    }),
  );
  for (const owner of [web.admin, partner]) await mustSucceed(owner.post('/api/team/members', { name, email, role: 'auditor' }));
  await mustSucceed(portal.post('/api/customer/request-deletion'));
  await mustSucceed(
    web.admin.put(`/api/admin/customers/${customer.id}`, { name: `${name.slice(1)}V`, contactEmail: email, company: name }),
  );
});
afterAll(() => web.close());

const sizes = [
  ['1,280 px', { width: 1280, height: 800 }],
  ['390 px', { width: 390, height: 844 }],
] as const;

/** The errors of the page: texts that are cut off without a title, and horizontal scrolling. */
const layoutFaultsOf = async (page: Page): Promise<string[]> => {
  const wide = await overflow(page);
  return [...(await clippedTexts(page)), ...(wide > 0 ? [`${wide} px wider than the window`] : [])];
};

/** Opens each address in one page, scrolls to its end, and returns the errors. */
const walk = async (page: Page, paths: readonly string[]): Promise<Record<string, string[]>> => {
  const found: Record<string, string[]> = {};
  for (const path of paths) {
    await page.goto(path);
    await loaded(page);
    const faults = await layoutFaultsOf(page);
    if (faults.length > 0) found[path] = faults;
  }
  await leave(page);
  return found;
};

describe.each(sizes)('texts of maximum length at %s', (_width, viewport) => {
  const options: BrowserContextOptions = { viewport };

  it('fit the administrators’ screens', async () => {
    const paths = [
      '/admin/dashboard',
      '/admin/customers',
      `/admin/customers/${customer.id}`,
      '/admin/service-integrators',
      `/admin/service-integrators/${integrator.id}`,
      '/admin/team',
      '/admin/account',
    ];
    expect(await walk(await web.openAsAdmin('/admin/dashboard', options), paths)).toEqual({});
  });

  it('fit the service integrators’ screens', async () => {
    const screens = [
      'dashboard',
      'customers',
      `customers/${customer.id}`,
      'users',
      'themes',
      'white-label',
      'settings',
      'team',
      'account',
    ];
    const paths = screens.map((screen) => `/service-integrator/${screen}`);
    expect(await walk(await openAsIntegrator(web, integrator, '/service-integrator/dashboard', options), paths)).toEqual({});
  });

  it('fit the portal’s screens', async () => {
    const paths = ['dashboard', 'credentials', 'usage', 'users', 'profile'].map((screen) => `/portal/${screen}`);
    expect(await walk(await openAsCustomer(web, customer, '/portal/dashboard', options), paths)).toEqual({});
  });

  it('fit the dialogs that delete and suspend', async () => {
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`, options);
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialogOf(page).getByRole('textbox').waitFor();
    expect(await layoutFaultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit customer' }).click();
    await dialogOf(page).getByLabel('Status').selectOption('suspended');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByRole('alertdialog').getByRole('list', { name: 'Effects' }).waitFor();
    expect(await layoutFaultsOf(page)).toEqual([]);
    await leave(page);
  });

  it('fit the search', async () => {
    const page = await web.openAsAdmin('/admin/dashboard', options);
    await titleOf(page).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('WWWW');
    await page.getByRole('option').first().waitFor();
    expect(await layoutFaultsOf(page)).toEqual([]);
    await leave(page);
  });
});
