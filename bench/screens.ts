import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { io, type Socket } from 'socket.io-client';
import type { Changed, Presence, ServerToBrowser } from '../src/contracts/live.ts';
import { launchBrowser } from '../tests/support/chromium.ts';
import { quantile, report } from './support/figures.ts';
import { adminCookie, asAdmin, callerOf, newCustomer, newIntegrator, signIn } from './support/people.ts';
import { startProduct } from './support/product.ts';
import { settings } from './support/settings.ts';
import { openTool } from './support/toolSockets.ts';

/** From what one person does to what another one's socket hears, and to what a real browser shows. */

const { repetitions } = settings({ repetitions: 100 });
const WARM_UP = 10;
/** The feed tells a room of changes at most five times a second: who acts less often than that waits for nobody. */
const PAUSE_MS = 1_000;

const measure = async (name: string, once: (index: number) => Promise<number>): Promise<void> => {
  const times: number[] = [];
  for (let index = 0; index < WARM_UP + repetitions; index++) {
    await delay(PAUSE_MS);
    const ms = await once(index);
    if (index >= WARM_UP) times.push(ms);
  }
  report(`${name}, p50`, quantile(times, 0.5), 'ms');
  report('  p99', quantile(times, 0.99), 'ms');
};

/** Runs in the page: resolves to the time at which what is looked for is as it should be. */
const WATCH = ([selector, text, isThere]: readonly [string, string, boolean]): string => `new Promise((resolve) => {
  const isFound = () =>
    [...document.querySelectorAll(${JSON.stringify(selector)})].some((element) => element.textContent.includes(${JSON.stringify(text)}));
  const look = () => {
    if (isFound() !== ${isThere}) return;
    observer.disconnect();
    resolve(Date.now());
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  look();
})`;

/** Resolves, once the page is watched, to when it first shows the text in such an element, or no longer does: ms since 1970. */
const watchFor = async (page: Page, ...what: readonly [selector: string, text: string, isThere: boolean]) => {
  const seen: Promise<number> = page.evaluate(WATCH(what));
  await page.evaluate('document.title'); // answered after the observer is there
  return { seen };
};

type Storage = { origin: string; localStorage: { name: string; value: string }[] };

const open = async (browser: Browser, url: string, path: string, as: { cookie?: string; storage?: Storage }): Promise<Page> => {
  const storageState = { cookies: [], origins: as.storage ? [as.storage] : [] };
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', storageState });
  const [name = '', value = ''] = as.cookie?.split('=') ?? [];
  if (as.cookie) await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  await page.goto(path);
  await page.locator('[data-live=live]').waitFor();
  return page;
};

const product = await startProduct();
const browser = await launchBrowser();
const sockets: Socket<ServerToBrowser>[] = [];
try {
  const { url } = product;
  const admin = await asAdmin(url);
  const cookie = await adminCookie(url);
  const integrator = await newIntegrator(admin);
  const customer = await newCustomer(admin, integrator, 'Acme');
  const { token } = await signIn(url, customer, 'ada');
  const signInToPortal = async (): Promise<Storage> => {
    const { token: value } = await callerOf(url, {})('POST', '/api/auth/customer/login', { licenseKey: customer.licenseKey });
    return { origin: url, localStorage: [{ name: 'customer_token', value }] };
  };
  const storage = await signInToPortal();

  const socket: Socket<ServerToBrowser> = io(url, { transports: ['websocket'], extraHeaders: { cookie } });
  sockets.push(socket);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  /** The integrator's own change is told first; lists of customers wait for theirs. */
  const heardOfCustomers = (): Promise<void> =>
    new Promise((resolve) => {
      const hear = ({ topics }: Changed): void => {
        if (!topics.some(([word]) => word === undefined || word === 'customers')) return;
        socket.off('changed', hear);
        resolve();
      };
      socket.on('changed', hear);
    });
  await measure('a customer is made until a socket hears of it', async (index) => {
    const heard = heardOfCustomers();
    const begun = performance.now();
    await Promise.all([heard, newCustomer(admin, integrator, `Heard ${index}`)]);
    return performance.now() - begun;
  });

  const list = await open(browser, url, '/admin/customers', { cookie });
  await measure('  until the list in a browser shows it', async (index) => {
    const { seen } = await watchFor(list, 'table', `Seen ${index}.`, true);
    const begun = Date.now();
    await newCustomer(admin, integrator, `Seen ${index}.`);
    return (await seen) - begun;
  });

  const presence = (connected: boolean): Promise<Presence> =>
    new Promise((resolve) => {
      const hear = (told: Presence): void => {
        if (told.connected !== connected) return;
        socket.off('presence', hear);
        resolve(told);
      };
      socket.on('presence', hear);
    });
  await measure('a tool disconnects until a socket hears of it', async () => {
    const here = presence(true);
    const tool = await openTool(url, token);
    await here;
    const gone = presence(false);
    const begun = performance.now();
    tool.close();
    await gone;
    return performance.now() - begun;
  });

  const users = await open(browser, url, '/portal/users', { storage });
  await measure('  until its badge in a browser is gone', async () => {
    const here = await watchFor(users, 'main', 'Connected', true);
    const tool = await openTool(url, token);
    await here.seen;
    await delay(PAUSE_MS); // who comes and goes at once is drawn together
    const gone = await watchFor(users, 'main', 'Connected', false);
    const begun = Date.now();
    tool.close();
    await once(tool, 'close');
    return (await gone.seen) - begun;
  });

  const become = (status: 'active' | 'suspended'): Promise<unknown> =>
    admin('PUT', `/api/admin/customers/${customer.id}`, { name: 'Acme', contactEmail: 'it@acme.example', company: 'Acme', status });
  await measure('a customer is suspended until its open browser is signed out', async () => {
    const page = await open(browser, url, '/portal/usage', { storage: await signInToPortal() });
    const out = page.waitForURL('**/portal/login**').then(() => Date.now());
    const begun = Date.now();
    await become('suspended');
    const ms = (await out) - begun;
    await page.context().close();
    await become('active');
    return ms;
  });
} finally {
  for (const socket of sockets) socket.disconnect();
  await browser.close();
  await product.stop();
}
