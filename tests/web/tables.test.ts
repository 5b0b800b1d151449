import { readFile } from 'node:fs/promises';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { HistoryEntry } from '../../src/contracts/history.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asTool } from '../support/apiClient.ts';
import { until } from '../support/eventually.ts';
import { describeAtLength, itAtLength } from '../support/tiers.ts';
import { overflow, structureViolations, tooWideTables, violations } from './support/axe.ts';
import { clippedTexts } from './support/clipping.ts';
import { dialogOf, openConsole, seed, type TestConsole, titleOf } from './support/console.ts';
import { EMPTY_PAGE, leave, navigate, PHONE, quiet, TABLET } from './support/pages.ts';
import { openAsIntegrator } from './support/tokens.ts';

const WIDE = { width: 1920, height: 1080 };
const names = ['Northwind Traders', 'Aperture Robotics', 'Blue Harbor Bank', '=Cobalt; Systems'];

let web: TestConsole;
let integrator: ServiceIntegrator;
let customers: Customer[];

beforeAll(async () => {
  web = await openConsole();
  ({ integrator, customers } = await seed(web.admin, names));
});
afterAll(() => web.close());

const customerOf = (name: string): Customer => {
  const customer = customers.find((one) => one.name === name);
  if (!customer) throw new Error(`No customer ${name} was made`);
  return customer;
};
const statusOf = async (name: string): Promise<string> =>
  (await web.admin.get(`/api/admin/customers/${customerOf(name).id}`)).body.customer.status;

const tableOf = (page: Page, name = 'Customers table') => page.getByRole('region', { name, exact: true });
const rowsOf = (page: Page, name?: string) => tableOf(page, name).locator('tbody tr');
const headersOf = (page: Page) => page.getByRole('columnheader').allInnerTexts();
const focusedRow = (page: Page) => page.locator('[data-row]:focus');
const selectedOf = (page: Page) => page.getByRole('region', { name: 'Selected', exact: true });
const select = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).check();

describe('a row', () => {
  it('opens by a click and by the keyboard, and is selected by x', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await rowsOf(page).nth(3).waitFor();
    await rowsOf(page).nth(3).getByText('Active').click();
    await page.waitForURL(`**/admin/customers/${customerOf('Northwind Traders').id}`);
    await page.getByRole('heading', { level: 1, name: 'Northwind Traders' }).waitFor();
    await page.goBack();
    await rowsOf(page).nth(3).waitFor();
    await page.locator('#main:focus').waitFor();
    const moved: string[] = [];
    for (const key of ['j', 'j', 'j', 'k']) {
      await page.keyboard.press(key);
      moved.push(await focusedRow(page).getByRole('link').first().innerText());
    }
    expect(moved).toEqual(['=Cobalt; Systems', 'Blue Harbor Bank', 'Aperture Robotics', 'Blue Harbor Bank']);
    await page.keyboard.press('x');
    await selectedOf(page).getByText('1 selected').waitFor();
    await page.getByRole('checkbox', { name: 'Select Blue Harbor Bank', checked: true }).waitFor();
    await page.getByLabel('Search customers').pressSequentially('j');
    expect(await page.getByLabel('Search customers').inputValue()).toBe('j');
    await page.getByLabel('Search customers').fill('');
    await rowsOf(page).nth(1).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/admin/customers/${customerOf('Blue Harbor Bank').id}`);
    await leave(page);
  });

  itAtLength('has figures that open what they count, and copies its key', async () => {
    const page = await web.openAsAdmin('/admin/customers?search=aperture');
    const { id, licenseKey } = customerOf('Aperture Robotics');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy license key of Aperture Robotics' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(licenseKey);
    expect(new URL(page.url()).pathname).toBe('/admin/customers');
    await page.getByRole('link', { name: '0 API calls' }).click();
    await page.waitForURL(`**/admin/monitoring/calls?customer=${id}`);
    await page.goto('/admin/dashboard');
    await page.getByRole('link', { name: 'Active Customers' }).click();
    await page.waitForURL('**/admin/customers?status=active');
    await page.goto('/admin/service-integrators');
    await page.getByRole('link', { name: '4 customers' }).click();
    await page.getByRole('button', { name: 'Remove the filter Service integrator: Contoso Partners' }).click();
    await page.waitForURL('**/admin/customers');
    await leave(page);
  });
});

describeAtLength('the view of a table', () => {
  it('has the columns, the density and the filters that the user chose, also after a sign-out', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await rowsOf(page).first().waitFor();
    for (const [header, sort] of [
      ['Developer seats', 'heldDeveloperSeats'],
      ['Stakeholder seats', 'heldStakeholderSeats'],
      ['Last call', 'lastCall'],
      ['API calls', 'totalApiCalls'],
    ] as const) {
      await page.getByRole('columnheader', { name: header, exact: true }).getByRole('button').click();
      await page.waitForURL(`**/admin/customers?sort=-${sort}`);
      await page.locator('th[aria-sort=descending]', { hasText: header }).waitFor();
    }
    await page.getByRole('button', { name: 'View' }).click();
    const panel = page.getByRole('group', { name: 'View' });
    await panel.getByLabel('License key').uncheck();
    await panel.getByLabel('Theme').check();
    await panel.getByLabel('Developer seats used').check();
    await panel.getByRole('button', { name: 'Compact' }).click();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    const shown = [
      '',
      'Customer',
      'Status',
      'Developer seats',
      'Stakeholder seats',
      'API calls',
      'Last call',
      'Developer seats used',
      'Theme',
    ];
    await expect.poll(() => headersOf(page)).toEqual(shown);
    await page.getByRole('columnheader', { name: 'Developer seats used' }).getByRole('button').click();
    await page.waitForURL('**/admin/customers?sort=-developerUtilization');
    await page.locator('th[aria-sort=descending]', { hasText: 'Developer seats used' }).waitFor();
    await page.getByRole('columnheader', { name: 'API calls' }).getByRole('button').click();
    await page.waitForURL('**/admin/customers?sort=-totalApiCalls');
    const height = (await rowsOf(page).first().boundingBox())?.height ?? 0;
    expect(height).toBeLessThan(48);

    await page.getByRole('button', { name: 'Saved filters' }).click();
    await page.getByLabel('Name of the current filter').fill('Busiest');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Busiest', exact: true }).waitFor();
    expect(await structureViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.getByLabel('Admin Key').waitFor();
    await leaveSignedOut(page);
  });

  const leaveSignedOut = async (page: Page): Promise<void> => {
    const stored = await page.evaluate(() =>
      Object.entries(localStorage).map(([key, text]) => [key.replace(/\.\w+\./, ' '), text]),
    );
    expect(Object.fromEntries(stored)).toEqual({
      'preference table.customers': JSON.stringify({
        columns: { 'License key': false, Theme: true, 'Developer seats used': true },
        isCompact: true,
      }),
      'preference filters.customers': JSON.stringify([{ name: 'Busiest', search: 'sort=-totalApiCalls' }]),
    });
    const again = await web.openAsAdmin('/admin/customers', { storage: await page.evaluate(() => ({ ...localStorage })) });
    await rowsOf(again).first().waitFor();
    await expect.poll(() => headersOf(again)).toContain('Theme');
    await again.getByRole('button', { name: 'Saved filters' }).click();
    await again.getByRole('button', { name: 'Busiest', exact: true }).click();
    await again.waitForURL('**/admin/customers?sort=-totalApiCalls');
    await leave(again);
    await leave(page);
  };
});

describeAtLength('on a tablet', () => {
  const fits = async (page: Page, paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      await navigate(page, path);
      await rowsOfAny(page).waitFor();
      await quiet(page);
      expect([path, await tooWideTables(page)]).toEqual([path, []]);
    }
  };
  const rowsOfAny = (page: Page) => page.locator('main table tbody tr').first();

  it('tables leave out what is less important instead of scrolling sideways', async () => {
    const page = await web.openAsAdmin('/admin/dashboard', { viewport: TABLET });
    await rowsOfAny(page).waitFor();
    await fits(page, ['/admin/customers', '/admin/monitoring/alerts', '/admin/team/sign-ins', '/admin/team/sessions']);
    const signIn = page.getByRole('region', { name: 'Sign-ins table' }).locator('tbody tr').first();
    await navigate(page, '/admin/team/sign-ins');
    await signIn.getByText('Key', { exact: true }).first().waitFor();
    await navigate(page, '/admin/customers');
    await rowsOf(page).first().waitFor();
    const header = page.getByRole('columnheader', { name: 'Stakeholder seats' });
    expect(await header.isVisible()).toBe(false);
    await page.setViewportSize({ width: 1440, height: 900 });
    await header.waitFor();
    await leave(page);
    const own = await openAsIntegrator(web, integrator, '/service-integrator/dashboard', { viewport: TABLET });
    await rowsOfAny(own).waitFor();
    await fits(own, ['/service-integrator/dashboard', '/service-integrator/team/sign-ins']);
    expect(await clippedTexts(own)).toEqual([]);
    await leave(own);
  });
});

describe('selected customers', () => {
  it('are suspended after a preview, each with its result, and a failed one is tried again with the same idempotency key', async () => {
    await asTool(web.url, customerOf('Northwind Traders'), 'ada');
    await web.admin.put(`/api/admin/customers/${customerOf('Aperture Robotics').id}`, {
      name: 'Aperture Robotics',
      contactEmail: 'it@acme.example',
      status: 'suspended',
    });
    const cobalt = customerOf('=Cobalt; Systems');
    const setCobalt = (status: string) =>
      web.admin.put(`/api/admin/customers/${cobalt.id}`, { name: cobalt.name, contactEmail: cobalt.contactEmail, status });
    await setCobalt('churned');
    const page = await web.openAsAdmin('/admin/customers', { viewport: WIDE });
    await rowsOf(page).first().waitFor();
    expect(await overflow(page)).toBe(0);
    for (const name of names) await select(page, name);
    await selectedOf(page).getByText('4 selected').waitFor();
    expect(await violations(page)).toEqual([]);
    const keys: (string | undefined)[] = [];
    const harbor = `**/api/admin/customers/${customerOf('Blue Harbor Bank').id}`;
    await page.route(harbor, (route, request: Request) => {
      if (request.method() !== 'PUT') return route.continue();
      keys.push(request.headers()['idempotency-key']);
      return keys.length > 1
        ? route.continue()
        : route.fulfill({ status: 500, json: { error: 'The server failed', code: 'internal' } });
    });
    await selectedOf(page).getByRole('button', { name: 'Suspend' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText("1 user can't sign in until you reactivate their customers.").waitFor();
    await dialog.getByText('ada (Northwind Traders)').waitFor();
    await dialog.getByText('2 need no change and are skipped.').waitFor(); // one is suspended, one has churned
    await dialog.getByLabel('Reason').fill('Unpaid invoice');
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Suspend 2 customers' }).click();
    await dialog.getByText('1 of 2 done, 1 failed').waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'Blue Harbor Bank' }).getByText('The server failed').waitFor();
    expect(await statusOf('Northwind Traders')).toBe('suspended');
    await dialog.getByRole('button', { name: 'Try 1 again' }).click();
    await dialog.getByText('2 of 2 done', { exact: true }).waitFor();
    expect([await statusOf('Blue Harbor Bank'), keys.length, new Set(keys).size]).toEqual(['suspended', 2, 1]);
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await selectedOf(page).getByText('2 selected').waitFor();
    const history = await web.admin.get(`/api/admin/customers/${customerOf('Blue Harbor Bank').id}/history`);
    expect(JSON.stringify(history.body)).toContain('Unpaid invoice');
    await setCobalt('active');
    await leave(page);
  });

  itAtLength('are exported with what a spreadsheet cannot take for a formula', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      selectedOf(page).getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^customers-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.split('\r\n')).toHaveLength(names.length + 2);
    expect(text).toContain(`"'=Cobalt; Systems"`);
    expect(text).toContain(customerOf('Northwind Traders').licenseKey);
    await leave(page);
  });

  itAtLength('can be selected on a phone', async () => {
    const page = await web.openAsAdmin('/admin/customers', { viewport: PHONE });
    await select(page, 'Northwind Traders');
    await selectedOf(page).getByText('1 selected').waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await structureViolations(page)).toEqual([]);
    await leave(page);
  });
});

describeAtLength('an integrator', () => {
  it('sees its customers as a table once it chose that, and gives the selected ones a theme', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/customers');
    await page.getByRole('list', { name: 'Customers' }).waitFor();
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await rowsOf(page, 'Customers').first().waitFor();
    await page.reload();
    await rowsOf(page, 'Customers').first().waitFor();
    for (const name of names.slice(0, 2)) await select(page, name);
    await selectedOf(page).getByRole('button', { name: 'Assign theme' }).click();
    const dialog = dialogOf(page);
    expect(await dialog.getByRole('button', { name: 'Assign to 2 customers' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Theme').selectOption({ label: 'Aurora' });
    await dialog.getByText('None becomes Aurora').first().waitFor();
    await dialog.getByRole('button', { name: 'Assign to 2 customers' }).click();
    await dialog.getByText('2 of 2 done', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    const { body } = await web.admin.get(`/api/admin/customers/${customerOf('Northwind Traders').id}`);
    expect(body.customer.theme).toBe('aurora');
    const togetherChanged = async (): Promise<string[]> =>
      (await web.admin.get('/api/admin/audit?types=BulkChangeFinished')).body.entries.map(({ summary }: HistoryEntry) => summary);
    await until(async () => (await togetherChanged())[0] === 'Changed the theme of 2 customers');

    // The page is left before the second one is changed.
    for (const name of names.slice(0, 2)) await select(page, name);
    await selectedOf(page).getByRole('button', { name: 'Assign theme' }).click();
    await dialog.getByLabel('Theme').selectOption({ label: 'None' });
    await page.route(`**/api/themes/customer/${customerOf('Northwind Traders').id}/theme`, () => undefined);
    await dialog.getByRole('button', { name: 'Assign to 2 customers' }).click();
    await dialog.getByText('1 of 2 done', { exact: true }).waitFor();
    await page.goto(EMPTY_PAGE);
    await until(async () => (await togetherChanged())[0] === 'Changed the theme of 1 customer');
    await page.goto('/service-integrator/customers');
    await rowsOf(page, 'Customers').filter({ hasText: 'Northwind' }).getByText('Suspended').click();
    await page.waitForURL(`**/service-integrator/customers/${customerOf('Northwind Traders').id}`);
    await leave(page);
  });

  it('filters its users by customer, and sees one beside the table', async () => {
    await web.admin.put(`/api/admin/customers/${customerOf('Aperture Robotics').id}`, {
      name: 'Aperture Robotics',
      contactEmail: 'it@acme.example',
      status: 'active',
    });
    for (const username of ['bob', 'eve']) await asTool(web.url, customerOf('Aperture Robotics'), username);
    const page = await openAsIntegrator(web, integrator, '/service-integrator/users');
    await page.getByRole('button', { name: /^All \d/ }).waitFor();
    await page.getByRole('combobox', { name: 'Customer' }).fill('aper');
    await page.getByRole('option', { name: 'Aperture Robotics' }).click();
    await page.waitForURL(`**/service-integrator/users?customer=${customerOf('Aperture Robotics').id}`);
    await page.getByRole('button', { name: 'All 2' }).waitFor();
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await rowsOf(page, 'Users').nth(1).waitFor();
    await rowsOf(page, 'Users').filter({ hasText: 'eve@' }).getByText('Active').click();
    await dialogOf(page).getByRole('button', { name: 'Suspend eve' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await selectedOf(page).getByRole('button', { name: 'Deactivate' }).click();
    const effects = dialogOf(page).getByRole('list', { name: 'Effects' });
    await effects.getByText("2 users can't sign in until you activate them.").waitFor();
    await effects.getByText(/^(bob and eve|eve and bob)$/).waitFor();
    await effects.getByText('2 developer seats will be released.').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialogOf(page).getByRole('button', { name: 'Deactivate 2 users' }).click();
    await dialogOf(page).getByText('2 of 2 done', { exact: true }).waitFor();
    await dialogOf(page).getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('button', { name: 'Inactive 2' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await titleOf(page).waitFor();
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
