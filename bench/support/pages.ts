import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { adminCookie, callerOf } from './people.ts';

/** Who looks: an administrator, or somebody who signs in with a key. */
export type Viewer = { area: 'admin' } | { area: 'portal'; licenseKey: string } | { area: 'integrator'; masterLicenseKey: string };

const contextOf = async (browser: Browser, url: string, viewer: Viewer): Promise<BrowserContext> => {
  const options = { baseURL: url, locale: 'en-GB', viewport: { width: 1440, height: 900 } };
  if (viewer.area === 'admin') {
    const context = await browser.newContext(options);
    const [name = '', value = ''] = (await adminCookie(url)).split('=');
    await context.addCookies([{ name, value, url }]);
    return context;
  }
  const nobody = callerOf(url, {});
  const [name, { token }] =
    viewer.area === 'portal'
      ? ['customer_token', await nobody('POST', '/api/auth/customer/login', { licenseKey: viewer.licenseKey })]
      : [
          'service_integrator_token',
          await nobody('POST', '/api/auth/service-integrator/login', { masterLicenseKey: viewer.masterLicenseKey }),
        ];
  const storageState = { cookies: [], origins: [{ origin: url, localStorage: [{ name, value: token }] }] };
  return browser.newContext({ ...options, storageState });
};

/** A page of the console with its live feed open, in a browser profile of its own; `script` runs in it first. */
export const openPage = async (browser: Browser, url: string, path: string, viewer: Viewer, script = ''): Promise<Page> => {
  const context = await contextOf(browser, url, viewer);
  const page = await context.newPage();
  if (script) await page.addInitScript(script);
  await page.goto(path);
  await page.locator('[data-live=live]').waitFor();
  return page;
};

/** What a page's main thread did so far, in CPU seconds, and what it holds now, in bytes and pieces. */
export type Effort = { busy: number; script: number; layout: number; heap: number; nodes: number; listeners: number };

/** Measures a page by the browser's own counters. CPU time, not the clock: other work on the machine does not count. */
export const meter = async (page: Page): Promise<{ session: CDPSession; read: () => Promise<Effort> }> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return {
    session,
    read: async () => {
      const worked = await session.send('Performance.getMetrics');
      await session.send('HeapProfiler.collectGarbage');
      const held = await session.send('Performance.getMetrics');
      const of = (name: string, { metrics } = worked): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
      return {
        busy: of('TaskDuration'),
        script: of('ScriptDuration'),
        layout: of('LayoutDuration') + of('RecalcStyleDuration'),
        heap: of('JSHeapUsedSize', held),
        nodes: of('Nodes', held),
        listeners: of('JSEventListeners', held),
      };
    },
  };
};

type TraceEvent = { ph: string; name: string; pid: number; tid: number; tdur?: number; args?: { name?: unknown } };

/**
 * The longest task of a page's main thread while `act` is done in the browser, where it is the only page: ms of CPU time, since on a
 * machine that is busy with other things every task takes long by the clock.
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
  if (tasks.length === 0) throw new Error('The browser told of no task');
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1_000;
};
