import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asCustomer, type Client } from '../support/apiClient.ts';
import { overflow, violations } from './support/axe.ts';
import { openConsole, seed, type TestConsole } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';
import { openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;
let portal: Client;

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders', 'Blue Harbor Bank']);
  integrator = seeded.integrator;
  if (!seeded.customers[0]) throw new Error('No customer was made');
  customer = seeded.customers[0];
  portal = await asCustomer(web.url, customer);
});
afterAll(() => web.close());

const areas = [
  ['an administrator', '/admin', () => web.openAsAdmin('/admin/dashboard')],
  ['the integrator', '/service-integrator', () => openAsIntegrator(web, integrator, '/service-integrator/dashboard')],
] as const;

describe('a request for account deletion', () => {
  it.each(areas)('appears live on the dashboard of %s, and links to the list of requests', async (_who, root, open) => {
    const page = await open();
    await page.getByText('Total Customers').waitFor();
    const notice = page.getByText('1 customer requested the deletion of its account.');
    expect(await notice.count()).toBe(0);
    await portal.post('/api/customer/request-deletion');
    await notice.waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Review requests' }).click();
    await page.waitForURL(`**${root}/customers?deletionRequested=true`);
    await page.getByText('Northwind Traders').first().waitFor();
    await page.getByText('Blue Harbor Bank').first().waitFor({ state: 'detached' });
    const filter = page.getByRole('button', { name: 'Deletion requested' });
    expect(await filter.getAttribute('aria-pressed')).toBe('true');
    expect(await violations(page)).toEqual([]);
    await filter.click();
    await page.getByText('Blue Harbor Bank').first().waitFor();
    await page.setViewportSize(PHONE);
    await page.locator('.badge', { hasText: 'Deletion requested' }).first().waitFor();
    expect(await overflow(page)).toBe(0);
    await portal.delete('/api/customer/request-deletion');
    await page.locator('.badge', { hasText: 'Deletion requested' }).waitFor({ state: 'detached' });
    await leave(page);
  });
});
