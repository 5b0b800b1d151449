import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChartsReply } from '../../src/contracts/charts.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { asTool } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openToolSocket } from '../support/toolSocket.ts';
import { overflow, violations } from './support/axe.ts';
import { exportAs, openConsole, seed, type TestConsole } from './support/console.ts';
import { chartSize, EMPTY_PAGE, leave, navigate, PHONE } from './support/pages.ts';

/** How far the server's clock is ahead, ms: charts divide minutes that are over. */
let ahead = 0;
let web: TestConsole;
let northwind: Customer;

beforeAll(async () => {
  web = await openConsole({}, { now: () => Date.now() + ahead });
  const { customers } = await seed(web.admin, ['Northwind Traders', 'Tailspin Toys']);
  northwind = customers[0] as Customer;
  const call = { instanceUrl: 'https://northwind.atlassian.net', operation: 'GET:/issue', status: 200, durationMs: 40 };
  const calls = [
    ...Array.from({ length: 6 }, () => ({ ...call, service: 'jira' })),
    ...Array.from({ length: 2 }, () => ({ ...call, service: 'azdo', status: 503, operation: 'POST:/build' })),
  ];
  for (const customer of customers) {
    const tool = await asTool(web.url, customer, 'ada');
    if (customer === northwind) await openToolSocket(web.url, tool.headers.authorization?.split(' ')[1] ?? '');
    expect((await tool.post('/api/cli/api-calls', { sourceId: 'laptop', firstSequence: 1, calls })).status).toBe(202);
  }
  await eventually(
    async () => (await web.admin.get('/api/admin/calls')).body.calls.length,
    (count) => count === 16,
  );
  ahead = MINUTE_MS;
});
afterAll(() => web.close());

const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

describe('charts', () => {
  it('say which of them no filter applies to', async () => {
    const page = await web.openAsAdmin('/admin/monitoring?by=service');
    const users = card(page, 'Connected users');
    await users.getByText('Open command-line tools', { exact: true }).waitFor();
    await card(page, 'Breakdown').getByRole('button', { name: 'Show only Azure DevOps' }).click();
    await page.waitForURL('**/admin/monitoring?service=azdo');
    await users.getByText('Open command-line tools, all customers').waitFor();
    await card(page, 'Projection lag').getByText('Delay between events and screens, in ms, all customers').waitFor();
    await card(page, 'API calls').getByText('Per second, by outcome', { exact: true }).waitFor();
    await leave(page);
  });

  it('compare the total with that of the previous period where they are divided', async () => {
    const page = await web.openAsAdmin('/admin/monitoring?by=service');
    const breakdown = card(page, 'Breakdown');
    const linesOf = (chart: string) => card(page, chart).locator('.recharts-area-curve');
    await breakdown.getByRole('row', { name: /Jira/ }).waitFor();
    expect(await breakdown.getByRole('row', { name: /Total/ }).count()).toBe(0);
    await page.getByRole('switch', { name: 'Compare with previous period' }).click();
    const cells = (name: RegExp) => breakdown.getByRole('row', { name }).getByRole('cell').allTextContents();
    await breakdown.getByRole('row', { name: /Total, previous/ }).waitFor();
    expect(await cells(/Total \d/)).toEqual(['Total', '16', '4', '25.0%']);
    expect(await cells(/Total, previous/)).toEqual(['Total, previous', '0', '0', '–']);
    await expect.poll(() => linesOf('API calls').count()).toBe(4);
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: 'dark' });
    await breakdown.getByRole('row', { name: /Total, previous/ }).waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await leave(page);
  });
});

describe('an export', () => {
  it('has what the charts show, also of the live charts', async () => {
    const page = await web.openAsAdmin('/admin/monitoring?by=service&compare=previous');
    await card(page, 'Breakdown').getByRole('row', { name: /Jira/ }).waitFor();
    const csv = await exportAs(page, 'CSV');
    expect(csv.suggestedFilename()).toMatch(/^monitoring-by-service-.+\.csv$/);
    const lines = (await readFile(await csv.path(), 'utf8')).split('\r\n');
    expect(lines.some((line) => /^current,.*,service,jira,jira,,,12,0,/.test(line))).toBe(true);
    expect(lines.some((line) => line.startsWith('previous,'))).toBe(true);
    await navigate(page, '/admin/monitoring');
    await page.getByRole('switch', { name: 'Compare with previous period', checked: false }).waitFor();
    const ndjson = await exportAs(page, 'NDJSON');
    expect(ndjson.suggestedFilename()).toMatch(/^monitoring-\d.+\.ndjson$/);
    expect(JSON.parse((await readFile(await ndjson.path(), 'utf8')).split('\n')[0] ?? '')).toMatchObject({
      period: 'current',
      by: null,
    });
    await leave(page);
  });
});

/** Where the line of a part of a chart has its highest point, in px from the corner of the chart. */
const peakOf = (line: Locator): Promise<{ x: number; y: number }> =>
  line.evaluate((path) => {
    const positions = [...(path.getAttribute('d') ?? '').matchAll(/([\d.]+),([\d.]+)/g)].map(([, x, y]) => ({
      x: Number(x),
      y: Number(y),
    }));
    return positions.reduce((highest, one) => (one.y < highest.y ? one : highest));
  });

describe('a point that keys choose', () => {
  it('is opened in place of the one below the pointer, which may be in another chart', async () => {
    const page = await web.openAsAdmin('/admin/monitoring?window=24h');
    for (const pointed of ['API calls', 'Response time']) {
      const chart = card(page, 'Response time');
      await chartSize(page, chart.locator('.recharts-surface'));
      await card(page, pointed).locator('.recharts-surface').hover();
      await chart.locator('.recharts-tooltip-cursor').waitFor({ state: 'attached' });
      await chart.getByRole('application').focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      const isFirst = (url: URL): boolean => Date.parse(url.searchParams.get('receivedFrom') ?? '') < Date.now() - 23 * HOUR_MS;
      await page.waitForURL((url) => url.pathname === '/admin/monitoring/calls' && isFirst(url));
      await page.goBack();
    }
    await leave(page);
  });
});

describe('a divided chart', () => {
  it('opens the calls of the line that is clicked, or chosen by keyboard, at its time', async () => {
    const page = await web.openAsAdmin('/admin/monitoring?by=service');
    const chart = card(page, 'API calls');
    const surface = chart.locator('.recharts-surface');
    await card(page, 'Breakdown')
      .getByRole('row', { name: /Azure DevOps/ })
      .waitFor();
    await chartSize(page, surface);
    const ofAzure = chart.locator('.recharts-area-curve[stroke*="chart-3"]');
    const peak = await peakOf(ofAzure);
    await surface.click({ position: { x: peak.x, y: peak.y + 4 } });
    await page.waitForURL(/[/]monitoring[/]calls[?]service=azdo&receivedFrom=.+&receivedTo=.+$/);
    await page.getByText('4 API calls').waitFor();
    expect(await page.getByRole('region', { name: 'API calls table' }).getByText('Jira', { exact: true }).count()).toBe(0);

    await page.goBack();
    await chartSize(page, surface);
    await surface.click({ position: { x: peak.x - 100, y: 60 } });
    await page.waitForURL(/[/]monitoring[/]calls[?]receivedFrom=.+&receivedTo=.+$/);

    await page.goBack();
    await chartSize(page, surface);
    await chart.getByRole('application').focus();
    // The first points leave the period as time passes.
    for (const _point of Array.from({ length: 4 })) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await chart.getByRole('status').getByText('Jira').waitFor();
    await page.keyboard.press('ArrowDown');
    await chart.getByRole('status').getByText('Azure DevOps').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/[/]monitoring[/]calls[?]service=azdo&receivedFrom=.+&receivedTo=.+$/);
    await leave(page);
  });

  it('of connected users has the customers, and opens their users', async () => {
    const page = await web.openAsAdmin('/admin/monitoring?by=customer');
    const chart = card(page, 'Connected users');
    await chart.getByText('Northwind Traders').waitFor();
    expect(await chart.getByText('Tailspin Toys').count()).toBe(0);
    const surface = chart.locator('.recharts-surface');
    await chartSize(page, surface);
    await chart.getByRole('application').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await chart.getByRole('status').getByText('Northwind Traders').waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/admin/users?customer=${northwind.id}`);
    await page.getByText('Connected', { exact: true }).waitFor();

    await navigate(page, `/admin/monitoring?customer=${northwind.id}`);
    await chart.getByText('Open command-line tools', { exact: true }).waitFor();
    await navigate(page, '/admin/monitoring?by=integrator');
    await chart.getByText('Contoso Partners').waitFor();
    await leave(page);
  });

  it('names before it is opened what opens more than a line counts', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE);
    await page.route('**/monitoring/charts?*by=service*', async (route) => {
      const reply: ChartsReply = await (await route.fetch()).json();
      const [largest, ...others] = reply.series ?? [];
      const series = [...others, ...(largest ? [{ ...largest, key: null }] : [])];
      await route.fulfill({ json: { ...reply, series } });
    });
    await page.goto('/admin/monitoring?by=service');
    const chart = card(page, 'API calls');
    await chartSize(page, chart.locator('.recharts-surface'));
    await chart.getByRole('application').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    const note = 'Opens the list of all: it cannot leave out the other lines.';
    await chart.getByRole('status').getByText(`Others. ${note}`).waitFor();
    await chart.locator('.recharts-tooltip-wrapper').getByText(note).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/[/]monitoring[/]calls[?]receivedFrom=.+&receivedTo=.+$/);
    await leave(page);
  });

  it('of the lag has both groups, and opens what each of them delays', async () => {
    const page = await web.openAsAdmin('/admin/monitoring');
    const chart = card(page, 'Projection lag');
    await chart.getByText('Main').first().waitFor();
    await chartSize(page, chart.locator('.recharts-surface'));
    await chart.getByRole('application').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await chart.getByRole('status').getByText('Main. Opens the history of this day').waitFor();
    await page.keyboard.press('ArrowDown');
    await chart.getByRole('status').getByText('Usage. Opens the calls of this time').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/[/]admin[/]audit[?]from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/);
    await leave(page);
  });
});

it('ran without an error on any page', () => expect(web.pageErrors).toEqual([]));
