import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { adminScreens } from '../../web/src/app/screens/admin.ts';
import { integratorScreens } from '../../web/src/app/screens/integrator.ts';
import { portalScreens } from '../../web/src/app/screens/portal.ts';
import { asTool } from '../support/apiClient.ts';
import { dialogOf, openConsole, seed, type TestConsole } from './support/console.ts';
import { leave, loaded } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

const options = { timezoneId: 'Europe/Berlin' };
const NOTE = 'Dates and times are in your time zone, Europe/Berlin, unless stated otherwise.';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders']);
  integrator = seeded.integrator;
  if (!seeded.customers[0]) throw new Error('No customer was made');
  customer = seeded.customers[0];
  await asTool(web.url, customer, 'ada');
});
afterAll(() => web.close());

type Screens = readonly { path: string }[];

/**
 * What each screen shows about time zones (how often the note, and the times without the zone in their tooltip), and its errors. Each is
 * loaded as a first page, since the order of loading decides which chunk evaluates a shared module first.
 */
const walk = async (page: Page, root: string, screens: Screens): Promise<Record<string, unknown>> => {
  const found: Record<string, unknown> = {};
  for (const { path } of screens) {
    await page.goto(`${root}/${path.replace(':customerId', customer.id).replace(':integratorId', integrator.id)}`);
    await loaded(page);
    await page.waitForLoadState('networkidle');
    found[path] = {
      notesOfTheTimeZone: await page.getByText(NOTE).count(),
      timesWithoutZone: await page.locator('time:not([title$="(Europe/Berlin)"])').count(),
      errors: web.pageErrors.splice(0),
    };
  }
  return found;
};

const correct = (screens: Screens) =>
  Object.fromEntries(screens.map(({ path }) => [path, { notesOfTheTimeZone: 1, timesWithoutZone: 0, errors: [] }]));

describe('every screen names the time zone once and violates no content security policy, nor does a form', () => {
  it('of administrators', async () => {
    const page = await web.openAsAdmin('/admin/dashboard', options);
    expect(await walk(page, '/admin', adminScreens)).toEqual(correct(adminScreens));
    await page.goto('/admin/customers?new=1');
    await dialogOf(page).waitFor();
    await leave(page);
    expect(web.pageErrors).toEqual([]);
  });

  it('of a customer', async () => {
    const page = await openAsCustomer(web, customer, '/portal/dashboard', options);
    expect(await walk(page, '/portal', portalScreens)).toEqual(correct(portalScreens));
    await page.goto('/portal/credentials');
    await page.getByRole('button', { name: 'Add credential' }).first().click();
    await dialogOf(page).waitFor();
    await leave(page);
    expect(web.pageErrors).toEqual([]);
  });

  it('of a service integrator', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/dashboard', options);
    expect(await walk(page, '/service-integrator', integratorScreens)).toEqual(correct(integratorScreens));
    await page.goto('/service-integrator/themes');
    await page.getByRole('button', { name: 'Create theme' }).first().click();
    await dialogOf(page).waitFor();
    await leave(page);
    expect(web.pageErrors).toEqual([]);
  });
});

describe('the time zone', () => {
  it('is in the tooltip of a date', async () => {
    const page = await web.openAsAdmin('/admin/service-integrators', options);
    const created = page.getByRole('table').locator(`time[datetime="${integrator.createdAt}"]`);
    const [date, time] = await page.evaluate(
      (at) => [
        new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' }),
        new Date(at).toLocaleTimeString(undefined, { timeStyle: 'short' }),
      ],
      integrator.createdAt,
    );
    expect(await created.getAttribute('title')).toBe(`${date}, ${time} (Europe/Berlin)`);
    await leave(page);
  });

  it('is beside the time in the tooltip of a chart', async () => {
    const page = await web.openAsAdmin('/admin/monitoring', options);
    const chart = page.getByRole('region', { name: 'API calls', exact: true });
    const surface = chart.locator('.recharts-surface');
    // The newest point is at the right end, left of the margin.
    const { width = 0 } = (await surface.boundingBox()) ?? {};
    await surface.hover({ position: { x: width - 26, y: 80 } });
    await chart.getByText(/^\d\d:\d\d:\d\d \(Europe\/Berlin\)$/).waitFor();
    await leave(page);
  });
});

it('no public page violates the content security policy', async () => {
  for (const path of [
    '/',
    '/admin/login',
    '/portal/login',
    '/service-integrator/login',
    '/admin/login#account',
    '/join',
    '/nowhere',
  ]) {
    const page = await web.open(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await leave(page);
  }
  expect(web.pageErrors).toEqual([]);
});

it('a violation is detected, also one that a script catches', async () => {
  const page = await web.open('/');
  // In a script of the page: what the test evaluates in it is exempt.
  await page.route('**/assets/caught.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'try { new Function("") } catch { window.caught = true }' }),
  );
  await page.evaluate(() => document.head.append(Object.assign(document.createElement('script'), { src: '/assets/caught.js' })));
  await page.waitForFunction(() => 'caught' in window);
  await leave(page);
  expect(web.pageErrors.splice(0).join(' ')).toContain('script-src eval');
});
