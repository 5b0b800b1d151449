import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../tests/support/chromium.ts';
import { asAdmin, bearer, type Customer, callerOf, newCustomer, signIn, type Tool } from './support/apiClients.ts';
import { type Changing, startChanges } from './support/changes.ts';
import { meter, openPage, type PageMetrics, type Viewer } from './support/pages.ts';
import { startProduct } from './support/product.ts';
import { startBarePostgres } from './support/rawInsert.ts';
import { settings } from './support/settings.ts';

/** The load of an open screen on its browser and on the server during a thousand changes a second, and whether it shows the final state. */

/** `only` is the number of one scene to run, or 0 for all. */
const { only, seconds, warmUp, customers, users, rate } = settings({
  only: 0,
  seconds: 30,
  warmUp: 5,
  customers: 60,
  users: 200,
  rate: 1_000,
});

const LIMITS = {
  /** The share of the main thread's time. */
  busy: 0.2,
  /** The heap growth of a screen in bytes. */
  heapGrowth: 3e6,
  /** Requests a second to the same path: four, plus requests in flight when the measurement begins and ends. */
  requests: 4.5,
};
const TOOLS_EACH = 4;
const RECORDINGS = 10;

/** Runs in the page: the id of each visible user, and whether the page shows it as connected. */
const BADGES = `[...document.querySelectorAll('[data-user]')].map((card) => [card.dataset.user, card.innerText.includes('Connected')])`;

type Scene = {
  name: string;
  path: string;
  viewer: Viewer;
  changing: Pick<Changing, 'topics' | 'presence' | 'tools'>;
  /** What the user does on the page before the measurement. */
  prepare?: (page: Page) => Promise<void>;
};
type Measurement = {
  before: PageMetrics;
  after: PageMetrics;
  seconds: number;
  requests: Map<string, number>;
  messages: number;
  changesPerSecond: number;
};

const postgres = await startBarePostgres();
const product = await startProduct({ env: { DATABASE_URL: postgres.url } });
const browser = await launchBrowser();
const { url } = product;

const admin = await asAdmin(url);
const contact = { companyName: 'Contoso', contactEmail: 'it@contoso.example', billingEmail: 'bills@contoso.example' };
const { service_integrator: integrator } = await admin('POST', '/api/admin/service-integrators', contact);
const withTools = async (name: string, count: number): Promise<{ customer: Customer; tools: Tool[] }> => {
  const customer = await newCustomer(admin, integrator.id, name);
  const tools: Tool[] = [];
  for (let index = 0; index < count; index++) tools.push(await signIn(url, customer, `user-${index}`));
  return { customer, tools };
};

const selectAll = (page: Page): Promise<void> => page.getByRole('checkbox', { name: 'Select all on this page' }).check();

/** Renders each page of the wallboard once, so that the heap already has their code. */
const showAllPages = async (page: Page): Promise<void> => {
  for (const shown of [1, 2, 0]) {
    await page.keyboard.press('ArrowRight');
    await page.locator(`[data-page="${shown}"]`).waitFor();
    await delay(1_000);
  }
};

/** Measures an open screen during changes. */
const watch = async (page: Page, changing: Scene['changing']): Promise<Measurement> => {
  const { session, read } = await meter(page);
  const requests = new Map<string, number>();
  let messages = 0;
  await session.send('Network.enable');
  session.on('Network.webSocketFrameReceived', () => {
    messages += 1;
  });
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    requests.set(pathname, (requests.get(pathname) ?? 0) + 1);
  });
  const changes = await startChanges({
    url,
    databaseUrl: postgres.url,
    integratorId: integrator.id,
    recordings: RECORDINGS,
    ...changing,
  });
  await delay(warmUp * 1_000);
  requests.clear();
  messages = 0;
  const before = await read();
  const begun = performance.now();
  await delay(seconds * 1_000);
  const after = await read();
  const took = (performance.now() - begun) / 1_000;
  const measurement = { before, after, seconds: took, requests: new Map(requests), messages };
  return { ...measurement, changesPerSecond: await changes.stop() };
};

const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;

/** Prints the measurement and its limits. Returns whether it is within all limits. */
const reportScene = (
  name: string,
  { before, after, seconds: took, requests, messages, changesPerSecond }: Measurement,
): boolean => {
  const share = (of: (effort: PageMetrics) => number): number => (of(after) - of(before)) / took;
  const busy = share((effort) => effort.busy);
  const heapGrowth = after.heap - before.heap;
  const maxRequests = Math.max(0, ...requests.values()) / took;
  const isWithinLimits = busy < LIMITS.busy && heapGrowth < LIMITS.heapGrowth && maxRequests <= LIMITS.requests;
  const parts = `script ${percent(share((effort) => effort.script))}, layout ${percent(share((effort) => effort.layout))}`;
  console.log(
    `${isWithinLimits ? 'within' : 'OVER  '}  ${name.padEnd(24)} main thread ${percent(busy)} of ${percent(LIMITS.busy)} (${parts})`,
  );
  console.log(
    `      ${Math.round(changesPerSecond)} changes/s, ${Math.round(messages / took)} messages/s; heap ${(after.heap / 1e6).toFixed(1)} MB, growth ${(heapGrowth / 1e6).toFixed(2)}; ${after.nodes} nodes, growth ${after.nodes - before.nodes}; ${after.listeners} listeners, growth ${after.listeners - before.listeners}`,
  );
  for (const [path, count] of requests) console.log(`      ${(count / took).toFixed(1)} requests/s of ${path}`);
  return isWithinLimits;
};

try {
  const allTools: Tool[] = [];
  for (let index = 0; index < customers; index++) allTools.push(...(await withTools(`Customer ${index}`, TOOLS_EACH)).tools);
  const { customer, tools: customerTools } = await withTools('Crowded', users);

  const portal: Viewer = { area: 'portal', licenseKey: customer.licenseKey };
  const reseller: Viewer = { area: 'integrator', masterLicenseKey: integrator.masterLicenseKey };
  const all = { topics: rate, presence: 0, tools: allTools };
  const own = { topics: rate / 2, presence: rate / 2, tools: customerTools };
  const scenes: Scene[] = [
    { name: 'monitoring', path: '/admin/monitoring', viewer: { area: 'admin' }, changing: all },
    { name: 'dashboard', path: '/admin/dashboard', viewer: { area: 'admin' }, changing: all },
    { name: 'customers', path: '/admin/customers', viewer: { area: 'admin' }, changing: all },
    { name: 'a customer', path: `/admin/customers/${customer.id}`, viewer: { area: 'admin' }, changing: own },
    { name: "integrator's customers", path: '/service-integrator/customers', viewer: reseller, changing: all },
    { name: "integrator's users", path: '/service-integrator/users', viewer: reseller, changing: own },
    { name: "a customer's users", path: '/portal/users', viewer: portal, changing: own },
    { name: "a customer's dashboard", path: '/portal/dashboard', viewer: portal, changing: own },
    { name: "a customer's usage", path: '/portal/usage', viewer: portal, changing: own },
    { name: 'audit', path: '/admin/audit', viewer: { area: 'admin' }, changing: all },
    { name: "integrator's audit", path: '/service-integrator/audit', viewer: reseller, changing: all },
    { name: 'calls', path: '/admin/monitoring/calls', viewer: { area: 'admin' }, changing: all },
    { name: "a customer's calls", path: '/portal/usage/calls', viewer: portal, changing: own },
    { name: "integrator's usage", path: '/service-integrator/usage', viewer: reseller, changing: all },
    { name: 'alerts', path: '/admin/monitoring/alerts', viewer: { area: 'admin' }, changing: all },
    { name: 'monitoring, by operation', path: '/admin/monitoring?by=operation', viewer: { area: 'admin' }, changing: all },
    { name: 'wallboard', path: '/admin/monitoring/wallboard', viewer: { area: 'admin' }, changing: all, prepare: showAllPages },
    { name: 'selected customers', path: '/admin/customers', viewer: { area: 'admin' }, changing: all, prepare: selectAll },
    {
      name: "table of integrator's",
      path: '/service-integrator/customers',
      viewer: reseller,
      changing: all,
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Table', exact: true }).click();
        await selectAll(page);
      },
    },
    { name: 'seats', path: `/admin/customers/${customer.id}/seats`, viewer: { area: 'admin' }, changing: own },
  ];

  const [recorder] = customerTools;
  const operationOf = (name: string): string => `GET:/${name.replaceAll(/[^\w]+/g, '-')}`;
  let finalCalls = 0;
  /** Makes the last changes: a new name of the customer, an alert rule, and a call with an operation of its own. */
  const changeLast = async (renamed: string): Promise<void> => {
    await admin('PUT', `/api/admin/customers/${customer.id}`, { name: renamed, contactEmail: 'it@acme.example' });
    await admin('POST', '/api/admin/alert-rules', { name: renamed, metric: 'error_rate', threshold: 50, forSeconds: 60 });
    if (!recorder) throw new Error('No tool is signed in');
    finalCalls += 1;
    const call = {
      service: 'jira',
      instanceUrl: 'https://acme.atlassian.net',
      operation: operationOf(renamed),
      status: 200,
      durationMs: 9,
    };
    const body = { sourceId: `final-${process.pid}`, firstSequence: finalCalls, calls: [call] };
    await callerOf(url, bearer(recorder.token))('POST', '/api/cli/api-calls', body);
  };

  const isVisible = (page: Page, text: string): Promise<boolean> =>
    page
      .getByText(text)
      .first()
      .waitFor({ timeout: 5_000 })
      .then(
        () => true,
        () => false,
      );
  const wholeText = (count: number): string => count.toLocaleString('en-GB');

  /** Whether the screen shows the final state after the last change. */
  const showsFinalState = async (page: Page, { path, name }: Scene): Promise<boolean> => {
    const renamed = `Renamed on ${name}`;
    const { token } = await callerOf(url, {})('POST', '/api/auth/customer/login', { licenseKey: customer.licenseKey });
    const asCustomer = callerOf(url, { authorization: `Bearer ${token}` });
    if (path.endsWith('/users')) {
      const { users: listed } = await asCustomer('GET', '/api/users/with-connections?limit=24');
      const connectedById = new Map<string, boolean>(
        listed.map(({ id, currentlyConnected }: { id: string; currentlyConnected: boolean }) => [id, currentlyConnected]),
      );
      const shown: [string, boolean][] = await page.evaluate(BADGES);
      return shown.length === 24 && shown.every(([id, connected]) => connectedById.get(id) === connected);
    }
    if (path.endsWith('/calls')) return isVisible(page, operationOf(renamed));
    if (path.endsWith('/wallboard')) return isVisible(page, 'Overall health'); // without anything that the last changes change
    if (path.startsWith('/admin/monitoring') && !path.endsWith('/alerts')) {
      return isVisible(page, wholeText((await admin('GET', '/monitoring/metrics')).apiCalls.total));
    }
    if (path === '/service-integrator/usage') {
      const { masterLicenseKey } = integrator;
      const { token } = await callerOf(url, {})('POST', '/api/auth/service-integrator/login', { masterLicenseKey });
      const { usage } = await callerOf(url, bearer(token))('GET', '/api/service-integrator/usage?days=30');
      return isVisible(page, wholeText(usage.totalApiCalls));
    }
    return isVisible(page, renamed);
  };

  for (const scene of only > 0 ? scenes.slice(only - 1, only) : scenes) {
    const page = await openPage(browser, url, scene.path, scene.viewer);
    await scene.prepare?.(page);
    const isWithinLimits = reportScene(scene.name, await watch(page, scene.changing));
    await changeLast(`Renamed on ${scene.name}`);
    await delay(1_000);
    let isCurrent = await showsFinalState(page, scene);
    for (let retry = 0; retry < 4 && !isCurrent; retry++) {
      await delay(1_000); // a busy machine
      isCurrent = await showsFinalState(page, scene);
    }
    if (!isCurrent) console.log('      OUTDATED: the screen does not show the final state');
    if (!isWithinLimits || !isCurrent) process.exitCode = 1;
    await page.context().close();
  }
} finally {
  await browser.close();
  await product.stop();
  await postgres.stop();
}
