import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asTool } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { overflow, violations } from './support/axe.ts';
import { exportAs, openConsole, seed, type TestConsole } from './support/console.ts';
import { chartSize, leave, navigate } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;

const UTC = { timezoneId: 'UTC' };
const today = (): string => new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders']);
  integrator = seeded.integrator;
  customer = seeded.customers[0] as Customer;
  const ada = await asTool(web.url, customer, 'ada');
  const call = { service: 'jira', instanceUrl: 'https://acme.example', operation: 'GET:/issue', status: 200, durationMs: 120 };
  await ada.post('/api/cli/api-calls', { sourceId: 'laptop', firstSequence: 1, calls: [call, { ...call, status: 503 }] });
  await eventually(
    async () => (await web.admin.get(`/api/admin/customers/${customer.id}`)).body.customer.totalApiCalls,
    (calls) => calls === 2,
  );
});
afterAll(() => web.close());

const surfaceIn = (part: Page | Locator): Locator => part.locator('svg.recharts-surface[tabindex="0"]').first();
const chartCalled = (page: Page, name: string | RegExp): Locator =>
  page.locator('svg.recharts-surface').filter({ has: page.locator('title').getByText(name) });

/** Opens the last point of a chart by keys, while the pointer is at another one. */
const openLastByKeys = async (chart: Locator): Promise<void> => {
  await chartSize(chart.page(), chart);
  await chart.hover();
  await chart.focus();
  for (const _point of Array.from({ length: 31 })) await chart.press('ArrowRight');
  await chart.press('Enter');
};

/** A query of the calls of today of UTC. */
const ofToday = (url: URL): boolean =>
  url.searchParams.get('from') === `${today()}T00:00:00.000Z` && url.searchParams.get('to') === `${today()}T23:59:59.999Z`;

const waitForTodaysCalls = (page: Page, path: string): Promise<void> =>
  page.waitForURL((url) => url.pathname === path && ofToday(url));

describe('a chart leads to what it counts', () => {
  it('of the administrator: seconds and days open calls, times open sign-ins, days of seats their history', async () => {
    const page = await web.openAsAdmin('/admin/dashboard', UTC);
    const traffic = page.getByRole('heading', { name: 'API traffic' });
    await traffic.waitFor();
    await page.getByText('Click a point, or press Enter on it, to list its calls.').waitFor();
    await openLastByKeys(chartCalled(page, /API calls per second/));
    await page.waitForURL(
      ({ pathname, searchParams }) =>
        pathname === '/admin/monitoring/calls' &&
        Date.parse(searchParams.get('receivedTo') ?? '') - Date.parse(searchParams.get('receivedFrom') ?? '') === 999,
    );

    await navigate(page, `/admin/customers/${customer.id}`);
    await page.getByText('Click a day, or press Enter on it, to list its calls.').waitFor();
    await openLastByKeys(chartCalled(page, /Daily API calls/));
    await waitForTodaysCalls(page, '/admin/monitoring/calls');
    expect(new URL(page.url()).searchParams.get('customer')).toBe(customer.id);
    await page.getByText('2 API calls').waitFor();

    await navigate(page, '/admin/team/sign-ins');
    const signIns = page.getByRole('region', { name: 'Sign-ins over time' });
    const points = surfaceIn(signIns);
    const { width } = await chartSize(page, points);
    const lastLabel = points.locator('.recharts-xAxis-tick-labels text').last();
    const { width: ofLabel, x: left } = (await lastLabel.boundingBox()) ?? { width: 0, x: 0 };
    expect(left + ofLabel).toBeLessThanOrEqual(((await points.boundingBox())?.x ?? 0) + width);
    await points.click({ position: { x: width - 34, y: 80 } });
    await page.waitForURL(/from=\d{4}-.*Z&to=\d{4}-.*Z/);
    const table = page.getByRole('region', { name: 'Sign-ins table' });
    await table.getByRole('row', { name: /Northwind Traders/ }).waitFor();
    await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).toBe(today());
    expect(await violations(page)).toEqual([]);
    await signIns.getByRole('button', { name: 'Show any time' }).click();
    await page.waitForURL((url) => url.search === '');

    await navigate(page, `/admin/customers/${customer.id}/seats`);
    const developers = page.getByRole('region', { name: 'Daily use of developer seats' });
    await openLastByKeys(surfaceIn(developers));
    await page.waitForURL(`**/admin/audit?customer=${customer.id}&search=seat&from=${today()}&to=${today()}`);
    await page.getByText('ada claimed a developer seat').waitFor();
    await leave(page);
  });

  it('of the customer: days of both charts and hours of the week open calls', async () => {
    const page = await openAsCustomer(web, customer, '/portal/dashboard', UTC);
    await openLastByKeys(chartCalled(page, /Daily API calls/));
    await waitForTodaysCalls(page, '/portal/usage/calls');

    await navigate(page, '/portal/usage');
    await openLastByKeys(chartCalled(page, /Daily response time/));
    await waitForTodaysCalls(page, '/portal/usage/calls');
    await page.getByText('2 API calls').waitFor();

    await navigate(page, '/portal/usage');
    const week = page.getByRole('region', { name: 'Hours of the week' });
    const hour = week.getByRole('button', { name: /: 2 calls, 1 failed$/ });
    await hour.focus();
    await hour.press('Enter');
    expect(await violations(page)).toEqual([]);
    const days = week.getByRole('group', { name: /^Calls of \w+ \d\d:00 on$/ });
    await days.getByRole('link').click();
    await page.waitForURL(
      ({ pathname, searchParams }) =>
        pathname === '/portal/usage/calls' &&
        Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '') === 3_599_999,
    );
    await page.getByText('2 API calls').waitFor();
    await leave(page);
  });

  it('of the service integrator: days and parts of all customers, and days of one open calls', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/usage', UTC);
    await openLastByKeys(chartCalled(page, /Daily API calls/));
    await waitForTodaysCalls(page, '/service-integrator/calls');
    await page.getByText('2 API calls').waitFor();

    await navigate(page, '/service-integrator/usage?compare=previous');
    const figure = (name: string) => page.getByRole('article', { name, exact: true });
    await figure('Success rate').getByText('50.00%').waitFor();
    await figure('Active instances').getByText('1', { exact: true }).waitFor();
    await figure('Error rate').getByText('0.00% before').waitFor();
    const arrived = page.getByRole('region', { name: 'Calls by arrival' });
    await arrived.getByRole('button', { name: /: 2 calls, 1 failed$/ }).waitFor();
    await arrived.getByRole('row', { name: /HTTP 5xx.*1.*100\.0%/ }).waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await openLastByKeys(chartCalled(page, /Daily response time/));
    await waitForTodaysCalls(page, '/service-integrator/calls');
    await page.goBack();
    await arrived.getByRole('link', { name: 'Show the calls of HTTP 5xx' }).click();
    await page.waitForURL(/\/service-integrator\/calls\?from=.*&to=.*&status=5xx&outcome=failed/);
    await page.getByText('1 API call').waitFor();

    await navigate(page, `/service-integrator/customers/${customer.id}`);
    await openLastByKeys(chartCalled(page, /Daily API calls/));
    await waitForTodaysCalls(page, '/service-integrator/calls');
    expect(new URL(page.url()).searchParams.get('customer')).toBe(customer.id);
    await leave(page);
  });
});

describe('a figure leads to what it counts', () => {
  const linkOf = (part: Locator): Promise<string | null> => part.getByRole('link').getAttribute('href');
  const factOf = (page: Page, label: string): Locator => page.locator('dl > div').filter({ hasText: label });

  it('of the administrator: totals and the figures of a customer', async () => {
    const page = await web.openAsAdmin('/admin/monitoring', UTC);
    expect(await linkOf(factOf(page, 'Successful'))).toBe('/admin/monitoring/calls?outcome=successful');
    expect(await linkOf(factOf(page, 'Suspended'))).toBe('/admin/customers?status=suspended');
    await factOf(page, 'Failed').getByRole('link').click();
    await page.getByText('1 API call').waitFor();

    await navigate(page, `/admin/customers/${customer.id}`);
    const figure = (name: string) => page.getByRole('article', { name, exact: true });
    expect(await linkOf(figure('Active connections'))).toBe(`/admin/customers/${customer.id}/seats`);
    expect(await linkOf(figure('Total API calls'))).toBe(`/admin/monitoring/calls?customer=${customer.id}`);
    await leave(page);
  });

  it('of the customer: the figures of the dashboard and of a range', async () => {
    const page = await openAsCustomer(web, customer, '/portal/dashboard', UTC);
    const figure = (name: string) => page.getByRole('article', { name, exact: true });
    expect(await linkOf(figure('Active connections'))).toBe('/portal/users/seats');
    expect(await linkOf(figure('Total API calls'))).toBe('/portal/usage/calls');
    expect(await linkOf(page.getByRole('region', { name: 'Developer seats' }))).toBe('/portal/users/seats');

    await navigate(page, '/portal/usage');
    expect(await linkOf(figure('Peak usage day'))).toContain(`from=${today()}T00`);
    expect(await linkOf(figure('Calls in the last 30 days'))).toBe(await linkOf(figure('Total API calls')));
    await figure('Active instances').getByRole('link').click();
    await page.waitForURL('**/portal/usage?zone=UTC#instances');
    const instances = page.locator('#instances');
    await expect.poll(() => instances.evaluate((card) => card.getBoundingClientRect().top < window.innerHeight)).toBe(true);
    const file = await exportAs(page, 'All time as CSV', 'Export instances');
    expect(await readFile(await file.path(), 'utf8')).toMatch(/^instance_url,service,calls,.*\r\n/);
    await navigate(page, '/portal/usage?days=7&zone=UTC');
    await expect.poll(() => linkOf(figure('Calls in the last 30 days'))).toBe('/portal/usage?zone=UTC');
    await figure('Calls in the last 30 days').getByRole('link').click();
    await page.waitForURL('**/portal/usage?zone=UTC');
    expect(await figure('Total API calls').innerText()).toContain('2');
    await figure('Total errors').getByRole('link').click();
    await page.waitForURL(/\/portal\/usage\/calls\?from=.*&to=.*&outcome=failed/);
    await page.getByText('1 API call').waitFor();
    await leave(page);
  });

  it('of the service integrator: the figures of all customers and of one', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/usage', UTC);
    const figure = (name: string) => page.getByRole('article', { name, exact: true });
    await figure('Total API calls').getByRole('link', { name: '2' }).click();
    await page.waitForURL(/\/service-integrator\/calls\?from=.*&to=/);
    await page.getByText('2 API calls').waitFor();

    await navigate(page, `/service-integrator/customers/${customer.id}`);
    expect(await linkOf(figure('Total API Calls'))).toBe(`/service-integrator/calls?customer=${customer.id}`);
    await leave(page);
  });

  it('ran without an error on any page', () => expect(web.pageErrors).toEqual([]));
});
