import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, seed, type TestConsole } from './support/console.ts';
import { leave, navigate, PHONE } from './support/pages.ts';
import { openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: Awaited<ReturnType<typeof seed>>['integrator'];

beforeAll(async () => {
  web = await openConsole();
  ({ integrator } = await seed(web.admin, ['Northwind Traders']));
});
afterAll(() => web.close());

describe('plans', () => {
  it('are created by keyboard, chosen for a new customer, changed and retired', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.getByRole('link', { name: 'Plans' }).click();
    await page.waitForURL('**/admin/plans');
    const plans = page.getByRole('region', { name: 'Plans table' });
    await plans.getByRole('row', { name: /ENT.*Enterprise.*Built in.*10 developer, 5 stakeholder.*Perpetual.*1/ }).waitFor();

    await page.getByRole('button', { name: 'Create plan' }).focus();
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page);
    await dialog.getByLabel('Code').focus();
    await page.keyboard.type('pr');
    await page.keyboard.press('Enter');
    await dialog.getByText('Must be three letters like PRO').waitFor();
    await dialog.getByText('Name is required').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('Code').fill('PRO');
    await dialog.getByLabel('Name').fill('Professional');
    await dialog.getByLabel('Developer seats').fill('25');
    await dialog.getByLabel('Stakeholder seats').fill('-1');
    await dialog.getByLabel('Term in months').fill('');
    await dialog.getByLabel('Days of grace').fill('14');
    await page.keyboard.press('Enter');
    await dialog.getByText('Days of grace and a trial need a term.').waitFor();
    await dialog.getByLabel('Term in months').fill('12');
    await dialog.getByLabel('Entitlements').fill('jira\nreports until soon');
    await dialog.getByRole('button', { name: 'Create plan' }).click();
    await dialog.getByText('Must be a UTC time').waitFor();
    await dialog.getByLabel('Entitlements').fill('jira\nreports until 2050-12-31');
    await dialog.getByLabel('Name').focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await plans
      .getByRole('row', {
        name: /PRO.*Professional.*25 developer, unlimited stakeholder.*12 months, 14 days of grace.*jira, reports/,
      })
      .waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('list', { name: 'Plans table' }).getByText('Professional').waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await page.setViewportSize({ width: 1280, height: 800 });

    await navigate(page, '/admin/customers');
    await page.getByRole('button', { name: 'Create customer' }).click();
    await dialog.getByLabel('Plan').selectOption('PRO');
    await dialog
      .getByText('25 developer, unlimited stakeholder seats. 12 months, 14 days of grace. Includes jira, reports until 2050-12-31.')
      .waitFor();
    expect(await dialog.getByLabel('Developer seats').inputValue()).toBe('25');
    expect(await dialog.getByLabel('Stakeholder seats').inputValue()).toBe('-1');
    await dialog.getByText('Leave it empty for the term of the plan.').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('Plan').selectOption('ENT');
    expect(await dialog.getByLabel('Developer seats').inputValue()).toBe('10');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    for (const role of ['alertdialog', 'dialog'] as const) await page.getByRole(role).waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Plans' }).click();
    await plans.getByRole('button', { name: 'Edit Professional' }).click();
    await dialog.getByLabel('Name').fill('Team');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    await plans.getByRole('row', { name: /PRO.*Team/ }).waitFor();
    await leave(page);

    const own = await openAsIntegrator(web, integrator, '/service-integrator/customers');
    await own.getByRole('button', { name: 'Create customer' }).click();
    const form = dialogOf(own);
    await form.getByLabel('Plan').selectOption('PRO');
    await form.getByLabel('Customer name').fill('Contoso');
    await form.getByLabel('Contact email').fill('it@contoso.example');
    await form.getByLabel('Company').fill('Contoso Ltd');
    await form.getByRole('button', { name: 'Create customer' }).click();
    await form.waitFor({ state: 'detached' });
    await own.getByRole('button', { name: 'Open' }).click();
    await own.getByRole('heading', { level: 1, name: 'Contoso' }).waitFor();
    await own.getByText('Team', { exact: true }).waitFor();
    const included = own.getByRole('region', { name: 'Entitlements', exact: true });
    await included.getByText('reports').waitFor();
    await included.getByRole('button', { name: 'Change' }).click();
    expect(await form.getByLabel('Entitlements').inputValue()).toBe('jira\nreports until 2050-12-31');
    await form.getByLabel('Entitlements').fill('jira\njira');
    await form.getByRole('button', { name: 'Save entitlements' }).click();
    await form.getByText('jira is there more than once').waitFor();
    await form.getByLabel('Entitlements').fill('jira until 2026-01-31\naudit from 2050-01-01');
    await form.getByRole('button', { name: 'Save entitlements' }).click();
    await form.waitFor({ state: 'detached' });
    await included.getByText('Ended').waitFor();
    await included.getByText('Not started').waitFor();
    expect([await violations(own), await overflow(own)]).toEqual([[], 0]);
    const changed = { name: 'Team', developerSeats: 40, stakeholderSeats: -1, termMonths: 12, graceDays: 14 };
    await web.admin.put('/api/admin/plans/PRO', changed);
    await own.reload();
    await own.getByText('The plan PRO has changed since this license copied it.').waitFor();
    await own.getByRole('button', { name: 'Review changes' }).click();
    await form.getByText('Developer seats').waitFor();
    expect(await violations(own)).toEqual([]);
    await form.getByRole('button', { name: 'Apply to license' }).click();
    await form.waitFor({ state: 'detached' });
    await own.getByText(/^The plan PRO has changed/).waitFor({ state: 'detached' });
    await own.getByText('40', { exact: false }).first().waitFor();
    await own.getByText(/^LK-PRO-/).waitFor();
    await leave(own);

    const after = await web.openAsAdmin('/admin/plans');
    const listed = after.getByRole('region', { name: 'Plans table' });
    await listed.getByRole('row', { name: /PRO.*Team.*1/ }).waitFor();
    await listed.getByRole('button', { name: 'Retire Team' }).click();
    await dialogOf(after).getByRole('button', { name: 'Retire plan' }).click();
    await listed.getByRole('row', { name: /PRO.*Team.*Retired/ }).waitFor();
    expect(await listed.getByRole('button', { name: 'Edit Team' }).count()).toBe(0);
    expect(await violations(after)).toEqual([]);
    await leave(after);
  });
});
