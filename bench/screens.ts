import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { io, type Socket } from 'socket.io-client';
import type { Changed, Presence, ServerToBrowser } from '../src/contracts/live.ts';
import { launchBrowser } from '../tests/support/chromium.ts';
import { adminCookie, asAdmin, callerOf, newCustomer, newIntegrator, signIn } from './support/apiClients.ts';
import { quantile, report } from './support/figures.ts';
import { startProduct } from './support/product.ts';
import { settings } from './support/settings.ts';
import { openTool } from './support/toolSockets.ts';

/** The delay from one user's action to the message on another user's socket, and to its display in a real browser. */

const { repetitions } = settings({ repetitions: 100 });
const WARM_UP = 10;
/** The feed notifies a room at most five times a second. With longer pauses, no measurement waits for that limit. */
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

/** Runs in the page: resolves to the time at which an element with the text is present, or no longer is. */
const WATCH = ([selector, text, isPresent]: readonly [string, string, boolean]): string => `new Promise((resolve) => {
  const isFound = () =>
    [...document.querySelectorAll(${JSON.stringify(selector)})].some((element) => element.textContent.includes(${JSON.stringify(text)}));
  const look = () => {
    if (isFound() !== ${isPresent}) return;
    observer.disconnect();
    resolve(Date.now());
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  look();
})`;

/** Starts to observe the page. `seenAt` resolves to the epoch ms at which an element with the text appears or disappears. */
const watchFor = async (page: Page, ...what: readonly [selector: string, text: string, isThere: boolean]) => {
  const seenAt: Promise<number> = page.evaluate(WATCH(what));
  await page.evaluate('document.title'); // returns after the observer is installed
  return { seenAt };
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
  /** Ignores the integrator's own change, which the server sends first. */
  const nextCustomerChange = (): Promise<void> =>
    new Promise((resolve) => {
      const onMessage = ({ topics }: Changed): void => {
        if (!topics.some(([word]) => word === undefined || word === 'customers')) return;
        socket.off('changed', onMessage);
        resolve();
      };
      socket.on('changed', onMessage);
    });
  await measure('a customer is created until a socket is notified', async (index) => {
    const received = nextCustomerChange();
    const begun = performance.now();
    await Promise.all([received, newCustomer(admin, integrator, `Reported ${index}`)]);
    return performance.now() - begun;
  });

  const list = await open(browser, url, '/admin/customers', { cookie });
  await measure('  until the list in a browser shows it', async (index) => {
    const { seenAt } = await watchFor(list, 'table', `Seen ${index}.`, true);
    const begun = Date.now();
    await newCustomer(admin, integrator, `Seen ${index}.`);
    return (await seenAt) - begun;
  });

  const nextPresence = (connected: boolean): Promise<Presence> =>
    new Promise((resolve) => {
      const onMessage = (received: Presence): void => {
        if (received.connected !== connected) return;
        socket.off('presence', onMessage);
        resolve(received);
      };
      socket.on('presence', onMessage);
    });
  await measure('a tool disconnects until a socket is notified', async () => {
    const connected = nextPresence(true);
    const tool = await openTool(url, token);
    await connected;
    const disconnected = nextPresence(false);
    const begun = performance.now();
    tool.close();
    await disconnected;
    return performance.now() - begun;
  });

  const users = await open(browser, url, '/portal/users', { storage });
  await measure('  until its badge disappears in a browser', async () => {
    const connected = await watchFor(users, 'main', 'Connected', true);
    const tool = await openTool(url, token);
    await connected.seenAt;
    await delay(PAUSE_MS); // the page draws a connect and an immediate disconnect together
    const gone = await watchFor(users, 'main', 'Connected', false);
    const begun = Date.now();
    tool.close();
    await once(tool, 'close');
    return (await gone.seenAt) - begun;
  });

  const setStatus = (status: 'active' | 'suspended'): Promise<unknown> =>
    admin('PUT', `/api/admin/customers/${customer.id}`, { name: 'Acme', contactEmail: 'it@acme.example', company: 'Acme', status });
  await measure('a customer is suspended until its open browser is signed out', async () => {
    const page = await open(browser, url, '/portal/usage', { storage: await signInToPortal() });
    const signedOutAt = page.waitForURL('**/portal/login**').then(() => Date.now());
    const begun = Date.now();
    await setStatus('suspended');
    const ms = (await signedOutAt) - begun;
    await page.context().close();
    await setStatus('active');
    return ms;
  });
} finally {
  for (const socket of sockets) socket.disconnect();
  await browser.close();
  await product.stop();
}
