import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../tests/support/chromium.ts';
import { type Changing, startChanges } from './support/changes.ts';
import { type Effort, meter, openPage, type Viewer } from './support/pages.ts';
import { asAdmin, type Customer, callerOf, newCustomer, signIn, type Tool } from './support/people.ts';
import { startProduct } from './support/product.ts';
import { startBarePostgres } from './support/rawInsert.ts';
import { settings } from './support/settings.ts';

/** What a screen that stays open costs its browser and the server while a thousand things a second change, and what it shows in the end. */

/** `only` is the number of a scene, 0 for all. */
const { only, seconds, warmUp, customers, users, rate } = settings({
  only: 0,
  seconds: 30,
  warmUp: 5,
  customers: 60,
  users: 200,
  rate: 1_000,
});

const LIMITS = {
  /** Share of the main thread's time. */
  busy: 0.2,
  /** Bytes that a screen may hold more than before. */
  grown: 3e6,
  /** Requests a second for the same thing: four, and what is under way at the edges. */
  requests: 4.5,
};
const TOOLS_EACH = 4;
const RECORDINGS = 10;

/** Runs in the page: each user that is shown, and whether as connected. */
const BADGES = `[...document.querySelectorAll('[data-user]')].map((card) => [card.dataset.user, card.innerText.includes('Connected')])`;

type Scene = { name: string; path: string; viewer: Viewer; changing: Pick<Changing, 'topics' | 'presence' | 'tools'> };
type Seen = { before: Effort; after: Effort; seconds: number; requests: Map<string, number>; messages: number; made: number };

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

/** What a screen does while things change. */
const watch = async (page: Page, changing: Scene['changing']): Promise<Seen> => {
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
  const seen = { before, after, seconds: took, requests: new Map(requests), messages };
  return { ...seen, made: await changes.stop() };
};

const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;

/** Prints what was seen beside its limits; whether all were kept. */
const tell = (name: string, { before, after, seconds: took, requests, messages, made }: Seen): boolean => {
  const share = (of: (effort: Effort) => number): number => (of(after) - of(before)) / took;
  const busy = share((effort) => effort.busy);
  const grown = after.heap - before.heap;
  const most = Math.max(0, ...requests.values()) / took;
  const isKept = busy < LIMITS.busy && grown < LIMITS.grown && most <= LIMITS.requests;
  const parts = `script ${percent(share((effort) => effort.script))}, layout ${percent(share((effort) => effort.layout))}`;
  console.log(`${isKept ? 'kept' : 'OVER'}  ${name.padEnd(24)} main thread ${percent(busy)} of ${percent(LIMITS.busy)} (${parts})`);
  console.log(
    `      ${Math.round(made)} changes/s, ${Math.round(messages / took)} messages/s; heap ${(after.heap / 1e6).toFixed(1)} MB, ${(grown / 1e6).toFixed(2)} more; ${after.nodes} nodes, ${after.nodes - before.nodes} more; ${after.listeners} listeners, ${after.listeners - before.listeners} more`,
  );
  for (const [path, count] of requests) console.log(`      ${(count / took).toFixed(1)} requests/s of ${path}`);
  return isKept;
};

try {
  const everybody: Tool[] = [];
  for (let index = 0; index < customers; index++) everybody.push(...(await withTools(`Customer ${index}`, TOOLS_EACH)).tools);
  const { customer, tools: crowd } = await withTools('Crowded', users);

  const portal: Viewer = { area: 'portal', licenseKey: customer.licenseKey };
  const reseller: Viewer = { area: 'integrator', masterLicenseKey: integrator.masterLicenseKey };
  const all = { topics: rate, presence: 0, tools: everybody };
  const own = { topics: rate / 2, presence: rate / 2, tools: crowd };
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
  ];

  /** Whether the screen comes to show what is true once nothing changes any more. */
  const showsTheEnd = async (page: Page, { path, name }: Scene): Promise<boolean> => {
    const renamed = `Renamed on ${name}`;
    await admin('PUT', `/api/admin/customers/${customer.id}`, { name: renamed, contactEmail: 'it@acme.example' });
    const { token } = await callerOf(url, {})('POST', '/api/auth/customer/login', { licenseKey: customer.licenseKey });
    const asCustomer = callerOf(url, { authorization: `Bearer ${token}` });
    if (path.endsWith('/users')) {
      const { users: listed } = await asCustomer('GET', '/api/users/with-connections?limit=24');
      const isHere = new Map<string, boolean>(
        listed.map(({ id, currentlyConnected }: { id: string; currentlyConnected: boolean }) => [id, currentlyConnected]),
      );
      const shown: [string, boolean][] = await page.evaluate(BADGES);
      return shown.length === 24 && shown.every(([id, connected]) => isHere.get(id) === connected);
    }
    if (path.endsWith('/monitoring')) return true;
    return page
      .getByText(renamed)
      .first()
      .waitFor({ timeout: 5_000 })
      .then(
        () => true,
        () => false,
      );
  };

  for (const scene of only > 0 ? scenes.slice(only - 1, only) : scenes) {
    const page = await openPage(browser, url, scene.path, scene.viewer);
    const isKept = tell(scene.name, await watch(page, scene.changing));
    await delay(1_000);
    const isTrue = await showsTheEnd(page, scene);
    if (!isTrue) console.log('      LOST: it does not show how things are in the end');
    if (!isKept || !isTrue) process.exitCode = 1;
    await page.context().close();
  }
} finally {
  await browser.close();
  await product.stop();
  await postgres.stop();
}
