import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { asTool, type Tool } from '../support/apiClient.ts';
import { itAtLength } from '../support/tiers.ts';
import { overflow } from './support/axe.ts';
import { dialogOf, openConsole, seed, type TestConsole, titleOf, toastsOf } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';
import { openAsCustomer } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;
let tool: Tool;

/** Calls on three days: 40 a week ago with 4 errors, 10 today, and 5 that are 60 days old. */
const recordCalls = async (): Promise<void> => {
  const now = Date.now();
  const call = (daysAgo: number, status: number, durationMs: number) => ({
    service: 'jira',
    instanceUrl: 'https://acme.atlassian.net',
    operation: 'GET:/issue',
    status,
    durationMs,
    at: new Date(now - daysAgo * DAY_MS).toISOString(),
  });
  const calls = [
    ...Array.from({ length: 36 }, () => call(6, 200, 100)),
    ...Array.from({ length: 4 }, () => call(6, 500, 300)),
    ...Array.from({ length: 10 }, () => ({ ...call(0, 200, 50), service: 'confluence', instanceUrl: 'https://acme.example/wiki' })),
    ...Array.from({ length: 5 }, () => call(60, 200, 80)),
  ];
  const reply = await tool.post('/api/cli/api-calls', { sourceId: 'laptop', firstSequence: 1, calls });
  if (reply.status !== 202) throw new Error(`The calls were not recorded: ${reply.status}`);
};

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders']);
  integrator = seeded.integrator;
  const [first] = seeded.customers;
  if (!first) throw new Error('No customer was made');
  customer = first;
  tool = await asTool(web.url, customer, 'ada');
  await asTool(web.url, customer, 'grace');
  await recordCalls();
});
afterAll(() => web.close());

const statOf = (page: Page, label: string) => page.locator(`[data-stat="${label}"]`).first();
const cardOf = (page: Page, username: string) =>
  page.getByRole('list', { name: 'Users' }).getByRole('listitem', { name: username });

describe("a customer's dashboard", () => {
  it('shows the license, its seats, its connections and its usage', async () => {
    const page = await openAsCustomer(web, customer, '/portal');
    await titleOf(page).getByText('Dashboard', { exact: true }).waitFor(); // the frame has a title of its own meanwhile
    await page.getByText(customer.licenseKey).waitFor();
    await page.getByText('ENT', { exact: true }).waitFor();
    await page.getByText(integrator.companyName).waitFor();
    const seats = page.getByRole('region', { name: 'Developer seats' });
    await seats.getByRole('img', { name: 'Developer seats: 2 of 10 used, 20 percent, success' }).waitFor();
    await expect.poll(() => seats.locator('[data-stat="Available"] dd').innerText()).toBe('8');
    await statOf(page, 'Calls in the last 30 days').getByText('50', { exact: true }).waitFor();
    await statOf(page, 'Total API calls').getByText('55', { exact: true }).waitFor();
    await page
      .getByRole('application', { name: 'Daily API calls, last 30 days' })
      .or(page.locator('.recharts-wrapper'))
      .first()
      .waitFor();
    await page.getByText('No credentials configured').waitFor();
    await leave(page);
  });

  itAtLength('copies the license key', async () => {
    const page = await openAsCustomer(web, customer, '/portal/dashboard', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copy license key' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(customer.licenseKey);
    await leave(page);
  });

  itAtLength('shows the theme and the entitlements as soon as they are set', async () => {
    const page = await openAsCustomer(web, customer, '/portal/dashboard');
    await page.locator('[data-live="live"]').waitFor();
    await web.admin.post(`/api/themes/customer/${customer.id}/assign`, { theme: 'aurora' });
    await page.getByRole('banner').getByText('Aurora').waitFor();
    const included = page.getByText('jira, reports until 2050-12-31');
    const put = (entitlements: unknown) =>
      web.admin.put(`/api/admin/customers/${customer.id}`, {
        name: customer.name,
        contactEmail: customer.contactEmail,
        entitlements,
      });
    await put([{ code: 'jira' }, { code: 'reports', endsAt: '2050-12-31T23:59:59.999Z' }]);
    await included.waitFor();
    await put(null);
    await included.waitFor({ state: 'detached' });
    await leave(page);
  });

  itAtLength('counts a command-line tool that connects', async () => {
    const page = await openAsCustomer(web, customer, '/portal/dashboard');
    await page.locator('[data-live="live"]').waitFor();
    const socket = await connect(tool);
    await statOf(page, 'Active connections').getByText('1', { exact: true }).waitFor();
    socket.close();
    await statOf(page, 'Active connections').getByText('0', { exact: true }).waitFor();
    await leave(page);
  });
});

/** A command-line tool that connects and stays connected. */
const connect = async ({ token }: Tool): Promise<WebSocket> => {
  const socket = new WebSocket(`${web.url.replace('http', 'ws')}/api/cli/connect`);
  await new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => socket.send(JSON.stringify({ type: 'hello', token, connectionId: crypto.randomUUID() })));
    socket.once('message', resolve);
  });
  return socket;
};

describe("a customer's usage", () => {
  it('shows every figure of the last 30 days', async () => {
    const page = await openAsCustomer(web, customer, '/portal/usage');
    await statOf(page, 'Total API calls').getByText('50', { exact: true }).waitFor();
    for (const [label, value] of [
      ['Calls in the last 30 days', '50'],
      ['Active instances', '2'],
      ['Average response time', '106 ms'],
      ['Error rate', '8.00%'],
      ['Success rate', '92.00%'],
      ['Total errors', '4'],
    ] as const) {
      await expect.poll(() => statOf(page, label).innerText(), { message: label }).toBe(value);
    }
    const peak = page.getByRole('article', { name: 'Peak usage day' });
    await expect.poll(() => peak.innerText()).toContain('40 calls');
    for (const percentile of ['p50', 'p95', 'p99']) {
      await expect.poll(() => statOf(page, percentile).innerText()).toContain(' ms');
    }
    const rows = page.getByRole('region', { name: 'Instances table' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(2);
    await expect.poll(() => rows.first().innerText()).toContain('https://acme.atlassian.net');
    expect(await rows.first().innerText()).toContain('4 (10.00%)');
    await page.locator('.recharts-bar-rectangle path').first().waitFor();
    await page.locator('.recharts-line-curve').first().waitFor();
    await leave(page);
  });

  itAtLength('covers 7, 30 or 90 days, as the URL specifies', async () => {
    const page = await openAsCustomer(web, customer, '/portal/usage?days=90');
    await statOf(page, 'Total API calls').getByText('55', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: '90 days' }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: '7 days' }).click();
    await page.waitForURL(/\/portal\/usage\?.*days=7/);
    await statOf(page, 'Total API calls').getByText('50', { exact: true }).waitFor();
    await page.getByRole('button', { name: '30 days' }).click();
    await page.waitForURL(/\/portal\/usage\?zone=[^&]+$/);
    await page.goto('/portal/usage?days=13');
    await page.getByRole('button', { name: '30 days', pressed: true }).waitFor();
    await leave(page);
  });

  it('counts new calls live', async () => {
    const page = await openAsCustomer(web, customer, '/portal/usage?days=7');
    await statOf(page, 'Total API calls').getByText('50', { exact: true }).waitFor();
    await page.locator('[data-live="live"]').waitFor();
    await tool.post('/api/cli/api-calls', {
      sourceId: 'live',
      firstSequence: 1,
      calls: [{ service: 'azdo', instanceUrl: 'https://dev.azure.com/acme', operation: 'GET:/item', status: 200, durationMs: 40 }],
    });
    await statOf(page, 'Total API calls').getByText('51', { exact: true }).waitFor();
    await statOf(page, 'Active instances').getByText('3', { exact: true }).waitFor();
    await leave(page);
  });

  itAtLength('fits a phone', async () => {
    const page = await openAsCustomer(web, customer, '/portal/usage', { viewport: PHONE });
    await page.getByRole('list', { name: 'Instances table' }).waitFor();
    expect(await overflow(page)).toBe(0);
    await leave(page);
  });
});

describe("a customer's users", () => {
  itAtLength('are listed with their role, their status and their machine', async () => {
    const page = await openAsCustomer(web, customer, '/portal/users');
    const card = cardOf(page, 'ada');
    await card.getByText('ada@example.com').waitFor();
    await card.getByText('Developer', { exact: true }).waitFor();
    await card.getByText('Active', { exact: true }).waitFor();
    await card.getByText('machine-of-ada').waitFor();
    await page.getByText('2 of 2 users').waitFor();
    await leave(page);
  });

  itAtLength('show immediately who is connected', async () => {
    const page = await openAsCustomer(web, customer, '/portal/users');
    await cardOf(page, 'ada').waitFor();
    await page.locator('[data-live="live"]').waitFor();
    expect(await page.getByText('Connected').count()).toBe(0);
    const socket = await connect(tool);
    await cardOf(page, 'ada').getByText('Connected').waitFor();
    expect(await cardOf(page, 'grace').getByText('Connected').count()).toBe(0);
    socket.close();
    await cardOf(page, 'ada').getByText('Connected').waitFor({ state: 'detached' });
    await leave(page);
  });

  it('are deactivated, activated and suspended, and filtered by status', async () => {
    const page = await openAsCustomer(web, customer, '/portal/users');
    const card = cardOf(page, 'grace');
    await card.waitFor();
    await expect
      .poll(() => card.getByRole('button').allInnerTexts())
      .toEqual(['Edit', 'Deactivate', 'Suspend', 'Change status with reason…', 'Invite to sign in', 'Machines', 'Remove']);
    await card.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click();
    await card.getByText('Inactive', { exact: true }).waitFor();
    await expect
      .poll(() => card.getByRole('button').allInnerTexts())
      .toEqual(['Edit', 'Activate', 'Suspend', 'Change status with reason…', 'Machines', 'Remove']);
    await card.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
    await card.getByText('Suspended', { exact: true }).waitFor();
    await expect
      .poll(() => card.getByRole('button').allInnerTexts())
      .toEqual(['Edit', 'Activate', 'Change status with reason…', 'Machines', 'Remove']);
    await page.getByRole('group', { name: 'Filter by status' }).getByRole('button', { name: 'Suspended' }).click();
    await page.waitForURL('**/portal/users?status=suspended');
    await page.getByText('1 of 1 users').waitFor();
    await card.getByRole('button', { name: 'Activate' }).click();
    await page.getByText('No users found').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await card.getByText('Active', { exact: true }).waitFor();
    await leave(page);
  });

  itAtLength('are edited, and invalid values are shown', async () => {
    const page = await openAsCustomer(web, customer, '/portal/users');
    await cardOf(page, 'grace').getByRole('button', { name: 'Edit' }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('Username').fill('');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByText('Username is required').waitFor();
    await dialog.getByLabel('Username').fill('ada');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByRole('alert').getByText('Another user of this customer has this username').waitFor();
    await dialog.getByLabel('Username').fill('hopper');
    await dialog.getByLabel('Role').selectOption('stakeholder');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await toastsOf(page).getByText('User updated successfully!').waitFor();
    await cardOf(page, 'hopper').getByText('Stakeholder').waitFor();
    await leave(page);
  });
});

describe('a customer that is suspended', () => {
  it('is signed out immediately', async () => {
    const { customers } = await seed(web.admin, ['Aperture Robotics']);
    const [other] = customers;
    if (!other) throw new Error('No customer was made');
    const page = await openAsCustomer(web, other, '/portal/users');
    await page.getByText('No users').waitFor();
    await page.getByText('Users will appear here when they authenticate with the command-line tool.').waitFor();
    await page.locator('[data-live="live"]').waitFor();
    const { name, contactEmail } = other;
    await web.admin.put(`/api/admin/customers/${other.id}`, { name, contactEmail, status: 'suspended' });
    await page.waitForURL('**/portal/login');
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
