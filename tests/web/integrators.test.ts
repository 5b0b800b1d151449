import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { invite, join } from '../support/members.ts';
import { describeAtLength, itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, seed, type TestConsole, toastsOf } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';

let web: TestConsole;
beforeAll(async () => {
  web = await openConsole();
});
afterAll(() => web.close());

describe('the list of service integrators', () => {
  itAtLength('shows that it is empty, and how to create the first one', async () => {
    const page = await web.openAsAdmin('/admin/service-integrators');
    await page.getByText('No service integrators yet').waitFor();
    await leave(page);
  });

  it('shows a new one', async () => {
    const page = await web.openAsAdmin('/admin/service-integrators?new=1');
    const dialog = dialogOf(page);
    await dialog.getByLabel('Company name').fill('Contoso Partners');
    await dialog.getByLabel('Contact email').fill('it@contoso.example');
    await dialog.getByRole('button', { name: 'Create service integrator' }).click();
    await dialog.getByText('Billing email is required').waitFor();
    await dialog.getByLabel('Billing email').fill('bills@contoso.example');
    await dialog.getByRole('button', { name: 'Create service integrator' }).click();
    await toastsOf(page).getByText('Service Integrator created successfully!').waitFor();
    await page.getByRole('link', { name: 'Contoso Partners' }).click();
    await page.getByRole('heading', { level: 1, name: 'Contoso Partners' }).waitFor();
    await leave(page);
  });
});

describe('selected service integrators', () => {
  const selectedOf = (page: Page) => page.getByRole('region', { name: 'Selected', exact: true });
  const select = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).check();
  const act = async (page: Page, action: string): Promise<Locator> => {
    await selectedOf(page).getByRole('button', { name: action }).click();
    return dialogOf(page);
  };
  const statusesOf = async (ids: readonly string[]): Promise<string[]> =>
    Promise.all(
      ids.map(async (id) => (await web.admin.get(`/api/admin/service-integrators/${id}`)).body.service_integrator.status),
    );

  it('are suspended after a preview of whom it affects, and reactivated', async () => {
    const [one, two] = [await seed(web.admin, ['Northwind', 'Aperture'], 'Fabrikam'), await seed(web.admin, ['Harbor'], 'Wingtip')];
    const ids = [one.integrator.id, two.integrator.id];
    await join(web.url, await invite(await asIntegrator(web.url, one.integrator), 'manager', 'Grace'));
    const page = await web.openAsAdmin('/admin/service-integrators');
    await page.getByRole('columnheader', { name: 'Customers' }).getByRole('button').click();
    await page.waitForURL('**/admin/service-integrators?sort=-customerCount');
    await page.locator('[data-row]').first().getByRole('link', { name: 'Fabrikam' }).waitFor();
    for (const name of ['Fabrikam', 'Wingtip']) await select(page, name);
    await selectedOf(page).getByText('2 selected').waitFor();
    const dialog = await act(page, 'Suspend');
    const effects = dialog.getByRole('list', { name: 'Effects' });
    await effects.getByText("1 named user can't sign in.").waitFor();
    await effects.getByText('Grace (Fabrikam)', { exact: true }).waitFor();
    await effects.getByText("The service integrators can't sign in until you reactivate them.").waitFor();
    await effects.getByText('3 customers keep access.').waitFor();
    await effects.getByText('Aperture (Fabrikam), Northwind (Fabrikam) and Harbor (Wingtip)').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('Reason').fill('Unpaid invoice');
    await dialog.getByRole('button', { name: 'Suspend 2 service integrators' }).click();
    await dialog.getByText('2 of 2 done', { exact: true }).waitFor();
    expect(await statusesOf(ids)).toEqual(['suspended', 'suspended']);
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await selectedOf(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Suspended 2/ }).waitFor();
    await eventually(
      async () => (await web.admin.get('/api/admin/audit?types=BulkChangeFinished')).body.entries[0]?.summary,
      (summary) => summary === 'Changed the status of 2 service integrators',
    );

    await select(page, 'Wingtip');
    const again = await act(page, 'Reactivate');
    await again.getByRole('button', { name: 'Reactivate 1 service integrator' }).click();
    await again.getByText('1 of 1 done', { exact: true }).waitFor();
    expect(await statusesOf(ids)).toEqual(['suspended', 'active']);
    await again.getByRole('button', { name: 'Close' }).first().click();
    await leave(page);
  });

  itAtLength('are selected by x and exported without their keys, also on a phone', async () => {
    const { integrator } = await seed(web.admin, [], '=Tailspin; Toys');
    const page = await web.openAsAdmin('/admin/service-integrators', { viewport: PHONE });
    await page.locator('[data-row]').first().focus();
    await page.keyboard.press('x');
    await selectedOf(page).getByText('1 selected').waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      selectedOf(page).getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^service-integrators-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.split('\r\n')).toHaveLength(3);
    expect(text).toContain(`${integrator.id},"'=Tailspin; Toys"`);
    expect(text).not.toContain(integrator.masterLicenseKey);
    await leave(page);
  });
});

describe('a service integrator', () => {
  itAtLength('cannot be deleted while it has customers, whatever their status', async () => {
    const { integrator, customers } = await seed(web.admin, ['One', 'Two'], 'Busy Partner');
    await web.admin.put(`/api/admin/customers/${customers[0]?.id}`, {
      name: 'One',
      contactEmail: 'it@one.example',
      status: 'churned',
    });
    const page = await web.openAsAdmin(`/admin/service-integrators/${integrator.id}`);
    await page.getByText('Cannot delete service integrator with 2 active customers').waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await page.getByRole('region', { name: 'Customers table' }).getByRole('link', { name: 'One', exact: true }).waitFor();
    await leave(page);
  });

  it('is deleted once it has none', async () => {
    const { integrator } = await seed(web.admin, [], 'Lonely Partner');
    const page = await web.openAsAdmin(`/admin/service-integrators/${integrator.id}`);
    await page.getByText('No customers yet').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialogOf(page).getByLabel('Type "Lonely Partner" to confirm').fill('Lonely Partner');
    await dialogOf(page).getByRole('button', { name: 'Delete service integrator' }).click();
    await toastsOf(page).getByText('Service integrator deleted successfully!').waitFor(); // first, since it goes away
    await page.waitForURL('**/admin/service-integrators');
    await page.goto(`/admin/service-integrators/${integrator.id}`);
    await page.getByRole('heading', { level: 1, name: 'Service integrator not found' }).waitFor();
    await leave(page);
  });

  itAtLength('cannot be deleted once a customer is added while the confirmation is open', async () => {
    const { integrator } = await seed(web.admin, [], 'Quick Partner');
    const page = await web.openAsAdmin(`/admin/service-integrators/${integrator.id}`);
    await page.locator('[data-live=live]').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialogOf(page).getByLabel('Type "Quick Partner" to confirm').fill('Quick Partner');
    await dialogOf(page).locator('button:enabled', { hasText: 'Delete service integrator' }).waitFor();
    const created = await web.admin.post('/api/admin/customers', {
      name: 'Just in time',
      contactEmail: 'it@time.example',
      serviceIntegratorId: integrator.id,
      developerSeats: 1,
      stakeholderSeats: 1,
      seatLimitsEnforced: true,
    });
    expect(created.status).toBe(201);
    await dialogOf(page).getByText('Cannot delete service integrator with 1 active customers').waitFor();
    expect(await dialogOf(page).getByRole('button', { name: 'Delete service integrator' }).isDisabled()).toBe(true);
    await leave(page);
  });

  it('is edited, including its branding', async () => {
    const { integrator } = await seed(web.admin, [], 'Plain Partner');
    const page = await web.openAsAdmin(`/admin/service-integrators/${integrator.id}`);
    await page.getByRole('button', { name: 'Edit service integrator' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Logo URL').fill('http://insecure.example/logo.png');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByText('Must be an https address').waitFor();
    await dialog.getByLabel('Logo URL').fill('');
    await dialog.getByLabel('Company name').fill('Branded Partner');
    await dialog.getByLabel('Enable white-label').check();
    await dialog.getByLabel('Custom domain').fill('Licenses.Partner.example');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await toastsOf(page).getByText('Service integrator updated successfully!').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Branded Partner' }).waitFor();
    await page
      .getByRole('definition')
      .filter({ hasText: /^licenses\.partner\.example$/ })
      .waitFor();
    await leave(page);
  });

  itAtLength('is not overwritten when another user changed it after the dialog opened', async () => {
    const { integrator } = await seed(web.admin, [], 'Shared Partner');
    const page = await web.openAsAdmin(`/admin/service-integrators/${integrator.id}`);
    await page.getByRole('button', { name: 'Edit service integrator' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Company name').fill('Mine');
    const theirs = { companyName: 'Theirs', contactEmail: 'it@theirs.example', billingEmail: 'bills@theirs.example' };
    await web.admin.put(`/api/admin/service-integrators/${integrator.id}`, theirs);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByText(/Someone else updated/).waitFor();
    expect(await dialog.getByLabel('Company name').inputValue()).toBe('Mine');
    expect(await dialog.getByLabel('Billing email').inputValue()).toBe('bills@theirs.example');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor();
    const { body } = await web.admin.get(`/api/admin/service-integrators/${integrator.id}`);
    expect(body.service_integrator).toMatchObject({ ...theirs, companyName: 'Mine' });
    await leave(page);
  });
});

describeAtLength('the themes', () => {
  it('are shown with their colors', async () => {
    const page = await web.openAsAdmin('/admin/themes');
    await page.getByRole('heading', { level: 1, name: 'Themes' }).waitFor();
    const aurora = page.getByRole('article', { name: 'Aurora' });
    await aurora.getByText('#6D5BD0').waitFor();
    await aurora.getByText('Available').waitFor();
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
