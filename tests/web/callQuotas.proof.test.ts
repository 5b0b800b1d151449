import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asTool, type Client } from '../support/apiClient.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, seed, type TestConsole, toastsOf } from './support/console.ts';
import { leave, navigate, PHONE } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders']);
  ({ integrator } = seeded);
  const [first] = seeded.customers;
  if (!first) throw new Error('No customer was made');
  customer = first;
});
afterAll(() => web.close());

const call = { service: 'jira', instanceUrl: 'https://acme.atlassian.net', operation: 'GET:/issue', status: 200, durationMs: 40 };
let sequence = 1;
const send = async (tool: Client, count: number): Promise<number> => {
  const calls = Array.from({ length: count }, () => call);
  const { status } = await tool.post('/api/cli/api-calls', { sourceId: 'web', firstSequence: sequence, calls });
  sequence += count;
  return status;
};

const change = (to: Record<string, unknown>) =>
  web.admin.put(`/api/admin/customers/${customer.id}`, { name: customer.name, contactEmail: customer.contactEmail, ...to });

describe('the monthly quota of API calls', () => {
  it('is set by an administrator, fills live in the portal, and is raised', async () => {
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`);
    await page.getByRole('button', { name: 'Edit customer' }).first().click();
    const dialog = dialogOf(page);
    await dialog.getByLabel('API calls per month').fill('0');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByText('Must be 1 or more').waitFor();
    await dialog.getByLabel('API calls per month').fill('1,0');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await toastsOf(page).getByText('Customer updated successfully!').waitFor();
    const meter = page.getByRole('region', { name: 'API calls this month' });
    await meter.getByText('Hard quota').waitFor();

    const portal = await openAsCustomer(web, customer, '/portal/usage');
    const tool = await asTool(web.url, customer);
    expect(await send(tool, 9)).toBe(202);
    await portal.getByText(/^90% of the quota of 10 API calls this month are used\./).waitFor();
    await portal.getByRole('img', { name: 'Used: 9 of 10 used, 90 percent, danger' }).waitFor();
    expect(await violations(portal)).toEqual([]);
    await page.getByText('Quota over 90%').first().waitFor();
    await leave(page);
    expect(await send(tool, 2)).toBe(403);
    await portal
      .getByRole('alert')
      .getByText(/The command-line tool keeps further calls until/)
      .waitFor();
    await change({ callQuota: { limit: 1_000, kind: 'soft' } });
    await portal.getByText(/used up/).waitFor({ state: 'detached' });
    await leave(portal);
  });

  it('is set in a form, and filters the list of the service integrator on a phone, without accessibility violations', async () => {
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`);
    await page.getByRole('button', { name: 'Edit customer' }).first().click();
    await dialogOf(page).getByLabel('API calls per month').fill('0');
    await dialogOf(page).getByRole('button', { name: 'Save changes' }).click();
    await dialogOf(page).getByText('Must be 1 or more').waitFor();
    expect(await violations(page)).toEqual([]);
    await leave(page);

    await change({ callQuota: { limit: 9, kind: 'hard' } });
    const partner = await openAsIntegrator(web, integrator, `/service-integrator/customers/${customer.id}`, {
      viewport: PHONE,
      colorScheme: 'dark',
    });
    await partner.getByText(/^The quota of 9 API calls this month is used up\./).waitFor();
    expect(await overflow(partner)).toBe(0);
    expect(await violations(partner)).toEqual([]);
    await navigate(partner, '/service-integrator/customers');
    const filter = partner.getByLabel('Filter by quota');
    await filter.selectOption('Near the quota');
    await partner.getByText('No customers found').waitFor();
    await filter.selectOption('Quota used up');
    await partner.waitForURL('**/service-integrator/customers?quota=exceeded');
    await partner.getByRole('link', { name: customer.name }).first().waitFor();
    expect([await overflow(partner), await violations(partner)]).toEqual([0, []]);
    await leave(partner);
  });
});

describe('calls to services that the license does not include', () => {
  it('are named on the screen of the customer, and listed', async () => {
    await change({ callQuota: null, entitlements: [{ code: 'confluence' }] });
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`);
    expect(await send(await asTool(web.url, customer), 1)).toBe(202);
    const flagged = page.getByText(/^Calls of the last \d+ days to services that the license did not include: Jira 1\./);
    await flagged.waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Show calls' }).click();
    await page.waitForURL(/\/admin\/monitoring\/calls\?customer=.*entitlement=not_included/);
    await leave(page);
  });
});
