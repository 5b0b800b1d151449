import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asTool } from '../support/apiClient.ts';
import { overflow, violations } from './support/axe.ts';
import { exportAs, openConsole, seed, type TestConsole } from './support/console.ts';
import { drawn, leave, PHONE } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let northwind: Customer;

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders', 'Tailspin Toys']);
  integrator = seeded.integrator;
  if (!seeded.customers[0]) throw new Error('No customer was made');
  northwind = seeded.customers[0];
  await asTool(web.url, northwind, 'ada');
});
afterAll(() => web.close());

/** The space of a page of paper, in px. */
const A4 = { width: 718, height: 1_047 };
const DAY = String.raw`\d{4}-\d\d-\d\d`;

it('exports each list of administrators, with the filter that is shown', async () => {
  const page = await web.openAsAdmin('/admin/customers?search=tailspin');
  await page.getByText('1 of 1 customers').waitFor();
  const file = await exportAs(page, 'CSV');
  expect(file.suggestedFilename()).toMatch(new RegExp(`^customers-${DAY}\\.csv$`));
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(['Tailspin Toys']);

  for (const [path, choice, name] of [
    ['service-integrators', 'NDJSON', 'service-integrators'],
    ['users', 'Users as CSV', 'users'],
    ['users', 'Machines as NDJSON', 'machines'],
    ['team', 'CSV', 'team'],
    ['team/tokens', 'CSV', 'api-tokens'],
    ['team/sessions', 'NDJSON', 'sessions'],
    ['plans', 'CSV', 'plans'],
    ['themes', 'Custom themes as CSV', 'themes'],
    ['monitoring/alerts', 'Alerts as NDJSON', 'alerts'],
    ['monitoring/alerts', 'Alert rules as CSV', 'alert-rules'],
  ] as const) {
    if (!page.url().endsWith(`/admin/${path}`)) await page.goto(`/admin/${path}`);
    const exported = await exportAs(page, choice);
    expect(exported.suggestedFilename()).toMatch(new RegExp(`^${name}-${DAY}\\.(csv|ndjson)$`));
  }

  await page.goto('/admin/users');
  const menu = page.getByRole('button', { name: 'Export', exact: true });
  await page.setViewportSize(PHONE);
  await drawn(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await menu.click();
    await page.getByRole('button', { name: 'Machines as CSV' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.keyboard.press('Escape');
    expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  const fail = async (address: string, route: Parameters<typeof page.route>[1], error: string): Promise<void> => {
    await page.route(address, route);
    await menu.click();
    await page.getByRole('button', { name: 'Users as CSV' }).click();
    await page.getByText(error).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
    await page.getByText(error).waitFor({ state: 'detached' });
    await page.unroute(address);
  };
  await fail('**/api/downloads', (route) => route.abort(), 'Failed to export the list');
  await fail('**/api/downloads/*', (route) => route.abort(), 'Failed to export the list');
  const busy = { success: false, code: 'unavailable', error: 'The server is busy. Try again.' };
  await fail('**/api/downloads/*', (route) => route.fulfill({ status: 503, json: busy }), busy.error);
  await page.context().clearCookies({ name: 'latchkey_download' });
  await fail(
    '**/api/downloads/*',
    async (route) => {
      await page.context().clearCookies({ name: 'latchkey_admin' });
      await route.continue();
    },
    'Please sign in',
  );
  await leave(page);
});

it('exports the lists of service integrators and of customers, named by them', async () => {
  const page = await openAsIntegrator(web, integrator, '/service-integrator/customers?search=northwind');
  const file = await exportAs(page, 'NDJSON');
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).name)).toEqual(['Northwind Traders']);
  await page.goto('/service-integrator/themes?show=active');
  expect((await exportAs(page, 'CSV')).suggestedFilename()).toMatch(new RegExp(`^themes-contoso-partners-${DAY}\\.csv$`));
  await leave(page);

  const portal = await openAsCustomer(web, northwind, '/portal/users');
  const users = await exportAs(portal, 'Machines as CSV');
  expect(users.suggestedFilename()).toMatch(new RegExp(`^machines-northwind-traders-${DAY}\\.csv$`));
  expect(await readFile(await users.path(), 'utf8')).toContain(',ada,');

  await portal.goto('/portal/credentials');
  const credentials = await exportAs(portal, 'CSV');
  expect(credentials.suggestedFilename()).toMatch(new RegExp(`^credentials-northwind-traders-${DAY}\\.csv$`));

  await portal.goto('/portal/usage');
  await portal.getByRole('button', { name: 'Export', exact: true }).click();
  await portal.getByRole('button', { name: 'Monthly statement' }).click();
  const dialog = portal.getByRole('dialog', { name: 'Monthly statement' });
  const month = new Date().toISOString().slice(0, '2026-01'.length);
  await dialog.getByLabel('Month').selectOption(month);
  const saved = portal.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const statement = await saved;
  expect(statement.suggestedFilename()).toBe(`statement-${month}.json`);
  const { signed, ...content } = JSON.parse(await readFile(await statement.path(), 'utf8'));
  expect([content.statement.customer.name, signed.split('.').length]).toEqual(['Northwind Traders', 3]);
  await dialog.waitFor({ state: 'detached' });

  await portal.setViewportSize(PHONE);
  await portal.getByRole('button', { name: 'Export', exact: true }).click();
  await portal.getByRole('button', { name: 'Monthly statement' }).click();
  await dialog.getByLabel('Format').selectOption('html');
  for (const colorScheme of ['light', 'dark'] as const) {
    await portal.emulateMedia({ colorScheme });
    expect([await violations(portal), await overflow(portal)]).toEqual([[], 0]);
  }
  const printed = portal.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  expect((await printed).suggestedFilename()).toMatch(/^statement-northwind-traders-.*\.html$/);
  await leave(portal);
});

it('downloads the statement of all customers of a service integrator', async () => {
  const page = await openAsIntegrator(web, integrator, '/service-integrator/usage');
  const month = new Date().toISOString().slice(0, '2026-01'.length);
  const dialog = page.getByRole('dialog', { name: 'Monthly statement' });
  const statementAs = async (of: typeof page, format: string): Promise<[name: string, content: string]> => {
    await of.getByRole('button', { name: 'Monthly statement' }).click();
    const form = of.getByRole('dialog', { name: 'Monthly statement' });
    await form.getByText(/of all customers/).waitFor();
    await form.getByLabel('Month').selectOption(month);
    await form.getByLabel('Format').selectOption(format);
    const saved = of.waitForEvent('download');
    await form.getByRole('button', { name: 'Download' }).click();
    const file = await saved;
    await form.waitFor({ state: 'detached' });
    return [file.suggestedFilename(), await readFile(await file.path(), 'utf8')];
  };
  const usage = await exportAs(page, 'CSV');
  expect(usage.suggestedFilename()).toMatch(/^usage-contoso-partners-.*\.csv$/);
  expect(await readFile(await usage.path(), 'utf8')).toContain('\r\nday,');
  const [name, csv] = await statementAs(page, 'csv');
  expect(name).toMatch(new RegExp(`^statement-.+-${month}\\.csv$`));
  expect(csv).toContain(',Northwind Traders,ENT,active,');

  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: 'Monthly statement' }).focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
  }
  await leave(page);

  const admin = await web.openAsAdmin(`/admin/service-integrators/${integrator.id}`);
  const [, html] = await statementAs(admin, 'html');
  expect(html).toContain('<td>Northwind Traders</td>');
  await leave(admin);
});

it('prints all pages of a list', async () => {
  const names = Array.from({ length: 30 }, (_, nr) => `Alpine Ski House ${nr}`);
  const { customers } = await seed(web.admin, names, 'Alpine Partners');
  const page = await web.openAsAdmin('/admin/customers?search=alpine');
  const rows = page.locator('tbody tr');
  await page.getByText('25 of 30 customers').waitFor();
  await page.evaluate(() => {
    window.print = () => {
      document.title = `printed ${document.querySelectorAll('tbody tr').length}`;
    };
  });
  const print = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('group', { name: 'Export' }).getByRole('button', { name: 'Print', exact: true }).click();
  };
  await print();
  await expect.poll(() => page.title()).toBe('printed 30');
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByText('Not all customers are printed').isVisible()).toBe(false);
  expect(await page.getByRole('link', { name: 'Plans' }).isVisible()).toBe(false);
  const [head, table] = [
    await page.locator('[data-page-actions]').boundingBox(),
    page.getByRole('region', { name: 'Customers table' }),
  ];
  expect(head).toBeNull();
  const card = await table.locator('xpath=..').boundingBox();
  expect(((await table.boundingBox())?.y ?? 0) - (card?.y ?? 0)).toBeLessThan(8); // no empty row of filters
  expect(await page.getByRole('columnheader', { name: 'Customer', exact: true }).isVisible()).toBe(true);
  const screen = page.viewportSize() ?? PHONE;
  await page.setViewportSize(A4);
  await expect.poll(() => page.getByRole('columnheader', { name: 'Last call' }).isVisible()).toBe(true);
  const cut = (): Promise<string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter((one) => getComputedStyle(one).overflow !== 'visible' && one.scrollWidth > one.clientWidth + 1)
        .map((one) => `${one.className} ${one.textContent}`),
    );
  expect([await cut(), await overflow(page)]).toEqual([[], 0]);
  await page.setViewportSize(screen);
  expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
  await expect.poll(() => rows.count()).toBe(25);

  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('5 of 30 customers').waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.getByText('Not all customers are printed').waitFor();
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => {
    document.title = '';
  });
  await page.keyboard.press('Control+p');
  await expect.poll(() => page.title()).toBe('printed 30');
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect.poll(() => rows.count()).toBe(5);

  const all = /customers\?.*limit=500/;
  await page.route(all, (route) => route.abort());
  await print();
  await page.getByText('Failed to load all pages, so nothing was printed. Try again.').waitFor();
  expect(await rows.count()).toBe(5);
  await page.unroute(all);
  const one = { success: true, customers: [customers[0]], total: 120, counts: {}, nextCursor: 'more' };
  await page.route(all, (route) => route.fulfill({ json: one }));
  await print();
  await page.emulateMedia({ media: 'print' });
  await page.getByText('100 of 120 customers').waitFor();
  expect(await page.getByText('Not all customers are printed').isVisible()).toBe(true);
  await leave(page);
});
