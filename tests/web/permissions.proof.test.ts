import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { customerId, integratorId } from '../../src/contracts/fields.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import type { Role } from '../../src/domain/permissions.ts';
import { ADMIN_COOKIE } from '../../src/http/requests/guard.ts';
import type { SessionOwner } from '../../src/security/session.ts';
import { askApproval, asTool } from '../support/apiClient.ts';
import { openConsole, seed, type TestConsole, titleOf } from './support/console.ts';
import { buttonNames, EMPTY_PAGE, leave, navigate } from './support/pages.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders']);
  integrator = seeded.integrator;
  customer = seeded.customers[0] ?? expect.fail('No customer was made');
  await asTool(web.url, customer, 'ada');
  await askApproval(web.url, customer, 'ada', 'laptop');
  await web.admin.post('/api/admin/plans', { code: 'PRO', name: 'Professional', developerSeats: 20, stakeholderSeats: 5 });
});
afterAll(() => web.close());

const ofIntegrator = () => ({ kind: 'integrator' as const, integratorId: integratorId.parse(integrator.id) });
const ofCustomer = () => ({ ...ofIntegrator(), kind: 'customer' as const, customerId: customerId.parse(customer.id) });

const TOKENS = { integrator: 'service_integrator_token', customer: 'customer_token' } as const;

/** Opens a screen in a session with a role. */
const openAs = async (role: Role, owner: SessionOwner, path: string): Promise<Page> => {
  const { token } = await web.server.product.sessions.open(owner, { role });
  if (owner.kind === 'integrator' || owner.kind === 'customer') return web.open(path, { storage: { [TOKENS[owner.kind]]: token } });
  const page = await web.open(EMPTY_PAGE);
  await page.context().addCookies([{ name: ADMIN_COOKIE, value: token, url: web.url, httpOnly: true, sameSite: 'Strict' }]);
  await page.goto(path);
  return page;
};

/** The names of a screen's buttons, once its data is shown. */
const buttonsOf = async (page: Page, shown: string): Promise<string[]> => {
  await titleOf(page).waitFor();
  await page.getByText(shown).first().waitFor();
  return buttonNames(page);
};

const CHANGES =
  /^(?:Add|Create|Edit|Delete|Rotate|Reset|Approve|Reject|Deactivate|Suspend|Activate|Assign|Copy .*key|Set|Save|Test)\b/;

describe('the console offers no change without its permission', () => {
  it('to an auditor of the administration', async () => {
    const screens: readonly [path: string, shown: string][] = [
      ['/admin/customers', customer.name],
      [`/admin/customers/${customer.id}`, customer.contactEmail],
      ['/admin/service-integrators', integrator.companyName],
      [`/admin/service-integrators/${integrator.id}`, integrator.contactEmail],
      ['/admin/users', 'ada@example.com'],
      ['/admin/dashboard', customer.name],
    ];
    const page = await openAs('auditor', { kind: 'admin' }, '/admin/account');
    await titleOf(page).waitFor();
    for (const [path, shown] of screens) {
      await navigate(page, path);
      expect([path, ...(await buttonsOf(page, shown)).filter((name) => CHANGES.test(name))]).toEqual([path]);
      expect(await page.getByText(customer.licenseKey).count()).toBe(0);
    }
    await leave(page);
  });

  it('to an auditor of a service integrator', async () => {
    const screens: readonly [path: string, shown: string][] = [
      ['/service-integrator/customers', customer.name],
      [`/service-integrator/customers/${customer.id}`, customer.contactEmail],
      ['/service-integrator/users', 'ada@example.com'],
      ['/service-integrator/themes', 'Themes'],
      ['/service-integrator/settings', integrator.companyName],
    ];
    const page = await openAs('auditor', ofIntegrator(), '/service-integrator/account');
    await titleOf(page).waitFor();
    for (const [path, shown] of screens) {
      await navigate(page, path);
      expect([path, ...(await buttonsOf(page, shown)).filter((name) => CHANGES.test(name))]).toEqual([path]);
    }
    await leave(page);
  });

  it('and lists no screen that the role may not see', async () => {
    const page = await openAs('stakeholder', ofCustomer(), '/portal/dashboard');
    await titleOf(page).waitFor();
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await expect.poll(() => links.allInnerTexts()).toEqual(['Dashboard', 'Usage']);
    await page.goto('/portal/users');
    await page.getByText('Your session is not allowed to do this').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/portal/users');
    await leave(page);
  });

  it('but all of them to a sign-in with the key', async () => {
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`);
    const names = ['Edit customer', 'Delete', 'Rotate license key', 'Copy license key'];
    await expect.poll(() => buttonsOf(page, customer.contactEmail)).toEqual(expect.arrayContaining(names));
    await leave(page);
  });
});
