import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asTool, newCustomer } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { startThirdParty, type ThirdParty } from '../support/thirdParties.ts';
import { chooseIntegrator, dialogOf, openConsole, seed, type TestConsole, titleOf } from './support/console.ts';
import { navigate } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let jira: ThirdParty;
let integrator: ServiceIntegrator;
let customer: Customer;
/** Windows that stay open, each in its own browser profile: one shows live what is changed in another. */
let admin: Page;
let colleague: Page;
let partner: Page;
let portal: Page;
let otherPortal: Page;

const PARTNERS = '/admin/service-integrators';
const live = (page: Page) => page.locator('[data-live=live]').waitFor();

const look = async (page: Page, path: string, title: string): Promise<void> => {
  await navigate(page, path);
  await titleOf(page).filter({ hasText: title }).waitFor();
  await live(page);
};

beforeAll(async () => {
  [web, jira] = await Promise.all([
    openConsole({ CREDENTIAL_TEST_ALLOW: '127.0.0.1' }),
    startThirdParty('jira', { username: 'svc-latchkey', secret: 'right' }),
  ]);
  const seeded = await seed(web.admin, ['Northwind Traders']);
  if (!seeded.customers[0]) throw new Error('No customer was made');
  integrator = seeded.integrator;
  customer = seeded.customers[0];
  [admin, colleague, partner] = await Promise.all([
    web.openAsAdmin('/admin/customers'),
    web.openAsAdmin('/admin/customers'),
    openAsIntegrator(web, integrator, '/service-integrator/customers'),
  ]);
  [portal, otherPortal] = await Promise.all([
    openAsCustomer(web, customer, '/portal/credentials'),
    openAsCustomer(web, customer, '/portal/credentials'),
  ]);
});
afterAll(async () => {
  await web.close();
  await jira.close();
});

describe('two windows side by side', () => {
  it('show a customer that was created in one of them, to administrators and to its integrator', async () => {
    await Promise.all([live(colleague), live(partner)]);
    await admin.getByRole('button', { name: 'Create customer' }).click();
    const dialog = dialogOf(admin);
    await dialog.getByLabel('Customer name').fill('Cobalt Systems');
    await dialog.getByLabel('Contact email').fill('it@cobalt.example');
    await chooseIntegrator(dialog, integrator.companyName);
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await colleague.getByRole('link', { name: 'Cobalt Systems', exact: true }).waitFor();
    await partner.getByRole('listitem', { name: 'Cobalt Systems' }).waitFor();
  });

  it("show a service integrator's new name, in its own header too", async () => {
    await look(colleague, PARTNERS, 'Service Integrators');
    await look(admin, `${PARTNERS}/${integrator.id}`, integrator.companyName);
    await admin.getByRole('button', { name: 'Edit service integrator' }).click();
    await dialogOf(admin).getByLabel('Company name').fill('Fabrikam Partners');
    await dialogOf(admin).getByRole('button', { name: 'Save changes' }).click();
    await colleague.getByRole('link', { name: 'Fabrikam Partners', exact: true }).waitFor();
    await partner.getByRole('banner').getByText('Fabrikam Partners').waitFor();
  });

  it('show a user whom the integrator suspends', async () => {
    await asTool(web.url, customer, 'grace');
    await Promise.all([look(portal, '/portal/users', 'Users'), look(partner, '/service-integrator/users', 'Users')]);
    const card = portal.getByRole('listitem').filter({ hasText: 'grace@example.com' });
    await card.getByText('Active', { exact: true }).waitFor();
    await partner.getByRole('button', { name: 'Suspend grace' }).click();
    await partner.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
    await card.getByText('Suspended', { exact: true }).waitFor();
  });

  it("show a theme in the integrator's other window, and in the header of the customer to which it is assigned", async () => {
    const other = await partner.context().newPage();
    await other.goto('/service-integrator/dashboard');
    await titleOf(other).waitFor();
    await Promise.all([
      look(other, '/service-integrator/themes', 'Custom Themes'),
      look(partner, '/service-integrator/themes', 'Custom Themes'),
    ]);
    await partner.getByRole('button', { name: 'Create theme' }).click();
    const dialog = dialogOf(partner);
    await dialog.getByLabel('Theme Name').fill('night');
    await dialog.getByLabel('Display Name').fill('Night Shift');
    await dialog.getByRole('button', { name: 'Create theme' }).click();
    await other.getByRole('heading', { name: 'Night Shift' }).waitFor();
    await look(other, `/service-integrator/customers/${customer.id}`, customer.name);
    await other.getByRole('button', { name: 'Assign Theme' }).click();
    await dialogOf(other).getByRole('radio', { name: 'Night Shift' }).check();
    await dialogOf(other).getByRole('button', { name: 'Assign Theme' }).click();
    await portal.getByRole('banner').getByText('Night Shift').waitFor();
    await other.close();
  });

  it('show a credential that was added, and the result of its test', async () => {
    await look(portal, '/portal/credentials', 'Credentials');
    await live(otherPortal);
    await portal.getByRole('button', { name: 'Add credential' }).click();
    const dialog = dialogOf(portal);
    await dialog.getByLabel('Instance URL').fill(jira.url);
    await dialog.getByLabel('Username').fill('svc-latchkey');
    await dialog.getByLabel('Password').fill('right');
    await dialog.getByRole('button', { name: 'Add credential' }).click();
    await otherPortal.getByText('Connected', { exact: true }).waitFor();
    jira.behave('unauthorized');
    await portal.getByRole('button', { name: /^Test Jira/ }).click();
    await otherPortal.getByText('Error', { exact: true }).waitFor();
  });

  it('show in the history what an administrator does', async () => {
    await look(portal, '/portal/profile', 'Profile');
    await portal.getByRole('region', { name: 'History' }).scrollIntoViewIfNeeded();
    await portal.getByRole('list', { name: 'History entries' }).getByRole('listitem').first().waitFor();
    await look(admin, `/admin/customers/${customer.id}`, customer.name);
    await admin.getByRole('button', { name: 'Edit customer' }).click();
    await dialogOf(admin).getByLabel('Developer seats').fill('77');
    await dialogOf(admin).getByRole('button', { name: 'Save changes' }).click();
    await portal.getByText(/77 developer/).waitFor();
  });

  it('count a suspended customer on the monitoring screen, and sign it out', async () => {
    await look(colleague, '/admin/monitoring', 'Monitoring');
    await admin.getByRole('button', { name: 'Edit customer' }).click();
    await dialogOf(admin).getByLabel('Status').selectOption('suspended');
    await dialogOf(admin).getByRole('button', { name: 'Save changes' }).click();
    await admin.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
    await Promise.all([portal.waitForURL('**/portal/login'), otherPortal.waitForURL('**/portal/login')]);
    await colleague
      .locator('dl div')
      .filter({ hasText: /^Suspended1$/ })
      .waitFor();
  });
});

describe('two windows of one browser', () => {
  it('show the customer of the latest sign-in', async () => {
    const [first, second] = [
      await newCustomer(web.admin, integrator.id, { name: 'First Tenant' }),
      await newCustomer(web.admin, integrator.id, { name: 'Second Tenant' }),
    ];
    const page = await web.open('/portal/login');
    const signInTo = async (window: Page, { licenseKey }: Customer): Promise<void> => {
      await window.getByLabel('License key').fill(licenseKey);
      await window.locator('main button[type=submit]').click();
      await window.waitForURL('**/portal/dashboard');
    };
    await signInTo(page, first);
    await page.goto('/portal/profile');
    await page.getByText('First Tenant').first().waitFor();
    const other = await page.context().newPage();
    await other.goto('/portal/login');
    await signInTo(other, second);
    await page.getByText('Second Tenant').first().waitFor();
    await eventually(
      () => page.getByLabel('Name', { exact: true }).inputValue(),
      (name) => name === 'Second Tenant',
    );
    await page.context().close();
  });
});
