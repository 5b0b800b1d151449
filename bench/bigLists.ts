import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../tests/support/chromium.ts';
import { asAdmin, bearer, callerOf } from './support/apiClients.ts';
import { nameOf, writeBigLists } from './support/bigLists.ts';
import { startEmbeddedStore } from './support/embeddedStore.ts';
import { quantile } from './support/figures.ts';
import { longestTask, meter, openPage, type Viewer } from './support/pages.ts';
import { startProduct } from './support/product.ts';
import { settings } from './support/settings.ts';

/** Long lists in a browser: DOM nodes, and the time to scroll, to open the next page, to sort and to search. */

const lengths = settings({
  customers: 10_000,
  integrators: 500,
  users: 5_000,
  history: 50_000,
  credentials: 500,
  themes: 300,
  repetitions: 15,
});
const { repetitions } = lengths;

/** The limit of DOM nodes for a page of rows and the layout around it. */
const NODES_LIMIT = 4_000;
const LONG_TASK_MS = 50;

type Scene = {
  name: string;
  path: string;
  viewer: Viewer;
  /** CSS selector of a row. */
  row: string;
  /** CSS selector of a section that loads its rows only when it is scrolled into view. */
  scrollTo?: string;
  /** Search terms; the first row contains the term after the search. */
  searches?: (index: number) => string;
  /** CSS selector of the column header to sort by. */
  sort?: string;
};

/** Runs in each page. `until` resolves to the ms from the action until the rows have changed, are no longer busy and are painted. */
const PROBE = `window.until = (row, act, says) => new Promise((resolve, reject) => {
  const rows = () => [...document.querySelectorAll(row)].map((one) => one.textContent).join();
  const before = rows();
  const late = setTimeout(() => reject(new Error('Nothing came of it: ' + says + ' | ' + rows().slice(0, 300))), 15000);
  const observer = new MutationObserver(() => {
    const now = rows();
    const isThere = says ? document.querySelector(row)?.textContent.includes(says) : now !== before && now !== '';
    if (!isThere || document.querySelector('[aria-busy=true]')) return;
    observer.disconnect();
    clearTimeout(late);
    requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => resolve(performance.now() - begun); channel.port2.postMessage(0); });
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  const begun = performance.now();
  act();
});
window.typed = (text) => {
  const field = document.querySelector('main input[type=search]');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};`;

const NEXT = `document.querySelector('nav[aria-label=Pages] button:last-child')`;

const store = await startEmbeddedStore();
console.error('Writing the past...');
const { masterSecret, ...bigLists } = await writeBigLists({ databaseUrl: store.databaseUrl, eventStoreUrl: store.url }, lengths);
const product = await startProduct({
  env: { DATABASE_URL: store.databaseUrl, EVENTSTORE_URL: store.url, MASTER_SECRET: masterSecret },
});
const browser = await launchBrowser();
const { url } = product;

/** Resolves when the read models contain all events. */
const waitForReadModels = async (): Promise<void> => {
  const admin = await asAdmin(url);
  const count = async (path: string): Promise<number> => (await admin('GET', path)).total;
  while ((await count('/api/admin/customers?limit=1')) < Math.min(lengths.customers, 10_000)) await delay(200);
  while ((await count(`/api/admin/customers/${bigLists.customerId}/history?limit=1`)) < Math.min(lengths.history, 10_000))
    await delay(200);
  const { token } = await callerOf(url, {})('POST', '/api/auth/customer/login', { licenseKey: bigLists.licenseKey });
  const customer = callerOf(url, bearer(token));
  while ((await customer('GET', '/api/credentials/list')).credentials.length < lengths.credentials) await delay(200);
};

/** The median duration of the scripts in ms. Stops at the first script that returns null, such as on the last page. */
const medianOf = async (page: Page, scripts: readonly string[]): Promise<number> => {
  const times: number[] = [];
  for (const script of scripts) {
    const ms: number | null = await page.evaluate(script);
    if (ms === null) break;
    times.push(ms);
  }
  return quantile(times, 0.5);
};

const measureScene = async ({ name, path, viewer, row, scrollTo, searches, sort }: Scene): Promise<boolean> => {
  const page = await openPage(browser, url, path, viewer, PROBE);
  if (scrollTo) await page.locator(scrollTo).scrollIntoViewIfNeeded();
  await page.locator(row).first().waitFor();
  await delay(1_000);
  const { session, read } = await meter(page);
  const rows = await page.locator(row).count();
  const before = await read();
  const scrolling = await longestTask(browser, async () => {
    for (const yDistance of [-20_000, 20_000, -20_000, 20_000]) {
      await session.send('Input.synthesizeScrollGesture', { x: 700, y: 600, yDistance, speed: 8_000 });
    }
  });
  const cpuSeconds = (await read()).busy - before.busy;

  const until = (act: string, expected = ''): string => `until(${JSON.stringify(row)}, () => ${act}, ${JSON.stringify(expected)})`;
  const repeat = (script: (index: number) => string): string[] => Array.from({ length: repetitions }, (_, index) => script(index));
  const actions: [string, string[]][] = [
    ['next page', repeat(() => `!${NEXT} || ${NEXT}.disabled ? null : ${until(`${NEXT}.click()`)}`)],
  ];
  if (sort) actions.push(['sort', repeat(() => until(`document.querySelector(${JSON.stringify(sort)}).click()`))]);
  if (searches) {
    actions.push(['last key to result', repeat((index) => until(`typed(${JSON.stringify(searches(index))})`, searches(index)))]);
  }
  const times: string[] = [];
  const actionTask = await longestTask(browser, async () => {
    for (const [what, scripts] of actions) times.push(`${what} ${(await medianOf(page, scripts)).toFixed(0)} ms`);
  });
  const isWithinLimits = before.nodes <= NODES_LIMIT && scrolling <= LONG_TASK_MS;
  console.log(`${isWithinLimits ? 'within' : 'OVER  '}  ${name.padEnd(26)} ${rows} rows, ${before.nodes} nodes of ${NODES_LIMIT}`);
  console.log(
    `      scrolling: longest task ${scrolling.toFixed(1)} ms of ${LONG_TASK_MS}, all ${(cpuSeconds * 1_000).toFixed(0)} ms of CPU`,
  );
  console.log(`      p50 of ${times.join(', ')}; longest task ${actionTask.toFixed(1)} ms of CPU`);
  await page.context().close();
  return isWithinLimits;
};

try {
  await waitForReadModels();
  const admin: Viewer = { area: 'admin' };
  const reseller: Viewer = { area: 'integrator', masterLicenseKey: bigLists.masterLicenseKey };
  const portal: Viewer = { area: 'portal', licenseKey: bigLists.licenseKey };
  const byName = (index: number): string => nameOf((index * 617 + 1_000) % lengths.customers);
  const byUser = (index: number): string => `user-${(index * 311 + 1_000) % lengths.users}`;
  const cards = (label: string): string => `ul[aria-label="${label}"] > li`;
  const scenes: Scene[] = [
    { name: 'customers', path: '/admin/customers', viewer: admin, row: 'tbody tr', searches: byName, sort: 'thead .sort' },
    {
      name: 'integrators',
      path: '/admin/service-integrators',
      viewer: admin,
      row: 'tbody tr',
      searches: (index) => nameOf((index * 7 + 10) % lengths.integrators),
    },
    {
      name: "an integrator's customers",
      path: `/admin/service-integrators/${bigLists.integratorId}`,
      viewer: admin,
      row: 'tbody tr',
    },
    {
      name: 'history',
      path: `/admin/customers/${bigLists.customerId}`,
      viewer: admin,
      row: 'li[data-type]',
      scrollTo: 'section[aria-label=History]',
    },
    { name: 'own customers', path: '/service-integrator/customers', viewer: reseller, row: cards('Customers'), searches: byName },
    { name: 'own users', path: '/service-integrator/users', viewer: reseller, row: '[data-user]', searches: byUser },
    { name: 'custom themes', path: '/service-integrator/themes', viewer: reseller, row: cards('Custom themes') },
    { name: 'users', path: '/portal/users', viewer: portal, row: '[data-user]', searches: byUser },
    { name: 'credentials', path: '/portal/credentials', viewer: portal, row: cards('Service connections') },
  ];
  for (const scene of scenes) if (!(await measureScene(scene))) process.exitCode = 1;
} finally {
  await browser.close();
  await product.stop();
  await store.stop();
}
