import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { deferred, openConsole, seed, type TestConsole } from './support/console.ts';
import { EMPTY_PAGE, leave } from './support/pages.ts';
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

/** An empty page, signed in to the area of the path. The live feed, which would also refetch, does not connect. */
const openFor = (path: string): Promise<Page> =>
  path.startsWith('/portal')
    ? openAsCustomer(web, customer, EMPTY_PAGE, { withoutLive: true })
    : openAsIntegrator(web, integrator, EMPTY_PAGE, { withoutLive: true });

const screens = [
  { path: '/portal/usage', call: '**/api/customer/usage?*', failed: 'Failed to load usage' },
  { path: '/portal/users', call: '**/api/users/with-connections?*', failed: 'Failed to load users' },
  { path: '/portal/credentials', call: '**/api/credentials/list?*', failed: 'Failed to load credentials' },
  { path: '/portal/profile', call: '**/api/customer/profile', failed: 'Failed to load profile' },
  {
    path: '/service-integrator/dashboard',
    call: '**/api/service-integrator/stats/dashboard',
    failed: 'Failed to load the dashboard',
  },
  { path: '/service-integrator/customers', call: '**/api/service-integrator/customers?*', failed: 'Failed to load customers' },
  { path: '/service-integrator/users', call: '**/api/users?*', failed: 'Failed to load users' },
  { path: '/service-integrator/themes', call: '**/api/service-integrator/themes?*', failed: 'Failed to load themes' },
  { path: '/service-integrator/settings', call: '**/api/service-integrator/profile', failed: 'Failed to load settings' },
] as const;

describe.each(screens)('$path', ({ path, call, failed }) => {
  it(`shows a spinner, then '${failed}' if the server sends no text, and retries on demand`, async () => {
    const page = await openFor(path);
    const { released, release } = deferred();
    await page.route(call, async (route) => {
      await released;
      await route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' });
    });
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('main').getByRole('status').first().waitFor();
    release();
    await page.getByRole('alert').getByText(failed).first().waitFor();
    await page.unroute(call);
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByText(failed).first().waitFor({ state: 'detached' });
    await leave(page);
  });
});

const empty = [
  { path: '/portal/users', text: 'No users' },
  { path: '/portal/usage', text: 'No instances yet' },
  { path: '/service-integrator/users', text: 'No users' },
  { path: '/service-integrator/themes', text: 'No themes' },
] as const;

describe.each(empty)('$path', ({ path, text }) => {
  it(`shows '${text}' when the list is empty`, async () => {
    const page = await openFor(path);
    await page.goto(path);
    await page.getByText(text, { exact: true }).waitFor();
    await leave(page);
  });
});

describe('an integrator without customers', () => {
  it("sees 'No customers' and how to add one", async () => {
    const { integrator: lonely } = await seed(web.admin, [], 'Lonely Partner');
    const page = await openAsIntegrator(web, lonely, '/service-integrator/customers');
    await page.getByText('No customers', { exact: true }).waitFor();
    await page.getByText('Get started by creating a new customer.').waitFor();
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
