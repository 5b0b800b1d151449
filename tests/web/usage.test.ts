import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { asTool, newCustomer, type Tool } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { IS_AT_LENGTH, itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { exportAs, openConsole, seed, type TestConsole, titleOf } from './support/console.ts';
import { leave, loaded, PHONE } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

const COLOMBO = { timezoneId: 'Asia/Colombo' };

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;

/** An instant at which it is 02:15 of today in Colombo, and yesterday in UTC; `daysAgo` days before. */
const nightOf = (daysAgo: number): string => {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Colombo', dateStyle: 'short' }).format(Date.now());
  return new Date(Date.parse(`${today}T02:15:00+05:30`) - daysAgo * DAY_MS).toISOString();
};

const record = async (tool: Tool, operation: string, daysAgo: number, count: number, status = 200): Promise<void> => {
  const call = { service: 'jira', instanceUrl: 'https://acme.example', operation, status, durationMs: 120, at: nightOf(daysAgo) };
  const sent = { sourceId: `${operation} ${daysAgo}`, firstSequence: 1, calls: Array.from({ length: count }, () => call) };
  expect((await tool.post('/api/cli/api-calls', sent)).body.accepted).toBe(count);
};

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders']);
  integrator = seeded.integrator;
  customer = seeded.customers[0] as Customer;
  const [ada, bob] = [await asTool(web.url, customer, 'ada'), await asTool(web.url, customer, 'bob')];
  await record(ada, 'GET:/issue', 1, 30);
  await record(ada, 'POST:/comment', 1, 6, 503);
  await record(bob, 'GET:/board', 2, 12);
  for (let index = 0; index < 12; index++) await record(bob, `GET:/thing-${index}`, 3, 1);
  await record(bob, 'GET:/issue', 10, 9);
  await eventually(
    async () => (await web.admin.get(`/api/admin/customers/${customer.id}`)).body.customer.totalApiCalls,
    (calls) => calls === 69,
  );
});
afterAll(() => web.close());

const statOf = (page: Page, label: string) => page.locator(`[data-stat="${label}"]`).first();
const partsOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('the usage of a customer', () => {
  it('is shown in the viewer’s time zone, which the address names, with breakdowns that lead to the calls', async () => {
    const page = await openAsCustomer(web, customer, '/portal/usage?days=7', COLOMBO);
    await statOf(page, 'Total API calls').getByText('60', { exact: true }).waitFor();
    await page.waitForURL(/zone=Asia%2FColombo/);
    await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('Asia/Colombo');
    await page.getByText('Days are in Asia/Colombo.').first().waitFor();
    const week = page.getByRole('table', { name: 'API calls by hour of the week' });
    const day = new Intl.DateTimeFormat('en', { timeZone: 'Asia/Colombo', weekday: 'long' }).format(Date.parse(nightOf(1)));
    await week.getByTitle(`${day} 02:00: 36 calls, 6 failed`).waitFor();

    const operations = partsOf(page, 'Operations');
    const rows = operations.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(11);
    await operations.getByRole('row', { name: /All others.*5/ }).waitFor();
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => rows.count()).toBe(15);
    await page.emulateMedia({ media: 'screen' });
    await expect.poll(() => rows.count()).toBe(11);
    await operations.getByRole('button', { name: 'Show all 15' }).click();
    await expect.poll(() => rows.count()).toBe(15);
    await partsOf(page, 'Users')
      .getByRole('row', { name: /ada.*36.*60\.0%.*16\.7%/ })
      .waitFor();
    await partsOf(page, 'Services')
      .getByRole('row', { name: /Jira.*60.*100\.0%/ })
      .waitFor();
    await partsOf(page, 'Error reasons')
      .getByRole('row', { name: /503.*6.*100\.0%/ })
      .waitFor();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('switch', { name: 'Compare with previous period' }).press('Space');
    await page.waitForURL(/compare=previous/);
    await page.getByRole('article', { name: 'Total API calls' }).getByText('9 before').waitFor();
    await page.getByText('Previous period', { exact: true }).nth(1).waitFor();
    const compared = page.locator('.recharts-line-curve[stroke-dasharray="4 3"]');
    await expect.poll(() => compared.count()).toBe(3);
    await statOf(page, 'p95')
      .getByText(/^\d+ ms before$/)
      .waitFor();
    expect(await violations(page)).toEqual([]);

    await page.getByLabel('Time zone').selectOption('UTC');
    await page.waitForURL(/zone=UTC/);
    const utcDay = new Intl.DateTimeFormat('en', { timeZone: 'UTC', weekday: 'long' }).format(Date.parse(nightOf(1)));
    await week.getByTitle(`${utcDay} 20:00: 36 calls, 6 failed`).waitFor();

    if (IS_AT_LENGTH) {
      // Parts limit each other, and the calls that are listed.
      await partsOf(page, 'Users').getByRole('button', { name: 'Show only ada' }).click();
      await statOf(page, 'Total API calls').getByText('36', { exact: true }).waitFor();
      await expect.poll(() => rows.count()).toBe(2);
      await operations.getByRole('button', { name: 'Show only POST:/comment' }).click();
      await page.waitForURL(/user=[-0-9a-f]+&operation=POST/);
      await statOf(page, 'Total API calls').getByText('6', { exact: true }).waitFor();
      await week.getByTitle(`${utcDay} 20:00: 6 calls, 6 failed`).waitFor();
      await page.getByRole('article', { name: 'Total API calls' }).getByText('0 before').waitFor();
      expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
      await page.getByRole('button', { name: 'Remove the filter Operation: POST:/comment' }).click();
      await page.getByRole('button', { name: 'Show only https://acme.example' }).first().click();
      await statOf(page, 'Total API calls').getByText('36', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await statOf(page, 'Total API calls').getByText('60', { exact: true }).waitFor();
    }
    await partsOf(page, 'Users').getByRole('button', { name: 'Show only ada' }).click();
    await page.getByRole('button', { name: 'Remove the filter User: ada' }).waitFor();

    await partsOf(page, 'Error reasons').getByRole('link', { name: 'Show the calls of 503' }).click();
    await page.waitForURL(/\/portal\/usage\/calls\?.*user=.*status=503/);
    await page.getByText('6 API calls').waitFor();
    await leave(page);
  });

  itAtLength('is shown for any days, exported as it is shown, and fits a phone', async () => {
    const dayOf = (daysAgo: number): string =>
      new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Colombo', dateStyle: 'short' }).format(Date.parse(nightOf(daysAgo)));
    const page = await openAsCustomer(web, customer, '/portal/usage', { ...COLOMBO, acceptDownloads: true });
    await page.getByRole('button', { name: 'Custom' }).click();
    await page.getByLabel('From', { exact: true }).fill(dayOf(11));
    await page.getByLabel('To', { exact: true }).fill(dayOf(10));
    await statOf(page, 'Total API calls').getByText('9', { exact: true }).waitFor();
    await page.waitForURL((url) => url.searchParams.get('from') === dayOf(11) && url.searchParams.get('to') === dayOf(10));
    await page.getByLabel('To', { exact: true }).fill(dayOf(12));
    await page.getByText('Choose an end that is not before the start.').waitFor();
    await page.reload();
    await statOf(page, 'Total API calls').getByText('9', { exact: true }).waitFor();

    const file = await exportAs(page, 'CSV');
    expect(file.suggestedFilename()).toMatch(new RegExp(`^usage-northwind-traders-${dayOf(11)}-${dayOf(10)}-[a-z-]+\\.csv$`));
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(lines.filter((line) => line.startsWith('day,')).map((line) => line.split(',')[5])).toEqual(['0', '9']);

    await page.emulateMedia({ media: 'print' });
    const shown = async (...locators: Locator[]) => Promise.all(locators.map((locator) => locator.isVisible()));
    const [week, figures] = [page.getByRole('table', { name: /hour of the week/ }), partsOf(page, 'Figures of the range')];
    await expect.poll(() => shown(week, figures, page.locator('.recharts-surface').first())).toEqual([true, true, true]);
    expect(await shown(page.getByLabel('Time zone'), page.locator('aside'), page.locator('header').first())).toEqual([
      false,
      false,
      false,
    ]);
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize(PHONE);
    await loaded(page);
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });

  itAtLength('is reached by its service integrator and by administrators from the customer', async () => {
    const partner = await openAsIntegrator(web, integrator, `/service-integrator/customers/${customer.id}`);
    await partner.getByRole('link', { name: 'Usage details' }).click();
    await statOf(partner, 'Total API calls').getByText('69', { exact: true }).waitFor();
    await partner.getByText('API calls of Northwind Traders: outcome and response time.').waitFor();
    await partsOf(partner, 'Users').getByRole('link', { name: 'Show the calls of bob' }).click();
    await partner.waitForURL((url) => url.searchParams.get('customer') === customer.id && url.searchParams.has('user'));
    await partner.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Usage' }).click();
    await partner.getByText('The API calls of all your customers together.').waitFor();
    await statOf(partner, 'Customers with calls').getByText('1', { exact: true }).waitFor();
    await partsOf(partner, 'Customers')
      .getByRole('row', { name: /Northwind Traders.*69.*100\.0%/ })
      .waitFor();
    await partner.getByRole('switch', { name: 'Compare with previous period' }).press('Space');
    await partner.getByRole('article', { name: 'Total API calls' }).getByText('0 before').waitFor();
    expect(await violations(partner)).toEqual([]);
    await partner.setViewportSize(PHONE);
    await loaded(partner);
    expect(await overflow(partner)).toBe(0);
    await partsOf(partner, 'Customers').getByRole('button', { name: 'Show only Northwind Traders' }).click();
    await partner.waitForURL(new RegExp(`usage[?].*compare=previous.*customer=${customer.id}`));
    await partner.getByText('API calls of Northwind Traders: outcome and response time.').waitFor();
    await leave(partner);
    const admin = await web.openAsAdmin('/admin/usage');
    await admin.getByRole('navigation', { name: 'Breadcrumbs' }).getByText('Usage', { exact: true }).waitFor();
    await admin.getByText('No customer chosen').waitFor();
    await admin.goto(`/admin/usage?customer=${customer.id}&days=7`);
    await statOf(admin, 'Total API calls').getByText('60', { exact: true }).waitFor();
    await admin.getByRole('link', { name: 'Back to customer' }).click();
    await admin.waitForURL(`**/admin/customers/${customer.id}`);
    await titleOf(admin).getByText('Northwind Traders').waitFor();
    await leave(admin);
  });
});

describe('a portal without calls', () => {
  it('shows the first commands with the address of the server, until the first call arrives', async () => {
    const fresh = await newCustomer(web.admin, integrator.id);
    const page = await openAsCustomer(web, fresh, '/portal', { permissions: ['clipboard-read', 'clipboard-write'] });
    const steps = page.getByRole('region', { name: 'Record your first API call' });
    await steps.getByRole('button', { name: 'Copy the command: Sign in' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`latchkey login --server ${web.url}`);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await steps.getByText('latchkey record --service jira').waitFor();
    await page.locator('[data-live="live"]').waitFor();
    await record(await asTool(web.url, fresh, 'ada'), 'GET:/issue', 1, 3);
    await statOf(page, 'Total API calls').getByText('3', { exact: true }).waitFor();
    await steps.waitFor({ state: 'detached' });
    await leave(page);
  });

  it('ran without an error on any page', () => expect(web.pageErrors).toEqual([]));
});
