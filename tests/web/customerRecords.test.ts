import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { newCustomer } from '../support/apiClient.ts';
import { itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { chooseIntegrator, dialogOf, openConsole, seed, type TestConsole, toastsOf } from './support/console.ts';
import { leave, navigate, PHONE } from './support/pages.ts';
import { openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;

beforeAll(async () => {
  web = await openConsole();
  ({ integrator } = await seed(web.admin, ['Northwind Traders']));
});
afterAll(() => web.close());

const cardOf = (page: Page) => page.getByRole('region', { name: 'Records', exact: true });

describe('the records of a customer', () => {
  it('are given to a new customer, filter the list, and are added to several customers, by an administrator', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.getByRole('button', { name: 'Create customer' }).first().click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Customer name').fill('Tagged Traders');
    await dialog.getByLabel('Contact email').fill('it@tagged.example');
    await chooseIntegrator(dialog, integrator.companyName);
    await dialog.getByLabel('External ID').fill('crm-17');
    await dialog.getByLabel('Tags').fill('VIP, eu, x'.repeat(20));
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await dialog.getByText('Must be at most').waitFor();
    await dialog.getByLabel('Tags').fill('VIP, eu');
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await toastsOf(page).getByText('Customer created successfully!').waitFor();

    await page.getByLabel('Filter by tag').fill('Vip');
    await page.getByLabel('Filter by tag').press('Enter');
    await page.waitForURL('**/admin/customers?tag=vip');
    await page.getByText('1 of 1 customers').waitFor();
    await page.getByRole('button', { name: /Tag: vip/ }).press('Enter'); // the toast covers it for ten seconds
    await page.getByText('2 of 2 customers').waitFor();

    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Tag', exact: true }).click();
    await dialogOf(page)
      .getByLabel('Tags')
      .fill(`eu, ${'x'.repeat(41)}`);
    await dialogOf(page).getByText('Each tag must be at most 40 characters').waitFor();
    await dialogOf(page).getByLabel('Tags').fill('eu');
    await dialogOf(page).getByText('1 needs no change and is skipped.').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Change tags of 1 customer' }).click();
    await dialogOf(page).getByText('1 of 1 done').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialogOf(page).getByRole('button', { name: 'Close' }).last().click();
    const { body } = await web.admin.get('/api/admin/customers?tag=eu');
    expect(body.total).toBe(2);
    const [tagged] = body.customers.filter(({ name }: { name: string }) => name === 'Northwind Traders');
    const { history } = (await web.admin.get(`/api/admin/customers/${tagged.id}/history?type=CustomerRecordsChanged`)).body;
    expect(history).toHaveLength(1);
    await navigate(page, '/admin/audit');
    await page.getByText('Changed the tags of 1 customer').click();
    await dialogOf(page)
      .getByRole('button', { name: /^Tags, notes, custom fields or external ID changed Northwind Traders · / })
      .waitFor();
    await leave(page);
  });

  itAtLength('are shown and edited by the service integrator, on a phone in the dark too', async () => {
    const customer = await newCustomer(web.admin, integrator.id, { name: 'Noted Inc.', externalId: 'crm-18', tags: ['asia'] });
    const page = await openAsIntegrator(web, integrator, `/service-integrator/customers/${customer.id}`);
    await cardOf(page).getByRole('button', { name: 'Edit records' }).click();
    await dialogOf(page).getByLabel('External ID').fill('crm-17');
    await dialogOf(page).getByLabel('Notes').fill('Prefers calls\nin the morning');
    await dialogOf(page).getByLabel('Custom fields').fill('[1]');
    await dialogOf(page).getByRole('button', { name: 'Save records' }).click();
    await dialogOf(page).getByText('Must be a JSON object').waitFor();
    await dialogOf(page).getByLabel('Custom fields').fill('{"contract": "A-17"}');
    await dialogOf(page).getByRole('button', { name: 'Save records' }).click();
    await dialogOf(page).getByText('Another customer has this external ID').waitFor();
    await dialogOf(page).getByLabel('External ID').fill('crm-19');
    await dialogOf(page).getByRole('button', { name: 'Save records' }).click();
    await toastsOf(page).getByText('Records saved').waitFor();
    await cardOf(page).getByText('"contract": "A-17"').waitFor();
    await cardOf(page).getByText('Prefers calls').waitFor();
    expect(await violations(page)).toEqual([]);
    await cardOf(page).getByRole('link', { name: 'Customers with the tag asia' }).click();
    await page.waitForURL('**/service-integrator/customers?tag=asia');
    await page.getByText('1 of 1 customers').waitFor();
    await leave(page);

    const phone = await web.openAsAdmin(`/admin/customers/${customer.id}`, { viewport: PHONE, colorScheme: 'dark' });
    await cardOf(phone).getByText('crm-19').waitFor();
    expect(await overflow(phone)).toBe(0);
    expect(await violations(phone)).toEqual([]);
    await cardOf(phone).getByRole('button', { name: 'Edit records' }).click();
    await dialogOf(phone).getByLabel('Notes').waitFor();
    expect(await violations(phone)).toEqual([]);
    await leave(phone);
  });
});
