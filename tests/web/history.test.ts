import { readFile, writeFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import type { UsageReply } from '../../src/contracts/usage.ts';
import { runAdminTool } from '../support/adminTool.ts';
import { asIntegrator, asTool, type Client } from '../support/apiClient.ts';
import { until } from '../support/eventually.ts';
import { describeAtLength, IS_AT_LENGTH, itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, exportAs, openConsole, seed, type TestConsole } from './support/console.ts';
import { EMPTY_PAGE, leave, PHONE } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let client: Client;
let customer: Customer;
/** A time after the customer was created and before it was changed. */
let before = '';

const change = (body: Record<string, unknown>) => {
  const { name, contactEmail } = customer;
  return web.admin.put(`/api/admin/customers/${customer.id}`, { name, contactEmail, ...body });
};

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders']);
  integrator = seeded.integrator;
  client = await asIntegrator(web.url, integrator);
  if (!seeded.customers[0]) throw new Error('No customer was made');
  customer = seeded.customers[0];
  before = new Date(Date.parse(customer.createdAt) + 1).toISOString();
  const tool = await asTool(web.url, customer, 'ada');
  const call = { at: new Date().toISOString(), service: 'jira', instanceUrl: 'https://northwind.example', operation: 'GET:/issue' };
  const calls = [{ ...call, ok: true, status: 200, durationMs: 40 }];
  await tool.post('/api/cli/api-calls', { sourceId: 'laptop', firstSequence: 1, calls });
  await until(async () => {
    const { body } = await web.admin.get(`/api/admin/customers/${customer.id}/usage`);
    return (body as UsageReply).usage.totalApiCalls === 1;
  });
  await change({ developerSeats: 25 });
  await change({
    entitlements: [{ code: 'reports', startsAt: null, endsAt: null }],
    callQuota: { limit: 5_000, kind: 'soft' },
    machineLimit: 3,
    floatingDeveloperMinutes: 30,
    idleReleaseDays: 90,
    externalId: 'crm-17',
    tags: ['vip'],
    notes: 'Met in May',
    customFields: { contract: 'A-17' },
  });
  await change({ status: 'suspended' });
  await change({ status: 'active' });
});
afterAll(() => web.close());

const entries = (page: Page) => page.getByRole('list', { name: 'History entries' }).locator('> li');
const reveal = (page: Page) => page.getByRole('region', { name: 'History', exact: true }).scrollIntoViewIfNeeded();

describe('a link to a point in time', () => {
  it('shows the whole screen at that time, without changes, and beside another time', async () => {
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}?asOf=${before}`);
    const banner = page.getByRole('status').filter({ hasText: 'You are viewing this customer as of' });
    await banner.getByText('(UTC)').waitFor();
    const travel = page.getByRole('region', { name: 'Point in time' });
    await travel.locator('[data-as-of]').waitFor();
    await travel.getByText('No users yet').waitFor();
    for (const name of ['Edit Customer', 'Delete']) expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    expect(await page.getByText('Customer details').count()).toBe(0);
    const layer = await banner.evaluate((element) => getComputedStyle(element.parentElement ?? element).zIndex);
    expect(Number(layer), 'what scrolls below the banner does not cover it').toBeGreaterThan(1);
    await page.goto(`${web.url}/admin/customers/${customer.id}?asOf=${before}&beside=${new Date().toISOString()}`);
    await banner.getByText(' and as of ').waitFor();
    await travel.getByText('Changed between the two moments').waitFor();
    const [then, later] = [travel.locator('[data-as-of]').first(), travel.locator('[data-as-of]').nth(1)];
    await then.getByRole('img', { name: 'Developer seats: 0 of 10 used, 0 percent, success' }).waitFor();
    await later.getByRole('list', { name: 'Users (1)' }).getByText('only here').waitFor();
    const fact = (moment: Locator, label: string) =>
      moment
        .locator('dl > div')
        .filter({ has: page.getByText(label, { exact: true }) })
        .locator('dd')
        .innerText();
    for (const [label, value, now] of [
      ['Service integrator', integrator.companyName, integrator.companyName],
      ['Plan', 'ENT', 'ENT'],
      ['Expires', 'Never', 'Never'],
      ['Entitlements', 'Everything', 'reports'],
      ['API calls per month', 'unlimited', '5,000 a month (soft)'],
      ['Machines per user', '20', '3'],
      ['Floating developer seats, minutes', 'named seats', '30'],
      ['Days until idle seats are released', 'never', '90'],
      ['Days of offline licenses', '7', '7'],
      ['External ID', 'none', 'crm-17'],
      ['Tags', 'none', 'vip'],
      ['Notes', 'none', 'Met in May'],
      ['Custom fields', 'none', '{"contract":"A-17"}'],
    ] as const)
      expect([await fact(then, label), await fact(later, label)], label).toEqual([value, now]);
    const usageOf = (moment: Locator) => moment.getByRole('group', { name: 'Usage in the 30 days up to this moment' });
    const callsAt = (moment: Locator) => usageOf(moment).locator('[data-stat="Total API calls"]').innerText();
    for (const moment of [then, later]) await usageOf(moment).locator('[data-stat="Total errors"]').waitFor();
    expect([await callsAt(then), await callsAt(later)], 'calls after a moment do not count').toEqual(['0', '1']);
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await overflow(page)).toBe(0);
    await travel.getByRole('button', { name: 'Stop comparing' }).click();
    await later.waitFor({ state: 'detached' });
    await banner.getByRole('button', { name: 'Back to now' }).click();
    await banner.waitFor({ state: 'detached' });
    await page.getByText('Customer details').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await leave(page);
  });
});

describe('a link to a service integrator at a point in time', () => {
  const bannerOf = (page: Page) => page.getByRole('status').filter({ hasText: 'You are viewing this account as of' });

  it('shows the whole screen at that time, and beside another time', async () => {
    const { serviceIntegrator } = (await client.get('/api/service-integrator/profile')).body;
    const born = new Date(Date.parse(serviceIntegrator.createdAt) + 1).toISOString();
    await client.post('/api/service-integrator/themes', {
      themeName: 'ocean',
      displayName: 'Deep Ocean',
      primaryColor: '#003366',
      isDefault: true,
    });
    await client.post('/api/team/members', { name: 'Ada Byron', email: 'ada@contoso.example', role: 'owner' });
    const now = new Date(Date.now() + 1_000).toISOString();
    const page = await web.openAsAdmin(`/admin/service-integrators/${integrator.id}?asOf=${born}&beside=${now}`);
    await bannerOf(page).getByText(' and as of ').waitFor();
    const travel = page.getByRole('region', { name: 'Point in time' });
    await travel.getByText('Changed between the two moments').waitFor();
    await travel.getByText('Deep Ocean, #003366, default').waitFor();
    const [then, later] = [travel.locator('[data-as-of]').first(), travel.locator('[data-as-of]').nth(1)];
    await then.getByText('No custom themes yet').waitFor();
    await then.getByText('No named users yet').waitFor();
    const theme = later.getByRole('list', { name: 'Custom themes (1)' });
    for (const text of ['Deep Ocean', 'Default', 'only here']) await theme.getByText(text, { exact: true }).waitFor();
    await later.getByRole('list', { name: 'Named users (1)' }).getByText('Ada Byron').waitFor();
    for (const name of ['Edit service integrator', 'Delete'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    expect(await page.getByText('Account details').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await overflow(page)).toBe(0);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await violations(page)).toEqual([]);
    await bannerOf(page).getByRole('button', { name: 'Back to now' }).click();
    await bannerOf(page).waitFor({ state: 'detached' });
    await page.getByText('Account details').waitFor();
    await leave(page);
  });

  it('is chosen in the own settings with the keyboard', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/settings');
    const travel = page.getByRole('region', { name: 'Point in time' });
    await travel.getByRole('slider', { name: 'Point in time' }).press('Home');
    await page.waitForURL('**/service-integrator/settings?asOf=*');
    await bannerOf(page).waitFor();
    await travel.locator('[data-as-of]').getByText(integrator.masterLicenseKey).waitFor();
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
    await expect.poll(() => travel.getByRole('slider').evaluate((slider) => slider === document.activeElement)).toBe(true);
    await page.goto(`${web.url}/service-integrator/settings?asOf=2001-01-01T00:00:00.000Z`);
    await travel.getByText('The account did not exist yet.').waitFor();
    await leave(page);
  });

  it('is opened from an entry of the audit page', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/audit?types=ThemeCreated');
    await page.getByRole('link', { name: /Deep Ocean/ }).click();
    await dialogOf(page).getByRole('link', { name: 'View as of this moment' }).click();
    await page.waitForURL('**/service-integrator/settings?asOf=*');
    await bannerOf(page).waitFor();
    await leave(page);
  });
});

describeAtLength('printing a customer', () => {
  it('waits until its history is loaded', async () => {
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`);
    await page.getByRole('button', { name: 'Edit Customer' }).waitFor();
    await page.evaluate(() => {
      window.print = () => {
        document.title = `printed ${document.querySelectorAll('[aria-label="History entries"] > li').length}`;
      };
    });
    await page.keyboard.press('Control+p');
    await expect.poll(() => page.title()).toMatch(/^printed [1-9]/);
    await leave(page);
  });
});

/** Delays an IntersectionObserver, so that one call reports both that the card was out of view and that it came into view. */
const notifyLate = () => {
  window.IntersectionObserver = class extends IntersectionObserver {
    constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      const changes: IntersectionObserverEntry[] = [];
      super((newer, observer) => {
        changes.push(...newer);
        document.documentElement.dataset.seen = changes.map(({ isIntersecting }) => isIntersecting).join();
        if (newer.some(({ isIntersecting }) => isIntersecting)) callback(changes.splice(0), observer);
      }, options);
    }
  };
};

describe("a customer's history", () => {
  itAtLength('loads when a page scrolls to it, even if the browser reports it late', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE, { viewport: { width: 390, height: 400 } });
    await page.addInitScript(notifyLate);
    await page.goto(`/admin/customers/${customer.id}`);
    await page.locator('html[data-seen="false"]').waitFor({ state: 'attached' });
    await reveal(page);
    await page.locator('html[data-seen="false,true"]').waitFor({ state: 'attached' });
    await entries(page).first().waitFor();
    await page.context().close();
  });

  it('shows administrators all changes, newest first, with the values before and after', async () => {
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`);
    await reveal(page);
    await entries(page).first().getByText('The customer was reactivated').waitFor();
    const seats = entries(page).and(page.locator('[data-type="SeatsAllocated"]')).first();
    expect(await seats.locator('dl').innerText()).toMatch(/Developer seats\s+10\s+25/);
    await seats.getByText('by Administrator').waitFor();
    await seats.getByRole('link', { name: 'Seats set to 25 developer, 5 stakeholder' }).click();
    await page.waitForURL('**/admin/audit?entry=*');
    const drawer = dialogOf(page);
    await drawer.getByText('127.0.0.1').waitFor();
    await drawer.getByRole('link', { name: 'View as of this moment' }).waitFor();
    await leave(page);
  });

  itAtLength('is filtered, with the filter in the URL', async () => {
    const page = await openAsIntegrator(web, integrator, `/service-integrator/customers/${customer.id}`);
    await reveal(page);
    await entries(page).first().waitFor();
    await page.getByLabel('Type', { exact: true }).selectOption({ label: 'Suspended' });
    await page.waitForURL('**?type=CustomerSuspended');
    await page.getByText('1 of 1 entries').waitFor();
    await page.goto(`/service-integrator/customers/${customer.id}?type=CustomerSuspended&actor=user`);
    await reveal(page);
    await page.getByText('No matching entries').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await entries(page).nth(3).waitFor();
    await leave(page);
  });

  itAtLength('is exported with its filter', async () => {
    const page = await openAsIntegrator(web, integrator, `/service-integrator/customers/${customer.id}?type=CustomerSuspended`);
    await reveal(page);
    await page.evaluate(() => window.scrollTo(0, 0));
    // At the lower edge of the window the menu opens above its button.
    const { y } = (await page.getByRole('button', { name: 'Export', exact: true }).boundingBox()) ?? { y: 0 };
    await page.setViewportSize({ width: 1280, height: Math.ceil(y) + 60 });
    for (const format of ['CSV', 'NDJSON'] as const) {
      const download = await exportAs(page, format);
      expect(download.suggestedFilename()).toMatch(
        new RegExp(`^history-[a-z0-9-]+-\\d{4}-\\d\\d-\\d\\d\\.${format.toLowerCase()}$`),
      );
      const text = await readFile(await download.path(), 'utf8');
      expect(text).toContain('CustomerSuspended');
      expect(text).not.toContain('SeatsAllocated');
    }
    await leave(page);
  });

  itAtLength('is exported with proofs, which are verified offline; a changed byte is found', async () => {
    const page = await openAsIntegrator(web, integrator, `/service-integrator/customers/${customer.id}`);
    await reveal(page);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('button', { name: 'Verified export' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText(`curl ${web.url}/.well-known/latchkey/keys > latchkey.keys`).waitFor();
    expect(await violations(page)).toEqual([]);
    if (IS_AT_LENGTH) {
      await page.setViewportSize(PHONE);
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await overflow(page)).toBe(0);
      expect(await violations(page)).toEqual([]);
    }
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    const name = download.suggestedFilename();
    expect(name).toMatch(/^history-verified-[a-z-]+.*\.ndjson$/);
    await dialog.getByText(`latchkey-admin audit verify ${name}`).waitFor();
    const file = await download.path();
    const key = (await (await fetch(`${web.url}/.well-known/latchkey/keys`)).text()).trim();
    const verify = () => runAdminTool(['audit', 'verify', file, '--key', key], {});
    expect(await verify()).toMatchObject({ code: 0, out: expect.stringMatching(/^Verified: \d+ entries/) });
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('Suspended', 'suspended'));
    expect(await verify()).toMatchObject({ code: 1, out: expect.stringContaining('changed: ') });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await leave(page);
  });

  itAtLength('is shown to the customer itself, live', async () => {
    const page = await openAsCustomer(web, customer, '/portal/profile');
    await reveal(page);
    await entries(page).first().waitFor();
    await page.locator('[data-live="live"]').waitFor();
    await change({ stakeholderSeats: 7 });
    await entries(page).first().getByText('Seats set to 25 developer, 7 stakeholder').waitFor();
    expect(await entries(page).getByRole('link').count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Point in time' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('button', { name: 'NDJSON' }).waitFor();
    expect(await page.getByRole('button', { name: 'Verified export' }).count()).toBe(0);
    await leave(page);
  });
});

describeAtLength('time travel', () => {
  it('shows the customer as it was, and the differences to now', async () => {
    await web.admin.put(`/api/admin/customers/${customer.id}/term`, { expiresAt: '2099-12-12T12:11:04.073Z' });
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}?asOf=${before}`);
    const travel = page.getByRole('region', { name: 'Point in time' });
    await travel.getByRole('img', { name: 'Developer seats: 0 of 10 used, 0 percent, success' }).waitFor();
    const differences = await travel.getByText('Changed since then').locator('..').innerText();
    expect(differences).toMatch(/Developer seats\s+10\s+25/);
    expect(differences).toMatch(/Expiry\s+never\s+(Dec 12, 2099|12 Dec 2099)$/m);
    await travel.getByRole('button', { name: 'Back to now' }).click();
    await travel.getByText('Move the slider').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await leave(page);
  });

  it('is operated by keyboard', async () => {
    const page = await openAsIntegrator(web, integrator, `/service-integrator/customers/${customer.id}`);
    const travel = page.getByRole('region', { name: 'Point in time' });
    await travel.getByRole('slider', { name: 'Point in time' }).press('Home');
    await page.waitForURL('**?asOf=*');
    await travel.getByText(/^As of /).waitFor();
    await expect.poll(() => travel.getByRole('slider').evaluate((slider) => slider === document.activeElement)).toBe(true);
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
