import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asTool } from '../support/apiClient.ts';
import { itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, exportAs, openConsole, seed, type TestConsole, toastsOf } from './support/console.ts';
import { leave, loaded, navigate, PHONE } from './support/pages.ts';
import { openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;

const change = (body: Record<string, unknown>) => {
  const { name, contactEmail } = customer;
  return web.admin.put(`/api/admin/customers/${customer.id}`, { name, contactEmail, ...body });
};

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders', 'Tailspin Toys']);
  integrator = seeded.integrator;
  if (!seeded.customers[0]) throw new Error('No customer was made');
  customer = seeded.customers[0];
  await asTool(web.url, customer, 'ada');
  await change({ developerSeats: 25 });
  await change({ status: 'suspended', reason: 'Unpaid' });
  await change({ status: 'active' });
});
afterAll(() => web.close());

const entries = (page: Page) => page.locator('main li[data-type]');
const searchOf = (page: Page) => new URL(page.url()).searchParams;

describe('the audit page', () => {
  it('groups entries by day, with sign-ins that open, and is filtered by types, presets and saved views', async () => {
    const page = await web.openAsAdmin('/admin/audit', { timezoneId: 'Europe/Berlin' });
    const day = page.locator('section[data-day]').first();
    await day.getByText('Seats set to 25 developer, 5 stakeholder').waitFor();
    expect(await page.locator('li[data-type="UserAuthenticated"]').count()).toBe(0);
    expect(await day.locator('time').first().getAttribute('title')).toMatch(/ ms \(Europe\/Berlin\)$/);
    await day.getByText('Times are in Europe/Berlin').waitFor();
    await day.getByRole('button', { name: '1 sign-in with the tool' }).click();
    await day.getByText('User ada signed in with the command-line tool').waitFor();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Types', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Seats allocated' }).check();
    await page.getByRole('button', { name: 'Types (1)' }).waitFor();
    expect(searchOf(page).get('types')).toBe('SeatsAllocated');
    await page.getByRole('checkbox', { name: 'User signed in' }).check();
    await page.getByRole('button', { name: 'Types (2)' }).waitFor();
    await page.getByText('Northwind Traders was registered').waitFor({ state: 'detached' });
    expect(searchOf(page).get('types')).toBe('SeatsAllocated,UserAuthenticated');
    await page.keyboard.press('Escape');
    await page.getByRole('group', { name: 'Types of entries' }).waitFor({ state: 'detached' });
    const types = page.getByRole('button', { name: 'Types (2)', expanded: false });
    expect(await types.evaluate((button) => button === document.activeElement)).toBe(true);

    await page.getByRole('button', { name: 'Save view' }).click();
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await dialogOf(page).getByText('Enter a name for the view.').waitFor();
    await dialogOf(page).getByLabel('Name').fill('Seats and sign-ins');
    await page.keyboard.press('Enter');
    await toastsOf(page).getByText('View Seats and sign-ins saved').waitFor();
    await page.getByRole('button', { name: 'Licenses' }).click();
    await page.getByText('Northwind Traders was registered').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Licenses', pressed: true }).waitFor();
    await page.getByRole('combobox', { name: 'Saved views' }).selectOption('Seats and sign-ins');
    await page.getByText('Northwind Traders was registered').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete view Seats and sign-ins' }).click();
    await page.getByRole('combobox', { name: 'Saved views' }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'This week' }).click();
    await page.getByText('Northwind Traders was registered').waitFor();
    await page.getByRole('searchbox', { name: 'Search entries' }).fill('nothing has this');
    await page.getByText('No matching entries', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.locator('[data-live="live"]').waitFor();
    await change({ stakeholderSeats: 7 });
    await entries(page).first().getByText('Seats set to 25 developer, 7 stakeholder').waitFor();
    await leave(page);
  });

  itAtLength(
    'opens an entry from its permalink with what was before, what belongs to it, and the customer at that moment',
    async () => {
      const page = await web.openAsAdmin('/admin/audit');
      await page.getByRole('link', { name: 'Seats set to 25 developer, 5 stakeholder' }).click();
      await page.waitForURL('**entry=**');
      const id = searchOf(page).get('entry');
      await page.goto(`${web.url}/admin/audit?entry=${id}`);
      const drawer = dialogOf(page);
      await drawer.getByText('Before and after').waitFor();
      expect(await drawer.getByText('Developer seats').locator('..').innerText()).toMatch(/10\s+25/);
      await drawer.getByText('Administrator', { exact: true }).waitFor();
      await drawer.getByText('127.0.0.1', { exact: false }).first().waitFor();
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize(PHONE);
      expect(await overflow(page)).toBe(0);
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
      await expect.poll(() => searchOf(page).has('entry')).toBe(false);
      await loaded(page);
      expect(await overflow(page)).toBe(0);
      expect(await violations(page)).toEqual([]);

      await page.getByRole('link', { name: 'User ada (ada@example.com) was registered as developer' }).click();
      await drawer.getByText('From the same request').waitFor();
      await drawer.getByRole('button', { name: /^User ada claimed a developer seat/ }).click();
      await drawer.getByText('This entry changed no field.').waitFor();
      await drawer.getByRole('button', { name: 'Show only this: Customer' }).click();
      await drawer.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Remove the filter: Customer' }).waitFor();
      await expect.poll(() => searchOf(page).get('customer')).toBe(customer.id);
      await page.goto(`${web.url}/admin/audit?entry=${id}`);
      await drawer.getByRole('link', { name: 'View as of this moment' }).click();
      await page.waitForURL(`**/admin/customers/${customer.id}?asOf=*`);
      await page.goto(`${web.url}/admin/audit?entry=99999999-9999-4999-8999-999999999999`);
      await drawer.getByText('This entry does not exist, or you may not see it.').waitFor();
      await leave(page);
    },
  );

  it('prints all sign-ins of a day that is open', async () => {
    const { customers } = await seed(web.admin, ['Busy Bakers'], 'Busy Partners');
    const [busy] = customers;
    if (!busy) throw new Error('No customer was made');
    for (let nr = 0; nr < 12; nr += 1) await asTool(web.url, busy, 'bea');
    const page = await web.openAsAdmin(`/admin/audit?customer=${busy.id}`);
    await page.getByRole('button', { name: '12 sign-ins with the tool' }).click();
    const signIns = page.locator('li[data-type="UserAuthenticated"]');
    await page.getByRole('link', { name: 'All of this day' }).waitFor();
    await expect.poll(() => signIns.count()).toBe(10);
    await page.emulateMedia({ media: 'print' });
    await page.getByText('Not all sign-ins are printed.').waitFor();
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => {
      window.print = () => {
        document.title = `printed ${document.querySelectorAll('li[data-type="UserAuthenticated"]').length}`;
      };
    });
    await page.keyboard.press('Control+p');
    await expect.poll(() => page.title()).toBe('printed 12');
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await expect.poll(() => signIns.count()).toBe(10);
    await leave(page);
  });

  it('reverts an entry after a preview of what changes and whom it affects, and shows both entries together', async () => {
    await change({ developerSeats: 0 });
    const [emptied] = (await web.admin.get('/api/admin/audit?types=SeatsAllocated&limit=1')).body.entries;
    await change({ developerSeats: 40 });
    const page = await openAsIntegrator(web, integrator, '/service-integrator/audit');
    await page.getByRole('link', { name: 'Seats set to 40 developer, 7 stakeholder' }).click();
    const drawer = page.getByRole('dialog', { name: 'Entry' });
    await drawer.getByRole('button', { name: 'Revert', exact: true }).click();
    const asking = page.getByRole('alertdialog', { name: 'Revert this change?' });
    expect(await asking.getByText('Developer seats', { exact: true }).locator('..').innerText()).toMatch(/40\s+0/);
    await asking.getByText('1 user exceeds the limit of 0 developer seats.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await overflow(page)).toBe(0);
    await asking.getByRole('button', { name: 'Revert' }).click();
    await toastsOf(page).getByText('Change reverted').waitFor();
    await drawer.getByText('Reverted by').waitFor();
    await drawer.getByRole('button', { name: /^Reverted: Seats set to 0 developer, 7 stakeholder/ }).click();
    await drawer.getByRole('button', { name: 'Open the entry that this one reverts' }).click();
    await drawer.getByText('Reverted by').waitFor();
    expect(await drawer.getByRole('button', { name: 'Revert', exact: true }).count()).toBe(0);

    await change({ developerSeats: 41 });
    await navigate(page, `/service-integrator/audit?entry=${emptied.id}`);
    await page.locator(`[data-entry="${emptied.id}"]`).getByRole('button', { name: 'Revert', exact: true }).click();
    await asking.getByText('A later change has other values.').waitFor();
    expect(await asking.getByRole('button', { name: 'Revert' }).isDisabled()).toBe(true);
    await asking.getByRole('button', { name: 'Cancel' }).click();

    const { companyName, contactEmail, billingEmail } = integrator;
    const profile = { companyName, contactEmail, billingEmail: 'new@billing.example' };
    await web.admin.put(`/api/admin/service-integrators/${integrator.id}`, profile);
    const { entries } = (await web.admin.get('/api/admin/audit?types=IntegratorProfileChanged&limit=1')).body;
    await navigate(page, `/service-integrator/audit?entry=${entries[0].id}`);
    await page.locator(`[data-entry="${entries[0].id}"]`).getByRole('button', { name: 'Revert', exact: true }).click();
    await asking.getByText(`${companyName} changes to:`).waitFor();
    const billing = await asking.getByText('Billing email', { exact: true }).locator('..').innerText();
    expect(billing).toMatch(new RegExp(`new@billing\\.example\\s+${billingEmail}`));
    await asking.getByRole('button', { name: 'Revert' }).click();
    await drawer.getByText('Reverted by').waitFor();
    await leave(page);
  });

  it('shows what the revert of the status of a user affects', async () => {
    await change({ developerSeats: 40 });
    const { userId } = await asTool(web.url, customer, 'eve');
    await web.admin.put(`/api/admin/users/${userId}/status`, { status: 'suspended' });
    await web.admin.put(`/api/admin/users/${userId}/status`, { status: 'active' });
    const { entries } = (await web.admin.get('/api/admin/audit?types=UserActivated&limit=1')).body;
    const page = await openAsIntegrator(web, integrator, `/service-integrator/audit?entry=${entries[0].id}`);
    await page.locator(`[data-entry="${entries[0].id}"]`).getByRole('button', { name: 'Revert', exact: true }).click();
    const effects = page.getByRole('alertdialog').getByRole('list', { name: 'Effects' });
    await effects.getByText('The developer seat will be released.').waitFor();
    await effects.getByText("1 machine can't sign in.").waitFor();
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });

  itAtLength('shows service integrators their customers and their own account', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/dashboard');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit' }).click();
    await page.getByText('Tailspin Toys was registered').waitFor();
    await page.getByText(`${integrator.companyName} was registered`).waitFor();
    expect((await exportAs(page, 'CSV')).suggestedFilename()).toMatch(/^audit-[a-z0-9-]+-\d{4}-\d\d-\d\d\.csv$/);
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
