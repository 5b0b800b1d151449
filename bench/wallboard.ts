import { setTimeout as delay } from 'node:timers/promises';
import type { MetricsPoint } from '../src/contracts/monitoring.ts';
import { launchBrowser } from '../tests/support/chromium.ts';
import { meter, openPage } from './support/pages.ts';
import { startProduct } from './support/product.ts';
import { settings } from './support/settings.ts';

/** Whether the heap of the wallboard stays flat over many updates of the live feed, which stands for days on a screen. */

/**
 * V8 compiles the functions of a page as they turn out to be frequent: the heap grows by 2 to 3 MB until about 20,000 updates, and no more
 * afterwards.
 */
const { updates, warmUp, together } = settings({ updates: 100_000, warmUp: 20_000, together: 50 });

const PAGES = 3;

/** Runs in the page before its own scripts: keeps the newest socket, whose messages the benchmark makes, and renders after each few. */
const KEEP_SOCKET = `
  const Own = WebSocket;
  window.WebSocket = class extends Own {
    constructor(...given) {
      super(...given);
      window.feed = this;
    }
  };
  window.receive = async (messages) => {
    for (const data of messages) feed.dispatchEvent(new MessageEvent('message', { data }));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  };`;
type Receiving = { receive: (messages: readonly string[]) => Promise<void> };
/** Growth of the heap in bytes, and of the numbers of nodes and listeners. */
const LIMITS = { heap: 3e6, nodes: 500, listeners: 50 };

const product = await startProduct();
const browser = await launchBrowser();
try {
  const { url } = product;
  const page = await openPage(browser, url, '/admin/dashboard', { area: 'admin' }, KEEP_SOCKET);
  await page.goto('/admin/monitoring/wallboard');
  await page.locator('[data-live=live]').waitFor({ state: 'attached' });
  await page.getByRole('dialog', { name: 'Wallboard' }).waitFor();

  let second = Math.ceil(Date.now() / 1_000);
  const point = (): MetricsPoint => {
    second += 1;
    const calls = second % 97;
    return {
      at: new Date(second * 1_000).toISOString(),
      callsPerSecond: calls,
      failedPerSecond: calls % 5,
      p50: 20 + (calls % 7),
      p95: 80 + (calls % 11),
      p99: 200 + (calls % 13),
      connectedUsers: calls * 3,
      projectionLagMs: calls % 17,
      mainLagMs: calls % 13,
      usageLagMs: calls % 17,
    };
  };
  /**
   * Some updates at a time, so that the page renders between them. The page dispatches them itself: sending each one through the
   * debugger would take longer than rendering it. The function stays the same, as a page keeps what it has compiled.
   */
  const send = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent += together) {
      const messages = Array.from({ length: together }, () => `42${JSON.stringify(['metrics', point()])}`);
      await page.evaluate((given) => (globalThis as unknown as Receiving).receive(given), messages);
    }
    await delay(1_000);
  };

  const { read } = await meter(page);
  /** Shows each page, and measures on the first one: pages change by themselves, and have different nodes. */
  const measure = async () => {
    for (let shown = 0; shown < PAGES || (await page.locator('[data-page="0"]').count()) === 0; shown++) {
      await page.keyboard.press('ArrowRight');
      await delay(1_000);
    }
    return read();
  };
  await send(warmUp);
  const before = await measure();
  const begun = performance.now();
  await send(updates);
  const after = await measure();
  const growth = {
    heap: after.heap - before.heap,
    nodes: after.nodes - before.nodes,
    listeners: after.listeners - before.listeners,
  };
  const isWithin = growth.heap < LIMITS.heap && growth.nodes < LIMITS.nodes && growth.listeners < LIMITS.listeners;
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(2);
  console.log(
    `${isWithin ? 'within' : 'OVER  '}  ${updates} updates in ${Math.round((performance.now() - begun) / 1_000)} s: heap ${megabytes(before.heap)} MB, growth ${megabytes(growth.heap)} of ${megabytes(LIMITS.heap)}; nodes ${growth.nodes} of ${LIMITS.nodes}, listeners ${growth.listeners} of ${LIMITS.listeners}`,
  );
  if (!isWithin) process.exitCode = 1;
} finally {
  await browser.close();
  await product.stop();
}
