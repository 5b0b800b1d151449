import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, holdsFocus, openConsole, seed, type TestConsole } from './support/console.ts';
import { leave, navigate, PHONE } from './support/pages.ts';
import { openAsIntegrator } from './support/tokens.ts';

/** The row of an entitlement in a form. */
const entryOf = (dialog: Locator, number: number) => dialog.getByRole('group', { name: `Entitlement ${number}`, exact: true });

let web: TestConsole;
let integrator: Awaited<ReturnType<typeof seed>>['integrator'];
let northwind: Customer;
const contactOf = ({ name, contactEmail }: Customer) => ({ name, contactEmail });

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders']);
  integrator = seeded.integrator;
  const [first] = seeded.customers;
  if (!first) throw new Error('No customer was made');
  northwind = first;
});
afterAll(() => web.close());

/** The customer that the service integrator creates. */
let contoso: Customer;

describe('plans', () => {
  it('are created by keyboard, and changed', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.getByRole('link', { name: 'Plans' }).click();
    await page.waitForURL('**/admin/plans');
    const plans = page.getByRole('region', { name: 'Plans table' });
    await plans.getByRole('row', { name: /ENT.*Enterprise.*Built in.*10 developer, 5 stakeholder.*Perpetual.*1/ }).waitFor();

    expect(await plans.getByRole('link', { name: '1 license' }).getAttribute('href')).toBe('/admin/customers?plan=ENT');
    await page.getByRole('button', { name: 'Create plan' }).focus();
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page);
    await holdsFocus(dialog);
    await dialog.getByLabel('Code').focus();
    await page.keyboard.type('PRO');
    await dialog.getByLabel('Name').fill('Professional');
    await dialog.getByLabel('Developer seats').fill('25');
    await dialog.getByLabel('Stakeholder seats').fill('-1');
    await dialog.getByLabel('Term in months').fill('12');
    await dialog.getByLabel('Days of grace').fill('14');
    await dialog.getByLabel('Floating seats, free after (minutes)').fill('30');
    await dialog.getByLabel('API calls per month').fill('50,000');
    await dialog.getByLabel('Quota').selectOption('soft');
    await dialog.getByText('Without entries, the license includes all services and features.').waitFor();
    await dialog.getByRole('button', { name: 'Add entitlement' }).focus();
    await page.keyboard.press('Enter');
    await entryOf(dialog, 1).getByLabel('Service or feature').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('jira');
    await dialog.getByRole('button', { name: 'Add entitlement' }).click();
    await entryOf(dialog, 2).getByLabel('Service or feature').fill('reports');
    await entryOf(dialog, 2).getByLabel('Until').fill('2050-12-31');
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('Name').focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await plans
      .getByRole('row', {
        name: /PRO.*Professional.*25 floating developer, unlimited stakeholder.*12 months, 14 days of grace.*jira, reports/,
      })
      .waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);

    await plans.getByRole('button', { name: 'Edit Professional' }).click();
    await dialog.getByLabel('Name').fill('Team');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    await plans.getByRole('row', { name: /PRO.*Team/ }).waitFor();

    await plans.getByRole('button', { name: 'Edit Team' }).click();
    await dialog.getByLabel('Term in days').fill('14');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByText('Must be empty for a term in months').waitFor();
    await dialog.getByLabel('Term in months').fill('');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await plans.getByRole('row', { name: /PRO.*Team.*14 days, 14 days of grace/ }).waitFor();
    await plans.getByRole('button', { name: 'Edit Team' }).click();
    await dialog.getByLabel('Term in days').fill('');
    await dialog.getByLabel('Term in months').fill('12');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await plans.getByRole('row', { name: /PRO.*Team.*12 months, 14 days of grace/ }).waitFor();

    await page.getByRole('button', { name: 'Create plan' }).click();
    await dialog.getByLabel('Code').fill('PRO');
    await dialog.getByLabel('Name').fill('Another');
    await dialog.getByRole('button', { name: 'Create plan' }).click();
    await dialog.getByText('A plan with this code exists, or was retired').waitFor();
    await dialog.getByLabel('Code').and(page.locator(':focus')).waitFor();
    await leave(page);
  });

  it('are sorted by each column, limits that are missing as the highest', async () => {
    const page = await web.openAsAdmin('/admin/plans?sort=-seats');
    const codes = () => page.getByRole('region', { name: 'Plans table' }).locator('tbody code').allInnerTexts();
    await expect.poll(codes).toEqual(['PRO', 'ENT']);
    const term = page.getByRole('columnheader', { name: 'Term' });
    await term.getByRole('button').click();
    await page.waitForURL('**/admin/plans?sort=-term');
    await expect.poll(codes).toEqual(['ENT', 'PRO']);
    await term.getByRole('button').click();
    await page.waitForURL('**/admin/plans?sort=term');
    await expect.poll(codes).toEqual(['PRO', 'ENT']);
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Compact' }).click();
    await page.locator('table.compact').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await leave(page);
  });

  itAtLength('show in their form what is wrong, and fit a phone in the dark', async () => {
    const page = await web.openAsAdmin('/admin/plans');
    await page.getByRole('button', { name: 'Create plan' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Code').fill('pr');
    await page.keyboard.press('Enter');
    await dialog.getByText('Must be three letters like PRO').waitFor();
    await dialog.getByText('Name is required').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('Code').fill('MAX');
    await dialog.getByLabel('Name').fill('Maximum');
    await dialog.getByLabel('Term in months').fill('');
    await dialog.getByLabel('Days of grace').fill('14');
    await page.keyboard.press('Enter');
    await dialog.getByText('Days of grace and a trial need a term.').waitFor();
    await dialog.getByLabel('Term in months').fill('12');
    for (const _ of [1, 2]) await dialog.getByRole('button', { name: 'Add entitlement' }).click();
    await entryOf(dialog, 1).getByLabel('Service or feature').fill('two words');
    await entryOf(dialog, 2).getByLabel('From').fill('2051-01-01');
    await entryOf(dialog, 2).getByLabel('Until').fill('2050-12-31');
    await dialog.getByRole('button', { name: 'Create plan' }).click();
    await entryOf(dialog, 1)
      .getByText(/^Each code must have letters/)
      .waitFor();
    await entryOf(dialog, 2).getByText('Required').waitFor();
    expect(await violations(page)).toEqual([]);
    await entryOf(dialog, 1).getByLabel('Service or feature').fill('jira');
    await entryOf(dialog, 2).getByLabel('Service or feature').fill('reports');
    await dialog.getByRole('button', { name: 'Create plan' }).click();
    await entryOf(dialog, 2).getByText('Must be after the start').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    for (const role of ['alertdialog', 'dialog'] as const) await page.getByRole(role).waitFor({ state: 'detached' });
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('list', { name: 'Plans table' }).getByText('Team').waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await leave(page);
  });

  itAtLength('fill the form of a new customer', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.getByRole('button', { name: 'Create customer' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Plan').selectOption('PRO');
    await dialog
      .getByText(
        '25 floating developer, unlimited stakeholder seats. 12 months, 14 days of grace. Includes jira, reports until 2050-12-31. API calls: 50,000 a month (soft).',
      )
      .waitFor();
    expect(await dialog.getByLabel('Developer seats').inputValue()).toBe('25');
    expect(await dialog.getByLabel('Stakeholder seats').inputValue()).toBe('-1');
    expect(await dialog.getByLabel('API calls per month').inputValue()).toBe('50000');
    expect(await dialog.getByLabel('Quota').inputValue()).toBe('soft');
    await dialog.getByText('Leave it empty for the term of the plan.').waitFor();
    expect(await entryOf(dialog, 2).getByLabel('Service or feature').inputValue()).toBe('reports');
    await dialog.getByLabel('Days of grace').fill('400');
    await dialog.getByLabel('Expires').fill('2050-12-31');
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await dialog.getByText('Must be at most 365').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('Plan').selectOption('ENT');
    expect(await dialog.getByLabel('Developer seats').inputValue()).toBe('10');
    expect(await dialog.getByLabel('API calls per month').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    for (const role of ['alertdialog', 'dialog'] as const) await page.getByRole(role).waitFor({ state: 'detached' });
    await leave(page);
  });

  it('are chosen for a new customer by its service integrator', async () => {
    const own = await openAsIntegrator(web, integrator, '/service-integrator/customers');
    await own.getByRole('button', { name: 'Create customer' }).click();
    const form = dialogOf(own);
    await form.getByLabel('Plan').selectOption('PRO');
    await form.getByLabel('API calls per month').fill('60.000');
    await form.getByLabel('Customer name').fill('Contoso');
    await form.getByLabel('Contact email').fill('it@contoso.example');
    await form.getByLabel('Company').fill('Contoso Ltd');
    await form.getByRole('button', { name: 'Create customer' }).click();
    await form.waitFor({ state: 'detached' });
    await own.getByRole('button', { name: 'Open' }).click();
    await own.getByRole('heading', { level: 1, name: 'Contoso' }).waitFor();
    await own.getByText('Team', { exact: true }).waitFor();
    await own.getByText('60,000 a month (soft)').waitFor();
    await own.getByRole('region', { name: 'Entitlements', exact: true }).getByText('reports').waitFor();
    await leave(own);
    [contoso] = (await web.admin.get('/api/admin/customers?search=contoso')).body.customers;
  });

  itAtLength('give entitlements, which the service integrator changes', async () => {
    const own = await openAsIntegrator(web, integrator, `/service-integrator/customers/${contoso.id}`);
    const form = dialogOf(own);
    const included = own.getByRole('region', { name: 'Entitlements', exact: true });
    await included.getByRole('button', { name: 'Change' }).click();
    expect(await entryOf(form, 2).getByLabel('Until').inputValue()).toBe('2050-12-31');
    await entryOf(form, 2).getByLabel('Service or feature').fill('jira');
    await form.getByRole('button', { name: 'Save entitlements' }).click();
    await form.getByText('jira is there more than once').waitFor();
    await form.getByRole('button', { name: 'Remove Entitlement 2' }).click();
    await entryOf(form, 2).waitFor({ state: 'detached' });
    await entryOf(form, 1).getByLabel('Until').fill('2026-01-31');
    await form.getByRole('button', { name: 'Add entitlement' }).click();
    await entryOf(form, 2).getByLabel('Service or feature').fill('audit');
    await entryOf(form, 2).getByLabel('From').fill('2050-01-01');
    await form.getByRole('button', { name: 'Save entitlements' }).click();
    await form.waitFor({ state: 'detached' });
    await included.getByText('Ended').waitFor();
    await included.getByText('Not started').waitFor();
    expect([await violations(own), await overflow(own)]).toEqual([[], 0]);
    await leave(own);
  });

  /** What the plan includes after the service integrator's customer was created. */
  const changed = { name: 'Team', developerSeats: 40, stakeholderSeats: -1, termMonths: 12, graceDays: 14 };

  it('that changed later are applied to a license', async () => {
    await web.admin.put('/api/admin/plans/PRO', changed);
    const own = await openAsIntegrator(web, integrator, `/service-integrator/customers/${contoso.id}`);
    const form = dialogOf(own);
    await own.getByText('The plan PRO has changed since this license copied it.').waitFor();
    await own.getByRole('button', { name: 'Review changes' }).click();
    await form.getByText('Developer seats', { exact: true }).waitFor();
    await form.getByRole('list', { name: 'Effects' }).getByText('0 users share 40 floating developer seats.').waitFor();
    expect(await violations(own)).toEqual([]);
    await form.getByRole('button', { name: 'Apply to license' }).click();
    await form.waitFor({ state: 'detached' });
    await own.getByText(/^The plan PRO has changed/).waitFor({ state: 'detached' });
    await holdsFocus(own.getByRole('main'));
    await own.getByText('40', { exact: false }).first().waitFor();
    await own.getByText(/^LK-PRO-/).waitFor();
    await leave(own);
  });

  itAtLength('are changed for selected customers, and for one', async () => {
    const page = await web.openAsAdmin('/admin/customers?plan=PRO');
    const customers = page.getByRole('region', { name: 'Customers table' });
    await page.getByText('1 of 1 customers').waitFor();
    expect(await page.getByLabel('Filter by plan').inputValue()).toBe('PRO');
    await page.getByRole('button', { name: 'View' }).click();
    for (const column of ['Plan', 'Tags']) await page.getByRole('group', { name: 'View' }).getByLabel(column).check();
    await page.keyboard.press('Escape');
    await customers.getByRole('row', { name: /Contoso.*PRO · Team/ }).waitFor();
    await page.getByLabel('Filter by plan').selectOption('All plans');
    await page.getByText('2 of 2 customers').waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    const bulk = dialogOf(page);
    await bulk.getByText('2 need no change and are skipped.').waitFor();
    await web.admin.put('/api/admin/plans/PRO', { ...changed, developerSeats: 45 });
    await bulk.getByLabel('Action').selectOption('Move to another plan');
    await bulk.getByText('2 need no change and are skipped.').waitFor({ state: 'detached' });
    expect(await bulk.getByText('No change').count(), 'before a plan is chosen').toBe(0);
    await bulk.getByLabel('New plan').selectOption('PRO');
    await bulk.getByLabel('Term').selectOption("Start the plan's term today");
    const moved = bulk.getByRole('listitem').filter({ hasText: 'Northwind Traders' });
    await moved.getByText('45', { exact: true }).waitFor();
    for (const former of ['Enterprise', 'never']) expect(await moved.getByText(former, { exact: true }).count(), former).toBe(1);
    await bulk.getByText('1 needs no change and is skipped.').waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await web.admin.put(`/api/admin/customers/${northwind.id}`, { ...contactOf(northwind), developerSeats: 7 });
    await bulk.getByRole('button', { name: 'Change 1 license' }).click();
    await moved.getByText('Changed since. Check it again.').waitFor();
    await moved.getByText('7', { exact: true }).waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await bulk.getByRole('button', { name: 'Change 1 license' }).click();
    await bulk.getByText('1 of 1 done').waitFor();
    await bulk.getByRole('button', { name: 'Close' }).last().click();
    await bulk.waitFor({ state: 'detached' });
    await customers.getByRole('row', { name: /Northwind Traders.*PRO · Team/ }).waitFor();
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await bulk.getByRole('button', { name: 'Change 1 license' }).click();
    await bulk.getByText('1 of 1 done').waitFor();
    await bulk.getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('link', { name: 'Northwind Traders' }).first().click();
    await page.getByRole('button', { name: 'Change plan' }).click();
    await bulk.getByLabel('New plan').selectOption('ENT');
    await bulk.getByLabel('Term').selectOption("Start the plan's term today");
    await bulk.getByText('Changes', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await bulk.getByRole('button', { name: 'Change plan' }).click();
    await bulk.waitFor({ state: 'detached' });
    await page.getByText('This license is perpetual: it does not expire.').waitFor();
    await leave(page);
  });

  it('are retired', async () => {
    const page = await web.openAsAdmin('/admin/plans');
    const listed = page.getByRole('region', { name: 'Plans table' });
    await listed.getByRole('row', { name: /PRO.*Team.*1/ }).waitFor();
    await listed.getByRole('button', { name: 'Retire Team' }).click();
    await dialogOf(page).getByRole('button', { name: 'Retire plan' }).click();
    await listed.getByRole('row', { name: /PRO.*Team.*Retired/ }).waitFor();
    expect(await listed.getByRole('button', { name: 'Edit Team' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });

  itAtLength('filter the customers of a service integrator, and are in the history of a license', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/customers');
    await page.getByLabel('Filter by plan').selectOption('PRO');
    await page.getByText('Contoso', { exact: true }).first().waitFor();
    await expect.poll(() => page.getByText('Northwind Traders').count()).toBe(0);
    await navigate(page, `/service-integrator/customers/${contoso.id}`);
    await web.admin.post(`/api/admin/customers/${contoso.id}/plan-move`, { plan: 'ENT', version: 1 });
    const history = page.getByRole('region', { name: 'History' });
    await history.scrollIntoViewIfNeeded();
    await history.getByText('The license moved from the plan PRO to ENT (Enterprise)').waitFor();
    await leave(page);
  });
});
