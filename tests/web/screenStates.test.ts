import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deferred, openConsole, type TestConsole } from './support/console.ts';
import { EMPTY_PAGE, leave } from './support/pages.ts';

let web: TestConsole;
beforeAll(async () => {
  web = await openConsole();
});
afterAll(() => web.close());

const screens = [
  { path: '/admin/customers', call: '**/api/admin/customers?*', failed: 'Failed to load customers' },
  { path: '/admin/service-integrators', call: '**/api/admin/service-integrators?*', failed: 'Failed to load service integrators' },
  { path: '/admin/dashboard', call: '**/api/admin/stats/dashboard', failed: 'Failed to load the dashboard' },
  { path: '/admin/themes', call: '**/api/themes/list', failed: 'Failed to load themes' },
  { path: '/admin/team/sign-ins', call: '**/api/admin/sign-ins?*', failed: 'Failed to load sign-ins' },
  { path: '/admin/monitoring', call: '**/monitoring/health/detailed', failed: 'No health data available' },
  { path: '/admin/monitoring', call: '**/monitoring/metrics', failed: 'No metrics data available' },
] as const;

const empty = [
  { path: '/admin/customers', text: 'No customers yet' },
  { path: '/admin/dashboard', text: 'No customers yet' },
  { path: '/admin/service-integrators', text: 'No service integrators yet' },
] as const;

describe.each(screens)('$path', ({ path, call, failed }) => {
  it('shows a spinner while it loads', async () => {
    const page = await web.openAsAdmin(EMPTY_PAGE);
    const { released, release } = deferred();
    await page.route(call, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const spinner = page.locator('main [role=status][data-loading]').first();
    await spinner.waitFor();
    release();
    await spinner.waitFor({ state: 'detached' });
    await leave(page);
  });

  it(`shows '${failed}' if the server sends no text, and retries on demand`, async () => {
    // Without the live feed, which would also refetch.
    const page = await web.openAsAdmin(EMPTY_PAGE, { withoutLive: true });
    await page.route(call, (route) => route.fulfill({ status: 500, contentType: 'text/plain', body: 'broken' }));
    await page.goto(path);
    await page.getByRole('alert').getByText(failed).waitFor();
    await page.unroute(call);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(failed).waitFor({ state: 'detached' });
    await leave(page);
  });
});

describe.each(empty)('$path', ({ path, text }) => {
  it(`shows '${text}' when the list is empty`, async () => {
    const page = await web.openAsAdmin(path);
    await page.getByText(text).waitFor();
    await leave(page);
  });
});

describe('/admin/themes', () => {
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
