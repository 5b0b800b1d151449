import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { adminScreens } from '../../web/src/app/screens/admin.ts';
import { integratorScreens } from '../../web/src/app/screens/integrator.ts';
import { portalScreens } from '../../web/src/app/screens/portal.ts';
import { dialogOf, leave, openConsole, seed, type TestConsole } from './support/console.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders']);
  integrator = seeded.integrator;
  if (!seeded.customers[0]) throw new Error('No customer was made');
  customer = seeded.customers[0];
});
afterAll(() => web.close());

const settled = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
};

/** Loads each screen as a first page, since the order of loading decides which chunk evaluates a shared module first. */
const visit = async (page: Page, area: string, screens: readonly { path: string }[]): Promise<void> => {
  for (const { path } of screens) {
    await page.goto(`${area}/${path.replace(':customerId', customer.id).replace(':integratorId', integrator.id)}`);
    await settled(page);
  }
};

it('no public page violates the content security policy', async () => {
  for (const path of ['/', '/admin/login', '/portal/login', '/service-integrator/login', '/nowhere']) {
    const page = await web.open(path);
    await settled(page);
    await leave(page);
  }
  expect(web.pageErrors).toEqual([]);
});

it('no screen or form of administrators violates the content security policy', async () => {
  const page = await web.openAsAdmin('/admin/dashboard');
  await visit(page, '/admin', adminScreens);
  await page.goto('/admin/customers?new=1');
  await dialogOf(page).waitFor();
  await leave(page);
  expect(web.pageErrors).toEqual([]);
});

it('no screen or form of customers violates the content security policy', async () => {
  const page = await openAsCustomer(web, customer, '/portal/dashboard');
  await visit(page, '/portal', portalScreens);
  await page.goto('/portal/credentials');
  await page.getByRole('button', { name: 'Add credential' }).first().click();
  await dialogOf(page).waitFor();
  await leave(page);
  expect(web.pageErrors).toEqual([]);
});

it('no screen or form of integrators violates the content security policy', async () => {
  const page = await openAsIntegrator(web, integrator, '/service-integrator/dashboard');
  await visit(page, '/service-integrator', integratorScreens);
  await page.goto('/service-integrator/themes');
  await page.getByRole('button', { name: 'Create theme' }).first().click();
  await dialogOf(page).waitFor();
  await leave(page);
  expect(web.pageErrors).toEqual([]);
});

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
