import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areas } from '../../web/scripts/areas.js';
import { budgetOf } from '../../web/scripts/budgets.js';
import { adminScreens } from '../../web/src/app/screens/admin.ts';
import { integratorScreens } from '../../web/src/app/screens/integrator.ts';
import { portalScreens } from '../../web/src/app/screens/portal.ts';
import { IS_AT_LENGTH } from '../support/tiers.ts';
import { openConsole, seed, type TestConsole } from './support/console.ts';
import { EMPTY_PAGE, quiet } from './support/pages.ts';

let web: TestConsole;
let customerId: string;

beforeAll(async () => {
  web = await openConsole();
  const { customers } = await seed(web.admin, ['Acme']);
  customerId = customers[0]?.id ?? '';
});
afterAll(() => web.close());

type Loaded = {
  /** Gzipped kB of the scripts that were requested before the screen's heading was there. */
  scripts: number;
  /** Files that came over the network more than once. */
  repeated: string[];
};

/** Opens a path in a browser that accepts gzip only, as the budgets count, with nothing in its cache. */
const load = async (page: Page, path: string): Promise<Loaded> => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.clearBrowserCache');
  await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' });
  await page.addInitScript(() => {
    performance.setResourceTimingBufferSize(1_000);
    new MutationObserver((_, observer) => {
      if (!document.querySelector('h1')) return;
      performance.mark('drawn');
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(path);
  await page.locator('h1').waitFor();
  await page.waitForLoadState('networkidle');
  await quiet(page); // a page that computes for long is idle meanwhile
  return page.evaluate(() => {
    const drawnAt = performance.getEntriesByName('drawn')[0]?.startTime ?? 0;
    const files = performance
      .getEntriesByType('resource')
      .filter(
        (entry): entry is PerformanceResourceTiming => entry instanceof PerformanceResourceTiming && entry.name.endsWith('.js'),
      );
    const before = new Map(files.filter(({ startTime }) => startTime < drawnAt).map((file) => [file.name, file.encodedBodySize]));
    const sent = files.filter(({ transferSize }) => transferSize > 0).map(({ name }) => name);
    return {
      scripts: [...before.values()].reduce((sum, size) => sum + size, 0) / 1000,
      repeated: sent.filter((name, at) => sent.indexOf(name) !== at),
    };
  });
};

describe('what a browser loads before it renders a screen', () => {
  it.each([
    ['/admin/customers', 'admin-customers.html'],
    ['/admin/customers/:customerId', 'admin-customers-customerId.html'],
    ...(IS_AT_LENGTH
      ? [
          ['/admin/dashboard', 'admin-dashboard.html'],
          ['/admin/monitoring', 'admin-monitoring.html'],
        ]
      : []),
  ])('is within the budget at %s', async (path = '', file = '') => {
    const page = await web.openAsAdmin(EMPTY_PAGE);
    const { scripts, repeated } = await load(page, path.replace(':customerId', customerId));
    expect(scripts).toBeGreaterThan(100);
    expect(scripts).toBeLessThanOrEqual(budgetOf(file).scripts);
    expect(repeated).toEqual([]);
    await page.context().close();
  });

  it('is within the budget at a sign-in', async () => {
    const page = await web.open(EMPTY_PAGE);
    const { scripts } = await load(page, '/admin/login');
    expect(scripts).toBeGreaterThan(100);
    expect(scripts).toBeLessThanOrEqual(budgetOf('login.html').scripts);
    await page.context().close();
  });
});

it('every screen has a page, and so a budget', () => {
  const screens = { admin: adminScreens, portal: portalScreens, integrator: integratorScreens };
  for (const [area, listed] of Object.entries(screens)) {
    expect(Object.keys(areas[area]?.screens ?? {})).toEqual(listed.map(({ path }) => path));
  }
});
