import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asTool, newCustomer } from '../support/apiClient.ts';
import { ADMIN_KEY } from '../support/keys.ts';
import { describeAtLength, IS_AT_LENGTH, itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { deferred, holdsFocus, openConsole, seed, type TestConsole, titleOf } from './support/console.ts';
import { drawn, EMPTY_PAGE, leave, navigate, PHONE } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customers: Customer[];

beforeAll(async () => {
  web = await openConsole();
  ({ integrator, customers } = await seed(web.admin, ['Northwind Traders', 'Blue Harbor Bank']));
});
afterAll(() => web.close());

const northwind = (): Customer => {
  const [customer] = customers;
  if (!customer) throw new Error('No customer was made');
  return customer;
};
const paletteOf = (page: Page) => page.getByRole('dialog', { name: 'Search' });
const fieldOf = (page: Page) => paletteOf(page).getByRole('combobox', { name: 'Search' });
const optionsOf = (page: Page) => paletteOf(page).getByRole('option');
const activeOf = (page: Page) => paletteOf(page).getByRole('option', { selected: true });
const open = async (page: Page) => {
  await titleOf(page).waitFor();
  await page.keyboard.press('Control+k');
  await fieldOf(page).waitFor();
};
const hasFocus = (page: Page, selector: string): Promise<boolean> =>
  page.locator(selector).evaluate((one) => one === document.activeElement);

describe('the palette', () => {
  it('opens by button and by keyboard, and restores the focus', async () => {
    const page = await web.openAsAdmin('/admin/dashboard');
    const button = page.getByRole('banner').getByRole('button', { name: 'Search', exact: true });
    await button.getByText('Ctrl K').waitFor();
    await button.click();
    await fieldOf(page).waitFor();
    await expect.poll(() => fieldOf(page).evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await paletteOf(page).waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Meta+k');
    await fieldOf(page).waitFor();
    await page.keyboard.press('Control+k');
    await paletteOf(page).waitFor({ state: 'detached' });
    await leave(page);
  });

  it('opens while another dialog is being closed', async () => {
    const page = await web.openAsAdmin('/admin/customers', { reducedMotion: 'no-preference' });
    const form = page.getByRole('dialog', { name: 'Create customer' });
    await page.getByRole('button', { name: 'Create customer' }).click();
    await holdsFocus(form);
    const browser = await page.context().newCDPSession(page);
    await browser.send('Animation.enable');
    await browser.send('Animation.setPlaybackRate', { playbackRate: 0.1 });
    const closing = page.locator('[role=dialog][data-state=closed]');
    await page.keyboard.press('Escape');
    await closing.waitFor({ state: 'attached' });
    await page.keyboard.press('Control+k');
    await holdsFocus(paletteOf(page));
    await closing.waitFor({ state: 'detached' });
    await page.keyboard.type('Plans');
    await expect.poll(() => fieldOf(page).inputValue()).toBe('Plans');
    await page.keyboard.press('Escape');
    await closing.waitFor({ state: 'attached' });
    await page.keyboard.press('Control+k');
    await closing.waitFor({ state: 'detached' });
    await holdsFocus(paletteOf(page));
    await browser.detach();
    await leave(page);
  });

  itAtLength('lists the screens without a search, with one of them active, and wraps around', async () => {
    const page = await web.openAsAdmin('/admin/dashboard');
    await open(page);
    const names = [
      'Dashboard',
      'Customers',
      'Service Integrators',
      'Users',
      'Themes',
      'Monitoring',
      'Audit',
      'Security',
      'Plans',
      'API calls',
      'Wallboard',
      'Alerts',
      'Sign-ins',
      'Sessions',
      'API tokens',
      'Activity',
      'Your account',
    ];
    await holdsFocus(paletteOf(page));
    await expect.poll(() => optionsOf(page).allInnerTexts()).toEqual(names);
    const activeIs = (name: string) => expect.poll(() => activeOf(page).innerText()).toBe(name);
    await activeIs('Dashboard');
    await page.keyboard.press('ArrowUp');
    await activeIs('Your account');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await activeIs('Customers');
    expect(await fieldOf(page).getAttribute('aria-activedescendant')).toBe(await activeOf(page).getAttribute('id'));
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/admin/customers');
    await paletteOf(page).waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(page, '#main')).toBe(true);
    await leave(page);
  });

  itAtLength('does not open over an open form', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.getByRole('button', { name: 'Create customer' }).click();
    await holdsFocus(page.getByRole('dialog', { name: 'Create customer' }));
    await page.getByRole('dialog', { name: 'Create customer' }).getByLabel('Customer name').fill('Half typed');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Create customer' }).waitFor({ state: 'detached' });
    expect(await paletteOf(page).count()).toBe(0);
    await leave(page);
  });
});

describeAtLength('an administrator', () => {
  it('finds customers by name and opens them', async () => {
    const page = await web.openAsAdmin('/admin/dashboard');
    await open(page);
    await fieldOf(page).fill('northw');
    await paletteOf(page).getByRole('group', { name: 'Customers' }).getByRole('option', { name: 'Northwind Traders' }).waitFor();
    await expect.poll(() => optionsOf(page).count()).toBe(1); // those of the text before are shown until the reply
    await paletteOf(page).getByRole('status').getByText('1 result', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/admin/customers/${northwind().id}`);
    await page.getByRole('heading', { level: 1, name: 'Northwind Traders' }).waitFor();
    await leave(page);
  });

  it('finds service integrators, also those created during the search', async () => {
    const page = await web.openAsAdmin('/admin/dashboard');
    await page.locator('[data-live="live"]').waitFor();
    await open(page);
    await fieldOf(page).fill('contoso');
    const group = paletteOf(page).getByRole('group', { name: 'Service integrators' });
    await group.getByRole('option', { name: 'Contoso Partners' }).waitFor();
    await newCustomer(web.admin, integrator.id, { name: 'Contoso Workshop' });
    await paletteOf(page).getByRole('option', { name: 'Contoso Workshop' }).waitFor();
    await group.getByRole('option', { name: 'Contoso Partners' }).click();
    await page.waitForURL(`**/admin/service-integrators/${integrator.id}`);
    await leave(page);
  });

  itAtLength('reports when nothing is found, and when the search failed', async () => {
    const page = await web.openAsAdmin('/admin/dashboard');
    await open(page);
    await fieldOf(page).fill('nobody by this name');
    await paletteOf(page).getByRole('status').getByText('Nothing found').waitFor();
    expect(await fieldOf(page).getAttribute('aria-expanded')).toBe('false');
    expect(await violations(page)).toEqual([]);
    await page.route('**/api/admin/customers?*', (route) =>
      route.fulfill({ status: 400, json: { error: 'The lists are away', code: 'invalid_request' } }),
    );
    await fieldOf(page).fill('harbor');
    await paletteOf(page).getByRole('alert').getByText('The lists are away').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute('**/api/admin/customers?*');
    await paletteOf(page).getByRole('button', { name: 'Try again' }).click();
    await paletteOf(page).getByRole('option', { name: 'Blue Harbor Bank' }).waitFor();
    await leave(page);
  });
});

describe('an action', () => {
  it('on a customer is found by its verb, shows its effects, and needs a confirmation', async () => {
    const page = await web.openAsAdmin('/admin/dashboard');
    await open(page);
    await fieldOf(page).fill('susp');
    await paletteOf(page).getByRole('option', { name: 'Suspend…' }).click();
    expect(await fieldOf(page).inputValue()).toBe('Suspend ');
    await paletteOf(page).getByRole('option', { name: 'Suspend Blue Harbor Bank' }).waitFor();
    await fieldOf(page).fill('reactivate');
    await paletteOf(page).getByText('Type a name.').first().waitFor();
    await fieldOf(page).fill('suspend harbor');
    await paletteOf(page).getByRole('option', { name: 'Suspend Blue Harbor Bank' }).waitFor();
    await expect.poll(() => optionsOf(page).count()).toBe(1); // those of the text before are shown until the reply
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Suspend customers' });
    await dialog.getByRole('button', { name: 'Suspend 1 customer' }).click();
    await dialog.getByText('1 of 1 done').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await dialog.waitFor({ state: 'detached' });
    await open(page);
    await fieldOf(page).fill('suspend harbor');
    await paletteOf(page).getByRole('status').getByText('Nothing found').waitFor();
    await fieldOf(page).fill('reactivate harbor');
    await paletteOf(page).getByRole('option', { name: 'Reactivate Blue Harbor Bank' }).click();
    await page.getByRole('dialog', { name: 'Reactivate customers' }).getByRole('button', { name: 'Reactivate 1 customer' }).click();
    await page.getByRole('dialog').getByText('1 of 1 done').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    if (!IS_AT_LENGTH) return leave(page);
    await open(page);
    await fieldOf(page).fill('move harbor');
    await paletteOf(page).getByRole('option', { name: 'Move Blue Harbor Bank' }).click();
    await page.getByRole('dialog', { name: 'Move to another service integrator' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await leave(page);
  });

  itAtLength('opens a form, a screen or the shortcuts, which can be turned off', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await open(page);
    await fieldOf(page).fill('create cust');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create customer' }).getByLabel('Customer name').waitFor();
    await holdsFocus(page.getByRole('dialog', { name: 'Create customer' }));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await open(page);
    await fieldOf(page).fill('users of northwind');
    await paletteOf(page).getByRole('option', { name: 'Users of Northwind Traders' }).click();
    await page.waitForURL(`**/admin/users?customer=${northwind().id}`);
    await paletteOf(page).waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await shortcuts.getByText('Open the row').waitFor();
    expect(await violations(page)).toEqual([]);
    await shortcuts.getByRole('switch', { name: 'Shortcuts of one key' }).click();
    await page.keyboard.press('Escape');
    await shortcuts.waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await open(page);
    expect(await page.getByRole('dialog').count()).toBe(1);
    await fieldOf(page).fill('keyboard');
    await page.keyboard.press('Enter');
    await shortcuts.getByRole('switch').click();
    await leave(page);
  });

  itAtLength('on customers is not offered in a portal', async () => {
    const page = await openAsCustomer(web, northwind(), '/portal/dashboard');
    await open(page);
    await fieldOf(page).fill('suspend');
    await paletteOf(page).getByRole('status').getByText('Nothing found').waitFor();
    await leave(page);
  });
});

describe('the search', () => {
  it('finds users, the team and imports in each area, and service integrators by an action', async () => {
    await asTool(web.url, northwind(), 'noah.kim');
    const admin = await web.openAsAdmin('/admin/dashboard');
    const root = '/service-integrator';
    const partner = await openAsIntegrator(web, integrator, `${root}/dashboard`);
    const portal = await openAsCustomer(web, northwind(), '/portal/dashboard');
    const option = (page: Page, name: string) => paletteOf(page).getByRole('option', { name });
    for (const [page, users] of [
      [admin, '/admin/users'],
      [partner, `${root}/users`],
      [portal, '/portal/users'],
    ] as const) {
      await open(page);
      await fieldOf(page).fill('team');
      await option(page, 'Security').waitFor();
      await fieldOf(page).fill('noah.kim');
      const group = paletteOf(page).getByRole('group', { name: 'Users' });
      await group.getByRole('option', { name: /^noah\.kim/ }).waitFor();
      expect(await violations(page)).toEqual([]);
      await group.getByRole('option').click();
      await page.waitForURL(`**${users}?search=noah.kim*`);
      await page.getByRole('main').getByText('noah.kim').first().waitFor();
    }
    for (const [page, name] of [
      [admin, 'Import customers'],
      [partner, 'Import users'],
    ] as const) {
      await open(page);
      await fieldOf(page).fill('import');
      await option(page, name).click();
      await page.getByRole('dialog', { name }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(page.url()).not.toContain('import=');
    }
    await open(portal);
    await fieldOf(portal).fill('import');
    await paletteOf(portal).getByRole('status').getByText('Nothing found').waitFor();

    await open(admin);
    await fieldOf(admin).fill('suspend contoso');
    await option(admin, 'Suspend Contoso Partners').click();
    await admin.waitForURL(`**/admin/service-integrators/${integrator.id}`);
    const dialog = admin.getByRole('dialog', { name: 'Edit service integrator' });
    await expect.poll(() => dialog.getByLabel('Status').inputValue()).toBe('suspended');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await admin.getByRole('alertdialog').waitFor();
    await admin.keyboard.press('Escape');
    await admin.getByRole('alertdialog').waitFor({ state: 'detached' });
    await admin.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    for (const page of [admin, partner, portal]) await leave(page);
  });
});

describe('the frame', () => {
  it('is shown while the session is checked, with the navigation of the last visit and without a tenant', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE);
    const navigation = page.getByRole('navigation', { name: 'Main' });
    const showPending = async (go: () => Promise<unknown>): Promise<() => void> => {
      const { released, release } = deferred();
      await page.route('**/api/auth/admin/session', async (route) => {
        await released;
        await route.continue();
      });
      await go();
      await page.getByRole('banner').getByText('Administration').waitFor();
      await page.getByRole('main').getByRole('status').getByText('Loading').waitFor();
      await page.getByRole('banner').locator('[aria-current=page]').getByText('Customers', { exact: true }).waitFor();
      expect(await page.getByText('Northwind').count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      return release;
    };
    const show = await showPending(() => page.goto('/admin/customers'));
    expect(await navigation.count()).toBe(0);
    show();
    await page.getByRole('link', { name: 'Northwind Traders' }).waitFor();
    const names = await navigation.getByRole('link').allInnerTexts();
    const showAgain = await showPending(() => page.reload({ waitUntil: 'commit' }));
    expect(await navigation.getByRole('link').allInnerTexts()).toEqual(names);
    showAgain();
    await page.getByRole('link', { name: 'Northwind Traders' }).waitFor();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/admin/login');
    expect(await page.evaluate(() => localStorage.getItem('frame.admin'))).toBeNull();
    await leave(page);
  });

  itAtLength('names the customer in its breadcrumbs, and aligns with the content on a wide screen', async () => {
    const page = await web.openAsAdmin(`/admin/customers/${northwind().id}`, { viewport: { width: 1920, height: 1080 } });
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
    await crumbs.getByText('Northwind Traders').waitFor();
    const left = async (locator: Locator) => Math.round((await locator.boundingBox())?.x ?? -1);
    const right = async (locator: Locator) => {
      const box = await locator.boundingBox();
      return Math.round((box?.x ?? 0) + (box?.width ?? 0));
    };
    for (const width of [1920, 3440]) {
      await page.setViewportSize({ width, height: 1080 });
      await drawn(page);
      await expect.poll(async () => (await left(crumbs)) - (await left(titleOf(page)))).toBe(0);
      const [logout, remove] = [page.getByRole('button', { name: 'Logout' }), page.getByRole('button', { name: 'Delete' })];
      await expect.poll(async () => (await right(logout)) - (await right(remove))).toBe(0);
    }
    await crumbs.getByRole('link', { name: 'Customers' }).click();
    await page.waitForURL('**/admin/customers');
    await leave(page);
  });

  it('names the customer above each of its screens, with a link', async () => {
    const { id } = northwind();
    const expectTrail = async (page: Page, root: string, path: string, title: string) => {
      await navigate(page, path);
      const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
      await crumbs.locator('[aria-current=page]').getByText(title, { exact: true }).waitFor();
      await crumbs.getByRole('link', { name: 'Customers' }).waitFor();
      await crumbs.getByRole('link', { name: 'Northwind Traders' }).waitFor();
      await expect.poll(() => page.title()).toMatch(new RegExp(`^${title} · Northwind Traders · `));
      await crumbs.getByRole('link', { name: 'Northwind Traders' }).click();
      await page.waitForURL(`**${root}/customers/${id}`);
      await crumbs.locator('[aria-current=page]').getByText('Northwind Traders').waitFor();
    };
    const admin = await web.openAsAdmin('/admin/customers');
    await expectTrail(admin, '/admin', `/admin/customers/${id}/seats`, 'Seats');
    await expectTrail(admin, '/admin', `/admin/usage?customer=${id}`, 'Usage');
    await leave(admin);
    const root = '/service-integrator';
    const page = await openAsIntegrator(web, integrator, `${root}/customers`);
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByText('Customers', { exact: true }).waitFor();
    await expectTrail(page, root, `${root}/customers/${id}/seats`, 'Seats');
    await expectTrail(page, root, `${root}/usage?customer=${id}`, 'Usage');
    await navigate(page, `${root}/team/sign-ins`);
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Security' }).waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await leave(page);
  });
});

describeAtLength('an integrator', () => {
  it('does not see the shortcut on a phone, even if the styles of keys were loaded last', async () => {
    const page = await web.open('/admin/login', { viewport: PHONE });
    await page.getByLabel('Admin Key').fill(ADMIN_KEY);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/admin/dashboard');
    await titleOf(page).waitFor();
    const shortcut = page.getByRole('banner').getByText('Ctrl K');
    await shortcut.waitFor({ state: 'attached' });
    expect(await shortcut.isVisible()).toBe(false);
    await leave(page);
  });

  it('finds its own customers on a phone', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/dashboard', { viewport: PHONE });
    await page.getByRole('banner').getByRole('button', { name: 'Search', exact: true }).click();
    await fieldOf(page).fill('harbor');
    const option = paletteOf(page).getByRole('option', { name: 'Blue Harbor Bank' });
    await option.waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await option.click();
    await page.waitForURL(`**/service-integrator/customers/${customers[1]?.id}`);
    await page.getByRole('heading', { level: 1, name: 'Blue Harbor Bank' }).waitFor();
    expect(await overflow(page)).toBe(0);
    await leave(page);
  });
});

describeAtLength('a customer', () => {
  it('finds the screens of its portal, and requests only the list of its users', async () => {
    const page = await openAsCustomer(web, northwind(), '/portal/dashboard');
    const requests = new Set<string>();
    page.on('request', (request) => {
      if (request.url().includes('search=')) requests.add(new URL(request.url()).pathname);
    });
    await open(page);
    await fieldOf(page).fill('usa');
    await expect.poll(() => optionsOf(page).allInnerTexts()).toEqual(['Usage']);
    await fieldOf(page).fill('northwind');
    await paletteOf(page).getByRole('status').getByText('Nothing found').waitFor();
    await fieldOf(page).fill('cred');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/portal/credentials');
    expect([...requests]).toEqual(['/api/users/with-connections']);
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
