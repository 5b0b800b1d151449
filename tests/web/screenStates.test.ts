import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { describeAtLength, IS_AT_LENGTH } from '../support/tiers.ts';
import { deferred, openConsole, seed, type TestConsole } from './support/console.ts';
import { EMPTY_PAGE, leave, navigate } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;

beforeAll(async () => {
  web = await openConsole();
});
afterAll(() => web.close());

const seedAccounts = async (): Promise<void> => {
  const seeded = await seed(web.admin, ['Northwind Traders']);
  integrator = seeded.integrator;
  if (!seeded.customers[0]) throw new Error('No customer was made');
  customer = seeded.customers[0];
};

/** An empty page, signed in to the area of the path. The live feed, which would also refetch, does not connect. */
const openFor = (path: string): Promise<Page> => {
  const options = { withoutLive: true };
  if (path.startsWith('/admin')) return web.openAsAdmin(EMPTY_PAGE, options);
  return path.startsWith('/portal')
    ? openAsCustomer(web, customer, EMPTY_PAGE, options)
    : openAsIntegrator(web, integrator, EMPTY_PAGE, options);
};

const areas = [{ root: '/admin' }, ...(IS_AT_LENGTH ? [{ root: '/portal' }, { root: '/service-integrator' }] : [])];
const screens = [
  { path: '/admin/customers', call: '**/api/admin/customers?*', failed: 'Failed to load customers' },
  { path: '/admin/service-integrators', call: '**/api/admin/service-integrators?*', failed: 'Failed to load service integrators' },
  { path: '/admin/dashboard', call: '**/api/admin/stats/dashboard', failed: 'Failed to load the dashboard' },
  { path: '/admin/themes', call: '**/api/themes/list', failed: 'Failed to load themes' },
  { path: '/admin/plans', call: '**/api/admin/plans', failed: 'Failed to load plans' },
  { path: '/admin/team/sign-ins', call: '**/api/admin/sign-ins?*', failed: 'Failed to load sign-ins' },
  { path: '/admin/monitoring', call: '**/monitoring/health/detailed', failed: 'No health data available' },
  { path: '/admin/monitoring', call: '**/monitoring/metrics', failed: 'No metrics data available' },
  { path: '/portal/usage', call: '**/api/customer/usage?*', failed: 'Failed to load usage' },
  { path: '/portal/users/seats', call: '**/api/customer/seats?*', failed: 'Failed to load seats' },
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

/** The screens that only `npm run test:proofs` checks: they show the same states by the same component as the others. */
const AT_LENGTH = [
  '/admin/dashboard',
  '/admin/monitoring',
  '/admin/service-integrators',
  '/admin/plans',
  '/admin/themes',
  '/admin/team/sign-ins',
  '/portal/users/seats',
  '/portal/credentials',
  '/portal/profile',
  '/service-integrator/users',
  '/service-integrator/themes',
  '/service-integrator/settings',
];
const checkedIn = (root: string) =>
  screens.filter(({ path }) => path.startsWith(root) && (IS_AT_LENGTH || !AT_LENGTH.includes(path)));

/** Before anything is made: the order of the tests matters. */
describeAtLength.each([
  { path: '/admin/customers', text: 'No customers yet' },
  { path: '/admin/dashboard', text: 'No customers yet' },
  { path: '/admin/service-integrators', text: 'No service integrators yet' },
])('$path of a new installation', ({ path, text }) => {
  it(`shows '${text}'`, async () => {
    const page = await web.openAsAdmin(path);
    await page.getByText(text).waitFor();
    await leave(page);
  });
});

describe('with accounts', () => {
  beforeAll(seedAccounts);

  it.each(areas)(
    'screens of $root show a spinner, then why it failed if the server sends no text, and retries on demand',
    async ({ root }) => {
      const page = await openFor(root);
      for (const { path, call, failed } of checkedIn(root)) {
        const { released, release } = deferred();
        await page.route(call, async (route) => {
          await released;
          await route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' });
        });
        const shown = new URL(page.url()).pathname;
        await (shown === EMPTY_PAGE || shown === path ? page.goto(path) : navigate(page, path));
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('main [role=status][data-loading]').first().waitFor();
        release();
        await page.getByRole('alert').getByText(failed).first().waitFor();
        await page.unroute(call);
        await page.getByRole('button', { name: 'Try again' }).first().click();
        await page.getByText(failed).first().waitFor({ state: 'detached' });
      }
      await leave(page);
    },
  );

  const empty = [
    { path: '/portal/users', text: 'No users' },
    { path: '/portal/usage', text: 'Record your first API call' },
    { path: '/service-integrator/users', text: 'No users' },
    { path: '/service-integrator/themes', text: 'No themes' },
  ] as const;

  describeAtLength.each(empty)('$path', ({ path, text }) => {
    it(`shows '${text}' when the list is empty`, async () => {
      const page = await openFor(path);
      await page.goto(path);
      await page.getByText(text, { exact: true }).waitFor();
      await leave(page);
    });
  });

  describeAtLength('an integrator without customers', () => {
    it("sees 'No customers' and how to add one", async () => {
      const { integrator: lonely } = await seed(web.admin, [], 'Lonely Partner');
      const page = await openAsIntegrator(web, lonely, '/service-integrator/customers');
      await page.getByText('No customers', { exact: true }).waitFor();
      await page.getByText('Get started by creating a new customer.').waitFor();
      await leave(page);
    });
  });
});

describeAtLength('/admin/themes', () => {
  it("shows 'No themes available' when there is none", async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE);
    await page.route('**/api/themes/list', (route) => route.fulfill({ json: { success: true, themes: [] } }));
    await page.goto('/admin/themes');
    await page.getByText('No themes available').waitFor();
    await leave(page);
  });
});

describe("the server's own text", () => {
  it('is shown if it sends one', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE);
    const problem = { success: false, error: 'Too many requests', code: 'rate_limited' };
    await page.route('**/api/themes/list', (route) => route.fulfill({ status: 500, json: problem }));
    await page.goto('/admin/themes');
    await page.getByRole('alert').getByText('Too many requests').waitFor();
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
