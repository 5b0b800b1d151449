import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { askApproval, asTool, clientOf, toolLoginOf } from '../support/apiClient.ts';
import { violations } from './support/axe.ts';
import { dialogOf, openConsole, seed, type TestConsole, toastsOf } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customers: Customer[];
let customer: Customer;
let next = 0;

beforeAll(async () => {
  web = await openConsole();
  ({ integrator, customers } = await seed(web.admin, ['Northwind Traders', 'Fabrikam', 'Tailspin', 'Litware', 'Proseware']));
});
afterAll(() => web.close());

beforeEach(async () => {
  const chosen = customers[next++];
  if (!chosen) throw new Error('Not enough customers were made');
  customer = chosen;
  await asTool(web.url, customer, 'ada');
});

const requestsOf = (page: Page) => page.getByRole('region', { name: 'Machines waiting for approval' });
const signIn = (machineId: string) => clientOf(web.url).post('/api/cli/login', toolLoginOf(customer, 'ada', machineId));

describe('a machine that waits for approval', () => {
  it('appears on the open Users screen of the portal with its code, and is approved there', async () => {
    const page = await openAsCustomer(web, customer, '/portal/users');
    await page.locator('[data-live="live"]').waitFor();
    expect(await requestsOf(page).count()).toBe(0);
    const { code } = await askApproval(web.url, customer, 'ada', 'laptop');
    await requestsOf(page).getByText(code).waitFor();
    await requestsOf(page).getByText('name-of-laptop wants to sign in as ada').waitFor();
    await page.getByText('1 machine waiting for approval').waitFor();
    expect(await violations(page)).toEqual([]);
    await requestsOf(page)
      .getByRole('button', { name: `Approve ${code}` })
      .click();
    await toastsOf(page).getByText('The machine can now sign in as ada').waitFor();
    await requestsOf(page).waitFor({ state: 'detached' });
    expect((await signIn('laptop')).status).toBe(200);
    await leave(page);
  });

  it('is rejected by the integrator, on a phone', async () => {
    const { code } = await askApproval(web.url, customer, 'ada', 'laptop');
    const page = await openAsIntegrator(web, integrator, '/service-integrator/users', { viewport: PHONE });
    const request = requestsOf(page).getByRole('listitem').filter({ hasText: code });
    await request.getByText(customer.name).waitFor();
    const { scrollWidth } = await page.evaluate(() => ({ scrollWidth: document.documentElement.scrollWidth }));
    expect(scrollWidth).toBe(PHONE.width);
    await request.getByRole('button', { name: `Reject ${code}` }).click();
    await toastsOf(page).getByText('Machine rejected').waitFor();
    expect((await signIn('laptop')).body.code).toBe('machine_rejected');
    await leave(page);
  });
});

describe('the machines of a user', () => {
  it('are listed in a dialog, and removed there', async () => {
    const page = await openAsCustomer(web, customer, '/portal/users');
    await page.getByRole('button', { name: 'Machines ada' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('machine-of-ada').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove machine-of-ada' }).click();
    await dialog.getByText('No machines').waitFor();
    expect((await signIn('machine-of-ada')).body.code).toBe('machine_approval_required');
    await leave(page);
  });
});

describe('the approval of machines', () => {
  it('is switched off and on in the portal', async () => {
    const page = await openAsCustomer(web, customer, '/portal/users');
    const approval = page.getByRole('switch', { name: 'Require approval for new machines' });
    await approval.waitFor();
    expect(await approval.isChecked()).toBe(true);
    await approval.click();
    await toastsOf(page).getByText('New machines no longer need approval').waitFor();
    expect((await signIn('laptop')).status).toBe(200);
    await page.reload();
    expect(await approval.isChecked()).toBe(false);
    await approval.click();
    await toastsOf(page).getByText('New machines need approval').waitFor();
    expect((await signIn('laptop')).body.code).toBe('machine_approval_required');
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
