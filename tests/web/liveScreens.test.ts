import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChartsReply } from '../../src/contracts/charts.ts';
import type { Health } from '../../src/contracts/monitoring.ts';
import { asTool, type Tool } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { describeAtLength, itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { deferred, dialogOf, holdsFocus, openConsole, seed, type TestConsole, toastsOf } from './support/console.ts';
import { chartSize, EMPTY_PAGE, leave } from './support/pages.ts';

let web: TestConsole;
let tool: Tool;
let recorded = 0;
/** Calls of other sources. */
let others = 0;

/** Records calls of the command-line tool with the current time. */
const record = async (count: number): Promise<void> => {
  const call = { service: 'jira', instanceUrl: 'https://acme.atlassian.net', operation: 'GET:/issue', status: 200, durationMs: 40 };
  const reply = await tool.post('/api/cli/api-calls', {
    sourceId: 'a-tool',
    firstSequence: recorded + 1,
    calls: Array.from({ length: count }, () => call),
  });
  expect(reply.status).toBe(202);
  recorded += count;
};

/** Sets a mark that a reload of the page removes. */
const mark = (page: Page): Promise<void> => page.evaluate(() => document.documentElement.setAttribute('data-mark', ''));
const isMarked = async (page: Page): Promise<boolean> => (await page.locator('html[data-mark]').count()) === 1;

declare global {
  interface Window {
    turn: () => void;
  }
}

/** Lets `turn` show the next page of the wallboard in place of its timer of 15 s, which could end while a page is checked. */
const holdTurns = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const later = window.setTimeout.bind(window);
    const hold = (run: () => void, ms?: number, ...more: unknown[]): number => {
      if (ms !== 15_000) return later(run, ms, ...more);
      window.turn = run;
      return 0;
    };
    Object.assign(window, { setTimeout: hold });
  });

beforeAll(async () => {
  web = await openConsole();
  const { customers } = await seed(web.admin, ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth']);
  if (!customers[0]) throw new Error('No customer was made');
  tool = await asTool(web.url, customers[0]);
});
afterAll(() => web.close());

describe('the dashboard', () => {
  it('shows the four totals and the five most recent customers', async () => {
    const page = await web.openAsAdmin('/admin');
    const total = (label: string) => page.getByRole('article', { name: label }).locator('[data-stat]');
    await total('Total Customers').filter({ hasText: /^6$/ }).waitFor();
    await page.getByRole('article', { name: 'Active Customers' }).getByText('100%').waitFor();
    await total('Service Integrators').filter({ hasText: /^1$/ }).waitFor();
    const recent = page.getByRole('region', { name: 'Recent customers' }).locator('tbody tr');
    await recent.first().getByText('Sixth').waitFor();
    await expect.poll(() => recent.count()).toBe(5);
    await recent.first().getByRole('link', { name: 'View Sixth' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sixth' }).waitFor();
    await leave(page);
  });

  it('counts API calls live', async () => {
    const page = await web.openAsAdmin('/admin/dashboard');
    const total = page.getByRole('article', { name: 'Total API Calls' }).locator('[data-stat]');
    await total.waitFor();
    await page.locator('[data-live=live]').waitFor();
    await record(321);
    await total.filter({ hasText: '321' }).waitFor();
    await leave(page);
  });

  itAtLength('draws them every second', async () => {
    const page = await web.openAsAdmin('/admin/dashboard');
    const curve = page.locator('.recharts-area-curve').first();
    await curve.waitFor({ state: 'attached' });
    await page.locator('[data-live=live]').waitFor();
    const flat = await curve.getAttribute('d');
    await eventually(
      async () => {
        await record(25);
        return curve.getAttribute('d');
      },
      (drawn) => drawn !== flat,
    );
    await leave(page);
  });
});

describe('monitoring', () => {
  it('shows health, each check, the totals and four charts', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE);
    // The login of the tests' database is a superuser, which the check of the roles reports.
    await page.route('**/monitoring/health/detailed', async (route) => {
      const health: Health = await (await route.fetch()).json();
      await route.fulfill({ json: { ...health, status: 'healthy' } satisfies Health });
    });
    await page.goto('/admin/monitoring');
    await page.getByRole('article', { name: 'Overall health' }).getByText('Healthy').waitFor();
    await page
      .getByRole('article', { name: 'Uptime' })
      .getByText(/minutes?$|hours$/)
      .waitFor();
    await page.getByText('Reachable').first().waitFor();
    await page.getByText('Average duration').waitFor();
    const happened = page.getByRole('region', { name: 'Events in this period' });
    await happened.getByRole('link', { name: /^A server started with version/ }).waitFor();
    await happened.getByText('by System').first().waitFor();
    await page
      .getByRole('region', { name: 'API calls', exact: true })
      .locator('.recharts-reference-line')
      .first()
      .waitFor({ state: 'attached' });
    await page
      .getByRole('region', { name: 'Failing checks' })
      .getByText(/^Database roles [(]warning[)]:/)
      .waitFor();
    expect(await violations(page)).toEqual([]);
    for (const chart of ['API calls', 'Response time', 'Connected users', 'Projection lag']) {
      await page.getByRole('region', { name: chart }).locator('.recharts-surface').waitFor();
    }
    await leave(page);
  });

  itAtLength('does not change while it is paused', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE);
    let received = 0;
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (payload.includes('"metrics"')) received += 1;
      }),
    );
    await page.goto('/admin/monitoring');
    const curve = page.locator('.recharts-area-curve').first();
    await curve.waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    const afterPoints = async (count: number) => {
      const least = received + count;
      await eventually(
        () => received,
        (points) => points >= least,
      );
      return curve.getAttribute('d');
    };
    // The charts are drawn after the rest of the screen: the newest point of the time of the pause may be missing still.
    const before = await eventually(
      async () => [await curve.getAttribute('d'), await afterPoints(2)],
      ([one, other]) => one === other,
    ).then(([drawnLast]) => drawnLast);
    await record(50);
    expect(await afterPoints(3)).toBe(before);
    await page.getByRole('button', { name: 'Resume' }).click();
    await eventually(
      () => curve.getAttribute('d'),
      (now) => now !== before,
    );
    await page.getByText(/^Updated /).waitFor();
    await leave(page);
  });

  itAtLength('shows another range that is selected while it is paused', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE);
    await page.route('**/monitoring/charts?range=24h', async (route) => {
      const reply: ChartsReply = await (await route.fetch()).json();
      const lone = Math.floor(reply.chart.points.length / 2);
      const points = reply.chart.points.map((point, at) => ({ ...point, p50: null, p95: null, p99: at === lone ? 40 : null }));
      await route.fulfill({ json: { ...reply, chart: { ...reply.chart, points } } });
    });
    await page.goto('/admin/monitoring');
    await page.locator('.recharts-area-curve').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: '24 h' }).click();
    const dots = page.getByRole('region', { name: 'Response time' }).locator('circle.lone');
    await eventually(
      () => dots.count(),
      (drawn) => drawn === 1,
    );
    await page.getByText('Paused', { exact: true }).waitFor();
    await leave(page);
  });

  itAtLength('draws a dot for a single interval with calls', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE, { colorScheme: 'dark' });
    await page.route('**/monitoring/charts?range=24h', async (route) => {
      const reply: ChartsReply = await (await route.fetch()).json();
      const lone = Math.floor(reply.chart.points.length / 2);
      const points = reply.chart.points.map((point, at) => ({ ...point, p50: null, p95: null, p99: at === lone ? 40 : null }));
      await route.fulfill({ json: { ...reply, chart: { ...reply.chart, points } } });
    });
    await page.goto('/admin/monitoring?window=24h');
    const dots = page.getByRole('region', { name: 'Response time' }).locator('circle.lone');
    await dots.waitFor();
    expect(await dots.count()).toBe(1);
    await eventually(
      () => dots.evaluate((dot) => getComputedStyle(dot).fill),
      (fill) => fill === 'rgb(253, 122, 114)',
    );
    await leave(page);
  });

  itAtLength('draws a gap for time without a server, and percentiles merged by the server', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE);
    const ran = {
      seconds: 600,
      calls: 3000,
      failed: 600,
      p50: 10,
      p95: 20,
      p99: 30,
      connectedUsers: 2,
      mainLagMs: 3,
      usageLagMs: 2,
    };
    const none = {
      calls: null,
      failed: null,
      p50: null,
      p95: null,
      p99: null,
      connectedUsers: null,
      mainLagMs: null,
      usageLagMs: null,
    };
    await page.route('**/monitoring/charts?range=24h', async (route) => {
      const reply: ChartsReply = await (await route.fetch()).json();
      const points = reply.chart.points.map((point, at) => ({
        ...point,
        ...(at > 50 && at < 90 ? { seconds: 0, ...none } : ran),
      }));
      await route.fulfill({ json: { ...reply, chart: { ...reply.chart, points } } });
    });
    await page.goto('/admin/monitoring?window=24h');
    for (const [chart, series] of [
      ['API calls', 2],
      ['Response time', 3],
      ['Connected users', 1],
      ['Projection lag', 2],
    ] as const) {
      const curves = page.getByRole('region', { name: chart }).locator('.recharts-area-curve');
      await curves.nth(series - 1).waitFor({ state: 'attached' });
      const paths = await curves.evaluateAll((drawn) => drawn.map((curve) => curve.getAttribute('d') ?? ''));
      expect(
        paths.map((path) => path.match(/M/g)?.length),
        chart,
      ).toEqual(Array.from({ length: series }, () => 2));
    }
    await page.getByRole('region', { name: 'Response time' }).getByText('30 ms', { exact: true }).first().waitFor();
    await leave(page);
  });

  itAtLength('draws the axes of a period without a server, and a crosshair with the time', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE);
    const none = {
      calls: null,
      failed: null,
      p50: null,
      p95: null,
      p99: null,
      connectedUsers: null,
      mainLagMs: null,
      usageLagMs: null,
    };
    await page.route('**/monitoring/charts?range=24h', async (route) => {
      const reply: ChartsReply = await (await route.fetch()).json();
      const points = reply.chart.points.map((point) => ({ ...point, ...none, seconds: 0 }));
      await route.fulfill({ json: { ...reply, chart: { ...reply.chart, points } } });
    });
    await page.goto('/admin/monitoring?window=24h');
    for (const name of ['API calls', 'Response time', 'Connected users', 'Projection lag']) {
      await page.getByRole('region', { name, exact: true }).locator('.recharts-yAxis-tick-labels').waitFor({ state: 'attached' });
    }
    const surface = page.getByRole('region', { name: 'API calls', exact: true }).locator('.recharts-surface');
    const { width } = await chartSize(page, surface);
    await surface.hover({ position: { x: width / 2, y: 80 } });
    await page.locator('.recharts-tooltip-cursor').first().waitFor({ state: 'attached' });
    const tip = page.getByRole('region', { name: 'API calls', exact: true }).locator('.recharts-tooltip-wrapper');
    expect(await tip.innerText()).toMatch(/\d\d?:\d\d[\s\S]*\nNo data$/);
    await leave(page);
  });

  it('keeps the range, a custom period and the comparison in the URL, and zooms into a selection', async () => {
    const page = await web.openAsAdmin('/admin/monitoring');
    const range = (name: string) => page.getByRole('button', { name, exact: true });
    const compare = page.getByRole('switch', { name: 'Compare with previous period' });
    // The second one comes before the router has rendered the first.
    await page.evaluate(
      (elements) => {
        for (const element of elements) if (element instanceof HTMLElement) element.click();
      },
      [await range('24 h').elementHandle(), await compare.elementHandle()],
    );
    await page.waitForURL('**/admin/monitoring?window=24h&compare=previous');
    await page.getByRole('button', { name: '24 h', exact: true, pressed: true }).waitFor();
    const calls = page.getByRole('region', { name: 'API calls', exact: true });
    const surface = calls.locator('.recharts-surface');
    await calls.locator('.recharts-area-curve').nth(3).waitFor({ state: 'attached' });
    const { width } = await chartSize(page, surface);
    await surface.hover({ position: { x: width / 2, y: 80 } });
    await page.mouse.down();
    // The crosshair is in the other charts too.
    const latency = page.getByRole('region', { name: 'Response time' });
    await latency.locator('.recharts-tooltip-cursor').waitFor({ state: 'attached' });
    await surface.hover({ position: { x: width - 60, y: 80 } });
    await calls.locator('.recharts-reference-area').waitFor({ state: 'attached' });
    await page.mouse.up();
    await page.waitForURL(/window=24h&compare=previous&from=.+&to=.+/);
    await page.getByRole('button', { name: 'Custom', pressed: true }).waitFor();
    const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })];
    const length = Date.parse(await to.inputValue()) - Date.parse(await from.inputValue());
    expect(length).toBeLessThan(12 * 3_600_000);
    expect(length % 600_000).toBe(0);
    await from.fill('2026-01-02T10:00');
    await page.getByText('Choose at most 62 days.').waitFor();
    await to.fill('2026-01-01T10:00');
    await page.getByText('Choose an end that is later than the start.').waitFor();
    await to.fill('2026-01-02T11:00');
    await page.waitForURL(
      (url) => Date.parse(url.searchParams.get('to') ?? '') - Date.parse(url.searchParams.get('from') ?? '') === 3_600_000,
    );
    await page.getByRole('button', { name: 'Back to 24 h' }).click();
    await page.waitForURL('**/admin/monitoring?window=24h&compare=previous');
    await range('15 min').click();
    await page.getByRole('switch', { name: 'Compare with previous period' }).click();
    await page.waitForURL('**/admin/monitoring');
    await leave(page);
  });

  itAtLength('is shown on a wallboard that needs no pointer, at 1920 px and at 4K', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE, { viewport: { width: 1920, height: 1080 } });
    await holdTurns(page);
    await page.goto('/admin/monitoring');
    await page.getByRole('link', { name: 'Wallboard' }).focus();
    await page.keyboard.press('Enter');
    const board = page.getByRole('dialog', { name: 'Wallboard' });
    const title = board.getByRole('heading', { level: 1 });
    await board
      .getByRole('group', { name: 'API calls per second' })
      .getByText(/^[\d.,]+$/)
      .waitFor();
    expect(await title.textContent()).toBe('Now');
    const sizeOf = async () => (await title.boundingBox())?.height ?? 0;
    const size = await sizeOf();
    expect(size).toBeGreaterThan(40);
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await page.keyboard.press('ArrowRight');
    await title.getByText('API calls').waitFor();
    await board.getByRole('region', { name: 'Response time' }).locator('.recharts-surface').waitFor();
    await page.setViewportSize({ width: 3840, height: 2160 });
    await eventually(sizeOf, (now) => Math.round(now / size) === 2);
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await page.evaluate(() => window.turn());
    await title.getByText('Server').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL('**/admin/monitoring');
    await page.getByRole('link', { name: 'Wallboard' }).waitFor();
    await page.context().close();
  });

  itAtLength('divides the calls by a dimension, filters by a part, and removes the filter', async () => {
    await record(7);
    const wiki = {
      service: 'confluence',
      instanceUrl: 'https://wiki.example',
      operation: 'PUT:/page',
      status: 503,
      durationMs: 90,
    };
    const sent = await tool.post('/api/cli/api-calls', { sourceId: 'wiki', firstSequence: 1, calls: [wiki, wiki, wiki] });
    expect(sent.status).toBe(202);
    others += 3;
    const page = await web.openAsAdmin('/admin/monitoring');
    const by = page.getByLabel('Break down by');
    await by.selectOption('service');
    await page.waitForURL('**/admin/monitoring?by=service');
    const parts = page.getByRole('region', { name: 'Breakdown' });
    const row = parts.getByRole('row', { name: /Confluence/ });
    // The newest minute is drawn once some seconds of it are over.
    await row.waitFor({ timeout: 45_000 });
    await expect.poll(() => row.getByRole('cell').allTextContents()).toEqual(['Confluence', '3', '3', '100.0%']);
    for (const chart of ['API calls', 'Failed calls', 'Response time']) {
      await page
        .getByRole('region', { name: chart, exact: true })
        .locator('.recharts-area-curve')
        .nth(1)
        .waitFor({ state: 'attached' });
    }
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await row.getByRole('button', { name: 'Show only Confluence' }).click();
    await page.waitForURL('**/admin/monitoring?service=confluence');
    await page.goBack();
    await page.waitForURL('**/admin/monitoring?by=service');
    await page.goForward();
    await page.waitForURL('**/admin/monitoring?service=confluence');
    await page.locator('a[href="/admin/monitoring/calls?service=confluence&window=15m"]').waitFor();
    await by.selectOption('customer');
    await parts.getByRole('button', { name: 'Show only First' }).click();
    await page.waitForURL(/[?]service=confluence&customer=[-0-9a-f]+$/);
    await page.getByRole('button', { name: 'Remove the filter Customer: First' }).waitFor();
    await by.selectOption('instance');
    await parts.getByRole('button', { name: 'Show only https://wiki.example (First)' }).waitFor();
    await by.selectOption('outcome');
    await parts.getByRole('button', { name: 'Show only 5xx' }).click();
    await page.waitForURL(/[?]service=confluence&customer=[-0-9a-f]+&outcome=5xx$/);
    const filters = page.getByRole('list', { name: 'Filters of the charts' }).getByRole('button');
    await page.getByRole('button', { name: 'Remove the filter Outcome: 5xx' }).waitFor();
    await parts.waitFor({ state: 'detached' }); // until then the charts are those of before
    // A point opens its calls with these filters: with the mouse, and by keyboard.
    const chart = page.getByRole('region', { name: 'API calls', exact: true }).getByRole('application');
    await chart.focus();
    await page.keyboard.press('ArrowRight');
    await page
      .getByRole('region', { name: 'API calls', exact: true })
      .locator('.recharts-tooltip-cursor')
      .waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.waitForURL(/[/]monitoring[/]calls[?]customer=[-0-9a-f]+&service=confluence&status=5xx&from=.+&to=.+$/);
    await page.goBack();
    await page.getByRole('button', { name: 'Remove the filter Outcome: 5xx' }).waitFor();
    const surface = page.getByRole('region', { name: 'API calls', exact: true }).locator('.recharts-surface');
    const { width } = await chartSize(page, surface);
    await surface.click({ position: { x: width - 36, y: 90 } });
    await page.waitForURL(/[/]monitoring[/]calls[?]customer=[-0-9a-f]+&service=confluence&status=5xx&from=.+&to=.+$/);
    await page.getByRole('heading', { level: 1, name: 'API calls' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Remove the filter Outcome: 5xx' }).waitFor();
    await expect.poll(() => filters.allTextContents()).toEqual(['Service: Confluence', 'Outcome: 5xx', 'Customer: First']);
    for (const filter of ['Service: Confluence', 'Outcome: 5xx', 'Customer: First']) {
      await page.getByRole('button', { name: `Remove the filter ${filter}` }).click();
    }
    await page.waitForURL('**/admin/monitoring');
    await leave(page);
  });
});

describe('the connection', () => {
  it('is reported as lost, keeps the data on the screen, and updates it after it reconnects', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.locator('[data-live=live]').waitFor();
    await page.context().setOffline(true);
    await page.locator('[data-live=offline]').waitFor();
    await page.getByText(/^You're offline\./).waitFor();
    await page.getByRole('link', { name: 'Sixth' }).waitFor();
    const { body } = await web.admin.get('/api/admin/customers?search=Sixth');
    await web.admin.put(`/api/admin/customers/${body.customers[0].id}`, { name: 'Sixth renamed', contactEmail: 'it@six.example' });
    await page.context().setOffline(false);
    await page.locator('[data-live=live]').waitFor();
    await page.getByRole('link', { name: 'Sixth renamed' }).waitFor();
    await leave(page);
  });

  itAtLength('refetches only what changed before it was established', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const times = (path: string) => requests.filter((one) => one === path).length;
    const connection = deferred();
    await page.routeWebSocket(/socket\.io/, async (socket) => {
      await connection.released;
      socket.connectToServer();
    });
    await page.goto('/admin/customers');
    await page.getByRole('link', { name: 'Second', exact: true }).waitFor();
    const { body } = await web.admin.get('/api/admin/customers?search=Second');
    await web.admin.put(`/api/admin/customers/${body.customers[0].id}`, { name: 'Second renamed', contactEmail: 'it@two.example' });
    await page.getByRole('link', { name: 'Second', exact: true }).waitFor();
    requests.length = 0;
    connection.release();
    await page.getByRole('link', { name: 'Second renamed' }).waitFor();
    expect(times('/api/auth/admin/session')).toBe(0);
    await page.context().close();
  });

  itAtLength('refetches nothing that did not change while it was disconnected', async () => {
    const { body } = await web.admin.get('/api/admin/customers?search=First');
    const total = async (): Promise<number> =>
      (await web.admin.get(`/api/admin/customers/${body.customers[0].id}`)).body.customer.totalApiCalls;
    await eventually(total, (calls) => calls === recorded + others); // what is counted later would be a change
    const page = await web.openAsAdmin(EMPTY_PAGE);
    let requests = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/admin/customers') requests += 1;
    });
    const changed = page
      .waitForEvent('websocket')
      .then((socket) => socket.waitForEvent('framereceived', ({ payload }) => payload.includes('"changed"')));
    await page.goto('/admin/customers');
    await changed;
    await page.getByRole('link', { name: 'Second renamed' }).waitFor();
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    expect(requests).toBe(1);
    await leave(page);
  });

  itAtLength('keeps the page while it is lost, and retries a screen that failed to load once it is back', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.locator('[data-live=live]').waitFor();
    await mark(page);
    await page.context().setOffline(true);
    await page.locator('[data-live=offline]').waitFor();
    await page.getByRole('button', { name: 'Create customer' }).click();
    await toastsOf(page).getByText("You're offline. Try again when you're connected.").waitFor();
    await page.getByRole('link', { name: 'First', exact: true }).click();
    await page.getByText("This screen couldn't be loaded").waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Create customer' }).click();
    await dialogOf(page).waitFor();
    expect(await isMarked(page)).toBe(true);
    await leave(page);
  });

  itAtLength('is established without a reload after its code failed to load', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE);
    const CODE_OF_CONNECTIONS = '**/assets/esm-*.js';
    await page.route(CODE_OF_CONNECTIONS, (route) => route.abort());
    await page.goto('/admin/customers');
    await page.locator('[data-live=reconnecting]').waitFor();
    await mark(page);
    await page.unroute(CODE_OF_CONNECTIONS);
    await page.locator('[data-live=live]').waitFor();
    expect(await isMarked(page)).toBe(true);
    await leave(page);
  });

  itAtLength('draws a chart without a reload after its code failed to load', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE);
    const CODE_OF_CHARTS = '**/assets/CartesianChart-*.js';
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('CartesianChart'));
    await page.route(CODE_OF_CHARTS, (route) => route.abort());
    await page.goto('/admin/dashboard');
    await failed;
    await mark(page);
    await page.unroute(CODE_OF_CHARTS);
    await page.locator('.recharts-surface').first().waitFor();
    expect(await isMarked(page)).toBe(true);
    await leave(page);
  });

  itAtLength('opens a screen without a reload after its code failed to load', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    const CODE_OF_CUSTOMER = '**/assets/CustomerScreen-*.js';
    await mark(page);
    await page.route(CODE_OF_CUSTOMER, (route) => route.abort());
    await page.getByRole('link', { name: 'First', exact: true }).click();
    await page.getByText("This screen couldn't be loaded").waitFor();
    await page.unroute(CODE_OF_CUSTOMER);
    await page.goBack();
    await page.getByRole('link', { name: 'First', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor();
    expect(await isMarked(page)).toBe(true);
    await leave(page);
  });

  itAtLength('reloads the page once if a newer version replaced a file of this one', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.locator('[data-live=live]').waitFor();
    await mark(page);
    await page.route('**/assets/CustomerScreen-*.js', (route) => route.fulfill({ status: 404 }), { times: 1 });
    await page.getByRole('link', { name: 'First', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'First' }).waitFor();
    expect(await isMarked(page)).toBe(false);
    await leave(page);
  });

  it('closes the screens of a session that was ended elsewhere', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.getByRole('link', { name: 'First', exact: true }).waitFor();
    const ended = await page.context().request.post('/api/auth/admin/logout', { data: {}, headers: { origin: web.url } });
    expect(ended.ok()).toBe(true);
    await page.waitForURL('**/admin/login');
    await leave(page);
  });
});

describeAtLength('a token without a session', () => {
  it('is removed, and the sign-in is shown', async () => {
    const page = await web.open('/');
    await page.evaluate(() => {
      localStorage.setItem('customer_token', 'dead');
      localStorage.setItem('serviceIntegratorToken', 'dead too');
    });
    await page.goto('/portal/users');
    await page.waitForURL('**/portal/login');
    await eventually(
      () => page.evaluate(() => Object.keys(localStorage)),
      (keys) => !keys.includes('customer_token') && !keys.includes('serviceIntegratorToken'),
    );
    await leave(page);
  });
});

describeAtLength('a dialog', () => {
  it('closes with Escape and restores the focus', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    const opener = page.getByRole('button', { name: 'Create customer' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await holdsFocus(dialogOf(page));
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await eventually(
      () => opener.evaluate((button) => button === document.activeElement),
      (isFocused) => isFocused,
    );
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors.filter((trouble) => !/ERR_INTERNET_DISCONNECTED|assets\/\S+ couldn't be loaded/.test(trouble))).toEqual([]);
});
