import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { adminScreens } from '../../web/src/app/screens/admin.ts';
import { integratorScreens } from '../../web/src/app/screens/integrator.ts';
import { portalScreens } from '../../web/src/app/screens/portal.ts';
import { describeAtLength, IS_AT_LENGTH, itAtLength } from '../support/tiers.ts';
import { overflow, structureViolations, violations, violationsInBothModes } from './support/axe.ts';
import { clippedTexts } from './support/clipping.ts';
import { dialogOf, openConsole, type TestConsole, titleOf } from './support/console.ts';
import { seedLongestValues } from './support/longestValues.ts';
import { chartSize, leave, loaded, navigate, PHONE, quiet } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

const zone = { timezoneId: 'Europe/Berlin' };
const NOTE = 'Dates and times are in your time zone, Europe/Berlin, unless stated otherwise.';
const LAPTOP = { width: 1280, height: 800 };

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;

beforeAll(async () => {
  web = await openConsole();
  ({ integrator, customer } = await seedLongestValues(web));
});
afterAll(() => web.close());

/** Texts that are cut off without a title, and horizontal scrolling. */
const layoutFaultsOf = async (page: Page): Promise<string[]> => {
  const wide = await overflow(page);
  return [...(await clippedTexts(page)), ...(wide > 0 ? [`${wide} px wider than the window`] : [])];
};

const pathOf = (root: string, path: string): string =>
  `${root}/${path.replace(':customerId', customer.id).replace(':integratorId', integrator.id)}${path === 'usage' ? `?customer=${customer.id}` : ''}`;

const areas = [
  {
    area: 'of an administrator',
    root: '/admin',
    screens: adminScreens,
    open: (path: string) => web.openAsAdmin(path, { ...zone, viewport: LAPTOP }),
    header: () => [],
  },
  {
    area: 'of a customer',
    root: '/portal',
    screens: portalScreens,
    open: (path: string) => openAsCustomer(web, customer, path, { ...zone, viewport: LAPTOP }),
    header: () => [customer.name, customer.themeDisplayName ?? ''],
  },
  {
    area: 'of a service integrator',
    root: '/service-integrator',
    screens: integratorScreens,
    open: (path: string) => openAsIntegrator(web, integrator, path, { ...zone, viewport: LAPTOP }),
    header: () => [integrator.companyName, 'White-Label Enabled'],
  },
] as const;

/** Screens of the portal and of service integrators with the components of administrators' screens: `npm test` checks only the latter. */
const SHARED = /^(account|audit|calls|team.*|users.*|.+\/(calls|seats|sign-ins)|my-usage)$/;

describe.each(areas)('every screen $area', ({ root, screens, open, header }) => {
  const checkOnLaptop = async (page: Page): Promise<void> => {
    await loaded(page);
    await quiet(page);
    expect(await page.getByText(NOTE).count()).toBe(1);
    expect(await page.locator('time:not([title$="(Europe/Berlin)"])').count()).toBe(0);
    expect(await titleOf(page).count()).toBe(1);
    expect(await layoutFaultsOf(page), page.url()).toEqual([]);
    expect(await violations(page), page.url()).toEqual([]);
  };
  const checkOnPhone = async (page: Page): Promise<void> => {
    await page.setViewportSize(PHONE);
    await loaded(page);
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).waitFor();
    for (const text of header()) await page.getByRole('banner').getByText(text, { exact: true }).waitFor();
    expect(await layoutFaultsOf(page), page.url()).toEqual([]);
  };

  it('is accessible, holds the longest texts, and names the time zone once', async () => {
    const checked = screens.filter(({ path }) => IS_AT_LENGTH || root === '/admin' || !SHARED.test(path));
    const [first = '', ...others] = checked.map(({ path }) => pathOf(root, path));
    const page = await open(first);
    for (const path of [first, ...others]) {
      await page.setViewportSize(LAPTOP);
      if (path !== first) await navigate(page, path);
      await checkOnLaptop(page);
      if (IS_AT_LENGTH) await checkOnPhone(page);
      expect(web.pageErrors.splice(0), path).toEqual([]);
    }
    await leave(page);
  });

  /** The order of loading decides which chunk evaluates a shared module first. */
  itAtLength.each(screens)('$path is the same as the first page', async ({ path }) => {
    const page = await open(pathOf(root, path));
    await checkOnLaptop(page);
    await checkOnPhone(page);
    expect(await structureViolations(page)).toEqual([]);
    await leave(page);
    expect(web.pageErrors.splice(0)).toEqual([]);
  });
});

describeAtLength.each([
  ['a laptop', LAPTOP],
  ['a phone', PHONE],
] as const)('on %s, the longest texts', (_name, viewport) => {
  it('fit the dialogs that delete and suspend', async () => {
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`, { viewport });
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialogOf(page).getByRole('textbox').waitFor();
    expect(await layoutFaultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit customer' }).click();
    await dialogOf(page).getByLabel('Status').selectOption('suspended');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByRole('alertdialog').getByRole('list', { name: 'Effects' }).waitFor();
    expect(await layoutFaultsOf(page)).toEqual([]);
    await leave(page);
  });

  it('fit the search', async () => {
    const page = await web.openAsAdmin('/admin/team', { viewport });
    await titleOf(page).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('WWWW');
    await page.getByRole('option').first().waitFor();
    expect(await layoutFaultsOf(page)).toEqual([]);
    await leave(page);
  });
});

describe('the time zone', () => {
  it('is in the tooltip of a date', async () => {
    const page = await web.openAsAdmin('/admin/service-integrators', zone);
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

  itAtLength('is beside the time in the tooltip of a chart', async () => {
    const page = await web.openAsAdmin('/admin/monitoring', zone);
    const chart = page.getByRole('region', { name: 'API calls', exact: true });
    const surface = chart.locator('.recharts-surface');
    // The newest point is at the right end, left of the margin.
    const { width } = await chartSize(page, surface);
    await surface.hover({ position: { x: width - 34, y: 80 } });
    await chart.getByText(/^\d\d:\d\d:\d\d \(Europe\/Berlin\)$/).waitFor();
    await leave(page);
  });
});

/** The other sign-ins have the form of the first, and an unknown address shows the landing page. */
const OTHERS = ['/portal/login', '/service-integrator/login', '/nowhere'];

it.each(['/', '/admin/login', '/admin/login#account', '/join', ...(IS_AT_LENGTH ? OTHERS : [])])(
  '%s is accessible in light and dark mode, fits a phone and violates no content security policy',
  async (path) => {
    const page = await web.open(path, { viewport: PHONE });
    await titleOf(page).waitFor();
    await quiet(page);
    expect(await overflow(page)).toBe(0);
    expect(await violationsInBothModes(page)).toEqual([]);
    await leave(page);
    expect(web.pageErrors).toEqual([]);
  },
);

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
