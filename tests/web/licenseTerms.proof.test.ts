import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { DAY_MS, dayOf, MINUTE_MS } from '../../src/domain/time.ts';
import { newCustomer } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { overflow, violations } from './support/axe.ts';
import { chooseIntegrator, dialogOf, openConsole, seed, type TestConsole, toastsOf } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

/** The server's clock; that of the browser stays. */
let ahead = 0;
const now = () => Date.now() + ahead;
const dayIn = (days: number): string => dayOf(now() + days * DAY_MS);

let web: TestConsole;
let integrator: ServiceIntegrator;

beforeAll(async () => {
  web = await openConsole({}, { now });
  ({ integrator } = await seed(web.admin, ['Northwind Traders']));
});
afterAll(() => web.close());

const cardOf = (page: Page) => page.getByRole('region', { name: 'License term' });
const fill = async (page: Page, days: number, grace = '0'): Promise<void> => {
  await dialogOf(page).getByLabel('Expires on').fill(dayIn(days));
  await dialogOf(page).getByLabel('Days of grace').fill(grace);
};

describe('the term of a license', () => {
  it('is given to a new customer, renewed, extended and removed by an administrator', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.getByRole('button', { name: 'Create customer' }).first().click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Customer name').fill('Trial Traders');
    await dialog.getByLabel('Contact email').fill('it@trial.example');
    await chooseIntegrator(dialog, integrator.companyName);
    await dialog.getByLabel('Expires').fill(dayIn(-1));
    await dialog.getByRole('checkbox', { name: 'Trial' }).check();
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await dialog.getByText('The term must expire after it starts. Choose a later expiry.').waitFor();
    await dialog.getByLabel('Expires').fill(dayIn(20));
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await toastsOf(page).getByText('Customer created successfully!').waitFor();

    await page.getByLabel('Filter by term').selectOption('Trial');
    await page.waitForURL('**/admin/customers?term=trial');
    await page.getByText('1 of 1 customers').waitFor();
    const row = page.locator('tbody tr').first();
    await row.getByText(/^Trial ends in (20|21) days$/).waitFor();
    await page.getByLabel('Filter by term').selectOption('All terms');
    await page.getByText('2 of 2 customers').waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Renew', exact: true }).click();
    await dialogOf(page).getByText('1 needs no change and is skipped.').waitFor();
    const expiry = dialogOf(page).getByText(/^Expires on .*, then on /);
    const inAYear = await expiry.innerText();
    await dialogOf(page).getByLabel('Renew for').selectOption('1 month');
    expect(await expiry.innerText()).not.toBe(inAYear);
    await dialogOf(page).getByRole('button', { name: 'Renew 1 license' }).click();
    await dialogOf(page).getByText('1 of 1 done').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Close' }).last().click();
    await page.locator('tbody').getByText('Trial ends').waitFor({ state: 'detached' });
    await eventually(
      async () => (await web.admin.get('/api/admin/audit?types=BulkChangeFinished')).body.entries,
      (entries) => entries[0]?.summary === 'Renewed the licenses of 1 customer',
    );
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Extend', exact: true }).click();
    await dialogOf(page).getByText('1 needs no change and is skipped.').waitFor();
    await dialogOf(page).getByLabel('Days').fill('0');
    expect(await dialogOf(page).getByRole('button', { name: 'Extend 1 license' }).isDisabled()).toBe(true);
    await dialogOf(page).getByLabel('Days').fill('3');
    await dialogOf(page)
      .getByText(/^Expires on .*, then on /)
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await dialogOf(page).getByRole('button', { name: 'Extend 1 license' }).click();
    await dialogOf(page).getByText('1 of 1 done').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Close' }).last().click();
    await eventually(
      async () => (await web.admin.get('/api/admin/audit?types=BulkChangeFinished')).body.entries,
      (entries) => entries[0]?.summary === 'Extended the licenses of 1 customer',
    );
    await page.getByRole('link', { name: 'Trial Traders' }).first().click();

    await cardOf(page).getByRole('button', { name: 'Renew' }).click();
    await dialogOf(page).getByText('The license continues from its expiry').waitFor();
    await dialogOf(page).getByLabel('Renew for').selectOption('6 months');
    await dialogOf(page).getByRole('button', { name: 'Renew license' }).click();
    await toastsOf(page).getByText('License renewed until').waitFor();
    await cardOf(page).getByText('Active', { exact: true }).waitFor();

    await cardOf(page).getByRole('button', { name: 'Extend' }).click();
    await dialogOf(page).getByLabel('Days').fill('0');
    await dialogOf(page).getByRole('button', { name: 'Extend license' }).click();
    await dialogOf(page).getByText('Must be 1 or more').waitFor();
    await dialogOf(page).getByLabel('Days').fill('14');
    await dialogOf(page).getByRole('button', { name: 'Extend license' }).click();
    await toastsOf(page).getByText('License extended until').waitFor();

    await cardOf(page).getByRole('button', { name: 'Make perpetual' }).click();
    await dialogOf(page).getByRole('button', { name: 'Make perpetual' }).click();
    await cardOf(page).getByText('This license is perpetual: it does not expire.').waitFor();
    await leave(page);
  });

  it('warns in the portal, ends with the clock and comes back with a renewal by the service integrator, live', async () => {
    const customer: Customer = await newCustomer(web.admin, integrator.id, { name: 'Short Inc.' });
    const partner = await openAsIntegrator(web, integrator, `/service-integrator/customers/${customer.id}`);
    const portal = await openAsCustomer(web, customer, '/portal/dashboard');
    await cardOf(partner).getByRole('button', { name: 'Set term' }).click();
    await fill(partner, 1, '2');
    await dialogOf(partner).getByRole('button', { name: 'Save term' }).click();
    await toastsOf(partner).getByText('License term saved').waitFor();
    await portal.getByText(/Your license expires on .*Ask your service integrator to renew it\./).waitFor();
    const tryFor = (days: number) =>
      web.admin.put(`/api/admin/customers/${customer.id}/term`, {
        expiresAt: new Date(now() + days * DAY_MS).toISOString(),
        graceDays: 2,
        isTrial: true,
      });
    await tryFor(30);
    await portal.getByText(/Your trial ends on .*, in 30 days\.$/).waitFor();
    expect(await violations(portal)).toEqual([]);
    await tryFor(6);
    await portal.getByText(/Your trial ends on .*, in 6 days\. Ask your service integrator to renew it\./).waitFor();
    expect(await violations(portal)).toEqual([]);

    const soon = { expiresAt: new Date(now() + MINUTE_MS).toISOString() };
    await web.admin.put(`/api/admin/customers/${customer.id}/term`, soon);
    ahead = 2 * MINUTE_MS;
    await portal
      .getByRole('alert')
      .getByText(/Your license expired on .*can no longer sign in or connect/)
      .waitFor();
    await cardOf(partner).getByText('Expired', { exact: true }).waitFor();
    expect(await violations(partner)).toEqual([]);
    await leave(portal);

    await web.admin.post(`/api/admin/customers/${customer.id}/term/renew`, { months: 12 });
    await cardOf(partner).getByText('Active', { exact: true }).waitFor();
    await leave(partner);
  });

  it('fits a phone, in the dark', async () => {
    const term = { expiresAt: new Date(now() + 5 * DAY_MS).toISOString(), graceDays: 14, isTrial: true };
    const customer = await newCustomer(web.admin, integrator.id, { name: 'Small Inc.', term });
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`, { viewport: PHONE, colorScheme: 'dark' });
    await cardOf(page).getByText('Trial ends soon').waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await cardOf(page).getByRole('button', { name: 'Change' }).click();
    await dialogOf(page).getByLabel('Expires on').waitFor();
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });
});
