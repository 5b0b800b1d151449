import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { adminCookie, callerOf } from './apiClients.ts';

/** The user of a page: an administrator, or a customer or integrator who signs in with a license key. */
export type Viewer = { area: 'admin' } | { area: 'portal'; licenseKey: string } | { area: 'integrator'; masterLicenseKey: string };

const contextOf = async (browser: Browser, url: string, viewer: Viewer): Promise<BrowserContext> => {
  const options = { baseURL: url, locale: 'en-GB', viewport: { width: 1440, height: 900 } };
  if (viewer.area === 'admin') {
    const context = await browser.newContext(options);
    const [name = '', value = ''] = (await adminCookie(url)).split('=');
    await context.addCookies([{ name, value, url }]);
    return context;
  }
  const anonymous = callerOf(url, {});
  const [name, { token }] =
    viewer.area === 'portal'
      ? ['customer_token', await anonymous('POST', '/api/auth/customer/login', { licenseKey: viewer.licenseKey })]
      : [
          'service_integrator_token',
          await anonymous('POST', '/api/auth/service-integrator/login', { masterLicenseKey: viewer.masterLicenseKey }),
        ];
  const storageState = { cookies: [], origins: [{ origin: url, localStorage: [{ name, value: token }] }] };
  return browser.newContext({ ...options, storageState });
};

/** Opens a page of the console with a connected live feed in a new browser context. `script` runs before the page's own scripts. */
export const openPage = async (browser: Browser, url: string, path: string, viewer: Viewer, script = ''): Promise<Page> => {
  const context = await contextOf(browser, url, viewer);
  const page = await context.newPage();
  if (script) await page.addInitScript(script);
  await page.goto(path);
  await page.locator('[data-live=live]').waitFor();
  return page;
};

/** CPU seconds of a page's main thread, its heap in bytes, and its numbers of DOM nodes and listeners. */
export type PageMetrics = { busy: number; script: number; layout: number; heap: number; nodes: number; listeners: number };

/** Reads the browser's counters of a page. It uses CPU time, which is independent of other load on the machine. */
export const meter = async (page: Page): Promise<{ session: CDPSession; read: () => Promise<PageMetrics> }> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return {
    session,
    read: async () => {
      const cpuMetrics = await session.send('Performance.getMetrics');
      await session.send('HeapProfiler.collectGarbage');
      const memoryMetrics = await session.send('Performance.getMetrics');
      const of = (name: string, { metrics } = cpuMetrics): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
      return {
        busy: of('TaskDuration'),
        script: of('ScriptDuration'),
        layout: of('LayoutDuration') + of('RecalcStyleDuration'),
        heap: of('JSHeapUsedSize', memoryMetrics),
        nodes: of('Nodes', memoryMetrics),
        listeners: of('JSEventListeners', memoryMetrics),
      };
    },
  };
};

type TraceEvent = { ph: string; name: string; pid: number; tid: number; tdur?: number; args?: { name?: unknown } };

/**
 * The longest main-thread task in ms while `act` runs. The page must be the only one in the browser. It uses CPU time, which is
 * independent of other load on the machine.
 */
export const longestTask = async (browser: Browser, act: () => Promise<unknown>): Promise<number> => {
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as object[] as TraceEvent[]));
  });
  const includedCategories = ['disabled-by-default-devtools.timeline'];
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  await act();
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const isName = ({ ph, name, args }: TraceEvent): boolean =>
    ph === 'M' && name === 'thread_name' && args?.name === 'CrRendererMain';
  const mains = new Set(events.filter(isName).map(threadOf));
  const tasks = events.filter((event) => event.name === 'RunTask' && mains.has(threadOf(event)));
  if (tasks.length === 0) throw new Error('The trace contains no task');
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1_000;
};
