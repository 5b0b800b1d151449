import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { dayOf } from '../../src/domain/time.ts';
import { asTool, type Tool } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { IS_AT_LENGTH, itAtLength } from '../support/tiers.ts';
import { overflow, tooWideTables, violations } from './support/axe.ts';
import { deferred, dialogOf, exportAs, openConsole, seed, type TestConsole } from './support/console.ts';
import { EMPTY_PAGE, leave, navigate, PHONE, TABLET } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let northwind: Customer;
let other: Customer;
let ada: Tool;

let sequence = 1;
const record = async (tool: Tool, calls: readonly Record<string, unknown>[]): Promise<void> => {
  const sent = calls.map((given) => ({
    service: 'jira',
    instanceUrl: 'https://northwind.atlassian.net',
    operation: 'GET:/issue',
    status: 200,
    durationMs: 40,
    ...given,
  }));
  const reply = await tool.post('/api/cli/api-calls', { sourceId: 'laptop', firstSequence: sequence, calls: sent });
  expect(reply.body.accepted).toBe(calls.length);
  sequence += calls.length;
};

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders', 'Tailspin Toys']);
  ({ integrator } = seeded);
  [northwind, other] = seeded.customers as [Customer, Customer];
  ada = await asTool(web.url, northwind, 'ada');
  await record(ada, [
    { operation: 'GET:/issue' },
    { operation: 'POST:/comment', status: 503, durationMs: 1_250 },
    { operation: 'GET:/board', service: 'azdo', instanceUrl: 'https://dev.azure.com/northwind' },
  ]);
  await record(await asTool(web.url, other, 'bob'), [{ operation: 'GET:/tailspin' }]);
  await eventually(
    async () => (await web.admin.get('/api/admin/calls')).body.calls.length,
    (count) => count === 4,
  );
});
afterAll(() => web.close());

const TABLE = { name: 'API calls table' };

describe('the list of API calls', () => {
  it('is reached from Monitoring, shows new calls live, and filters by what a call has', async () => {
    const page = await web.openAsAdmin('/admin/monitoring');
    await page.getByRole('link', { name: 'API calls' }).click();
    await page.waitForURL('**/admin/monitoring/calls?window=15m');
    const table = page.getByRole('region', TABLE);
    await table.getByRole('row', { name: /Tailspin Toys.*bob.*GET:\/tailspin/ }).waitFor();
    await table.getByRole('row', { name: /Northwind Traders.*ada.*POST:\/comment.*503.*1,250 ms/ }).waitFor();
    await page.locator('[data-live=live]').waitFor();
    await record(ada, [{ operation: 'GET:/just-now' }]);
    await table.getByRole('row', { name: /GET:\/just-now/ }).waitFor();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume', pressed: true }).waitFor();
    await page.getByRole('group', { name: 'Filter by outcome' }).getByRole('button', { name: 'Failed' }).click();
    await page.waitForURL('**outcome=failed**');
    await page.getByText('1 API calls').waitFor();
    await table
      .getByRole('row', { name: /POST:\/comment/ })
      .getByRole('button')
      .first()
      .click();
    const drawer = dialogOf(page);
    await drawer.getByText('https://northwind.atlassian.net').waitFor();
    expect(await violations(page)).toEqual([]);
    await drawer.getByRole('button', { name: 'Filter by this customer' }).click();
    await page.waitForURL(`**customer=${northwind.id}**`);
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('combobox', { name: 'Customer' }).inputValue()).toBe('Northwind Traders');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('5 API calls').waitFor();
    await page.getByLabel('Operation').fill('GET:/nothing');
    await page.getByLabel('Operation').press('Enter');
    await page.getByText('No API calls found').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    expect((await exportAs(page, 'CSV')).suggestedFilename()).toMatch(/^calls-\d{4}-\d\d-\d\d\.csv$/);

    if (!IS_AT_LENGTH) return leave(page);
    await page.setViewportSize(TABLET);
    expect(await tooWideTables(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: 'dark' });
    const list = page.getByRole('list', TABLE);
    await list.getByText('GET:/just-now').waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await list.getByRole('button').first().click();
    await dialogOf(page).getByText('GET:/just-now').first().waitFor();
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await leave(page);
  });

  it('is filtered by service integrator, customer, user and source, chosen by search or by a cell', async () => {
    const page = await web.openAsAdmin('/admin/monitoring/calls');
    const table = page.getByRole('region', TABLE);
    const field = (name: string) => page.getByRole('combobox', { name, exact: true });
    const choose = async (name: string, search: string, option: string): Promise<void> => {
      await field(name).fill(search);
      await page.getByRole('option', { name: option }).click();
    };
    await table.getByRole('row', { name: /Tailspin Toys/ }).waitFor();
    await choose('Customer', 'north', 'Northwind Traders');
    await page.waitForURL(`**/admin/monitoring/calls?customer=${northwind.id}`);
    await table.getByRole('row', { name: /Tailspin Toys/ }).waitFor({ state: 'detached' });
    await choose('User', 'ad', 'ada');
    await page.waitForURL(`**?customer=${northwind.id}&user=${ada.userId}`);
    await choose('Customer', 'tail', 'Tailspin Toys');
    await page.waitForURL(`**/admin/monitoring/calls?customer=${other.id}`);
    await table.getByRole('row', { name: /GET:\/tailspin/ }).waitFor();
    await field('Customer').fill('');
    await page.waitForURL('**/admin/monitoring/calls');
    await choose('Service integrator', integrator.companyName.slice(0, 4), integrator.companyName);
    await page.waitForURL(`**/admin/monitoring/calls?integrator=${integrator.id}`);
    await choose('User', 'bo', 'bob (Tailspin Toys)');
    await page.waitForURL(`**?integrator=${integrator.id}&user=*`);
    await page.getByText('1 API calls').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();

    await table
      .getByRole('row', { name: /POST:\/comment/ })
      .getByRole('button', { name: 'laptop' })
      .click();
    await page.waitForURL(`**/admin/monitoring/calls?source=laptop&user=${ada.userId}`);
    await expect.poll(() => field('Source').inputValue()).toBe('laptop');
    await expect.poll(() => field('User').inputValue()).toMatch(/^ada/);
    await table
      .getByRole('row', { name: /POST:\/comment/ })
      .getByRole('button', { name: '503' })
      .click();
    await page.waitForURL('**&status=503');
    await page.getByText('1 API calls').waitFor();
    const file = await exportAs(page, 'NDJSON');
    const exported = (await readFile(await file.path(), 'utf8')).trim().split('\n');
    expect(exported.map((line) => JSON.parse(line).operation)).toEqual(['POST:/comment']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await table.getByRole('button', { name: 'Tailspin Toys' }).click();
    await page.waitForURL(`**/admin/monitoring/calls?customer=${other.id}`);
    await expect.poll(() => field('Customer').inputValue()).toBe('Tailspin Toys');
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await leave(page);
  });

  it('keeps the range of the charts, until another period is chosen', async () => {
    const page = await web.openAsAdmin('/admin/monitoring?window=24h&service=jira');
    await page.getByRole('link', { name: 'API calls' }).click();
    await page.waitForURL('**/admin/monitoring/calls?service=jira&window=24h');
    const range = page.getByRole('combobox', { name: 'Time range' });
    await expect.poll(() => range.inputValue()).toBe('24h');
    await page
      .getByRole('region', TABLE)
      .getByRole('row', { name: /GET:\/tailspin/ })
      .waitFor();
    await range.selectOption('Last hour');
    await page.waitForURL('**/admin/monitoring/calls?service=jira&window=1h');
    await page.getByLabel('To', { exact: true }).fill('2020-01-31T10:00:00');
    await page.waitForURL('**/admin/monitoring/calls?service=jira&to=2020-01-31T10*');
    await page.getByText('No API calls found').waitFor();
    expect(await range.locator('option:checked').textContent()).toBe('Custom period');
    await range.selectOption('Last 15 minutes');
    await page.waitForURL('**/admin/monitoring/calls?service=jira&window=15m');
    await page.setViewportSize(PHONE);
    await range.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'More filters' }).click();
    await range.waitFor();
    await page.getByRole('button', { name: 'Fewer filters' }).click();
    await range.waitFor({ state: 'hidden' });
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await leave(page);
  });

  it('suggests the sources of the customer, also of calls that are not listed', async () => {
    const page = await web.openAsAdmin(`/admin/monitoring/calls?customer=${northwind.id}&to=2020-01-31T10:00:00.000Z`);
    await page.getByText('No API calls found').waitFor();
    const source = page.getByRole('combobox', { name: 'Source', exact: true });
    await source.fill('lap');
    await page.locator('datalist option[value=laptop]').waitFor({ state: 'attached' });
    expect(await source.getAttribute('title')).toContain('sources of the customer');
    expect(await violations(page)).toEqual([]);
    await navigate(page, '/admin/monitoring/calls');
    await page.locator('input[title^="Suggests the values of the listed calls"][aria-label=Source]').waitFor();
    await leave(page);
  });

  it('says that there are more calls than those of the page', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE);
    await page.route('**/api/admin/calls?*', (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', '2');
      return route.continue({ url: url.href });
    });
    await page.goto('/admin/monitoring/calls');
    await page.getByText('2+ API calls').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL('**cursor=**');
    await page.getByText('2+ API calls').waitFor();
    await leave(page);
  });

  itAtLength("of a customer is reached from the integrator's customer", async () => {
    const page = await openAsIntegrator(web, integrator, `/service-integrator/customers/${northwind.id}`);
    await page.getByRole('link', { name: 'API calls' }).click();
    await page.waitForURL(`**/service-integrator/calls?customer=${northwind.id}`);
    const table = page.getByRole('region', TABLE);
    await table.getByRole('row', { name: /Northwind Traders.*ada.*GET:\/board.*Azure DevOps/ }).waitFor();
    expect(await table.getByText('Tailspin Toys').count()).toBe(0);
    await table
      .getByRole('row', { name: /GET:\/board/ })
      .getByRole('button')
      .first()
      .click();
    await dialogOf(page).getByRole('link', { name: 'Northwind Traders' }).click();
    await page.waitForURL(`**/service-integrator/customers/${northwind.id}`);
    await leave(page);
  });

  itAtLength('of a day is opened by the chart of the usage', async () => {
    const page = await openAsCustomer(web, northwind, '/portal/usage', { hasTouch: true });
    const bar = page.locator('.recharts-bar-rectangle path').last();
    const today = dayOf(Date.now());
    const calls = `**/portal/usage/calls?from=${today}T00%3A00%3A00.000Z&to=${today}T23%3A59%3A59.999Z`;
    await bar.tap();
    await page.waitForURL(calls);
    await page.goBack();
    await bar.click();
    await page.waitForURL(calls);
    const table = page.getByRole('region', TABLE);
    await table.getByRole('row', { name: /ada.*POST:\/comment/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto(`/portal/usage/calls?to=2020-01-31T00:00:00.000Z`);
    await page.getByText('No API calls found').waitFor();
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });

  it('ran without an error on any page', () => expect(web.pageErrors).toEqual([]));

  it('marks voided ones, which the admin of the customer voids after a preview', async () => {
    const page = await openAsCustomer(web, northwind, '/portal/usage/calls?source=laptop&outcome=successful&service=azdo');
    const table = page.getByRole('region', TABLE);
    await table.getByRole('row', { name: /GET:\/board/ }).waitFor();
    await page.getByRole('button', { name: 'Void these calls…' }).click();
    const dialog = dialogOf(page);
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview.getByText(/ada: \d+ calls/).waitFor();
    await dialog.getByText('All calls of source laptop are voided.').waitFor();
    await dialog.getByText('These filters of the list do not apply: Outcome, Service. Calls that they hide').waitFor();
    const submit = dialog.getByRole('button', { name: 'Void calls' });
    await dialog.getByLabel('From number').fill('5');
    await dialog.getByLabel('To number').fill('2');
    await preview.getByText('To number must not be less than From number.').waitFor();
    expect(await submit.isDisabled()).toBe(true);
    const counting = deferred();
    await page.route('**/voids/preview?*', async (route) => {
      await counting.released;
      await route.continue();
    });
    await dialog.getByLabel('From number').fill('2');
    await dialog.getByLabel('To number').fill('3');
    await dialog.getByText('Calls 2 to 3 of source laptop are voided.').waitFor();
    await preview.getByText('Counting calls').waitFor();
    expect([await submit.isDisabled(), await preview.getByText(/\d calls?, \d failed/).count()]).toEqual([true, 0]);
    counting.release();
    await preview.getByText('2 calls, 1 failed').waitFor();
    expect(await violations(page)).toEqual([]);
    await submit.click();
    await dialog.getByText('Reason is required').waitFor();
    await dialog.getByLabel('Reason').fill('Sent twice');
    await dialog.getByRole('button', { name: 'Void calls' }).click();
    await dialog.waitFor({ state: 'detached' });
    await table.getByRole('row', { name: /GET:\/board.*Voided/ }).waitFor();
    await page
      .getByRole('region', { name: 'Voided calls table' })
      .getByRole('row', { name: /laptop.*2.*Sent twice/ })
      .waitFor();
    if (!IS_AT_LENGTH) return leave(page);
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('list', { name: 'Voided calls table' }).getByText('Sent twice').waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });
});
