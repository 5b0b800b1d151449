import { hostname } from 'node:os';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asCustomer, askApproval, asTool, clientOf, toolLoginOf } from '../support/apiClient.ts';
import { inviteUser, join } from '../support/members.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, holdsFocus, openConsole, seed, type TestConsole, toastsOf } from './support/console.ts';
import { startDeviceLogin } from './support/deviceLogin.ts';
import { pressOn, typeInto } from './support/keyboard.ts';
import { signInAs } from './support/members.ts';
import { leave, PHONE } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

const NAMES = ['Northwind Traders', 'Fabrikam', 'Tailspin', 'Litware', 'Proseware', 'Wingtip Toys', 'Adatum', 'Lucerne'];

let web: TestConsole;
let integrator: ServiceIntegrator;
let customers: Customer[];
let customer: Customer;
let next = 0;

beforeAll(async () => {
  web = await openConsole();
  ({ integrator, customers } = await seed(web.admin, NAMES));
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
    expect(await overflow(page)).toBe(0);
    const reject = request.getByRole('button', { name: `Reject ${code}` });
    await reject.click();
    const asking = page.getByRole('alertdialog', { name: 'Reject name-of-laptop?' });
    await asking.getByText("name-of-laptop can't sign in as ada.").waitFor();
    await asking.getByText(/^It can't request approval again until .*, 24 hours after this request\.$/).waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await asking.getByRole('button', { name: 'Cancel' }).click();
    await holdsFocus(reject);
    expect((await signIn('laptop')).body.code).toBe('machine_approval_required');
    await page.keyboard.press('Enter');
    await asking.getByRole('button', { name: 'Reject' }).click();
    await toastsOf(page).getByText('name-of-laptop was rejected').waitFor();
    await request.waitFor({ state: 'detached' });
    await holdsFocus(page.getByRole('searchbox', { name: 'Search users' }));
    expect((await signIn('laptop')).body.code).toBe('machine_rejected');
    await leave(page);
  });
});

describe('a user', () => {
  it('is removed after the name was typed, with what that ends, by keyboard', async () => {
    const page = await openAsCustomer(web, customer, '/portal/users', { viewport: PHONE });
    await pressOn(page, page.getByRole('button', { name: 'Remove ada' }));
    const dialog = dialogOf(page);
    await dialog.getByText('The developer seat is released.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Remove', exact: true }).isDisabled()).toBe(true);
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await typeInto(page, dialog.getByLabel('Type "ada" to confirm'), 'ada');
    await page.keyboard.press('Enter');
    await toastsOf(page).getByText('User removed').waitFor();
    await page.getByText('No users').first().waitFor();
    await leave(page);
  });
});

describe('the machines of a user', () => {
  it('are listed in a dialog, renamed and removed there', async () => {
    const { requestId } = await askApproval(web.url, customer, 'ada', 'laptop');
    const portal = await asCustomer(web.url, customer);
    const [ada] = (await portal.get('/api/users/with-connections')).body.users;
    await portal.post(`/api/users/${ada.id}/machine-requests/${requestId}/approve`);
    const page = await openAsCustomer(web, customer, '/portal/users');
    await page.getByRole('button', { name: 'Machines ada' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('machine-of-ada').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Offline license' }).click();
    const offline = page.getByRole('dialog', { name: 'Offline license for ada' });
    await typeInto(page, offline.getByLabel('Fingerprint of the machine'), 'ABC');
    await page.keyboard.press('Enter');
    await offline.getByText('Must be a fingerprint of 32 hexadecimal digits').waitFor();
    expect(await violations(page)).toEqual([]);
    await offline.getByLabel('Fingerprint of the machine').fill('0123456789ABCDEF 0123456789ABCDEF');
    const saved = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    await toastsOf(page).getByText('Offline license issued until').waitFor(); // first, since it goes away
    expect((await saved).suggestedFilename()).toBe('offline-license-01234567.json');
    await dialog.getByRole('button', { name: 'Rename machine-of-ada' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename machine' });
    await rename.getByRole('button', { name: 'Save name' }).click();
    await rename.getByText('Name is required').waitFor();
    expect(await violations(page)).toEqual([]);
    await rename.getByLabel('Name').fill('Build server');
    await page.keyboard.press('Enter');
    await toastsOf(page).getByText('Machine renamed').waitFor();
    const remove = async (machine: string): Promise<void> => {
      await pressOn(page, dialog.getByRole('button', { name: `Remove ${machine}` }));
      const asking = page.getByRole('alertdialog', { name: `Remove ${machine}?` });
      await asking.getByText(`All sessions of ada on ${machine} end.`).waitFor();
      expect(await violations(page)).toEqual([]);
      await pressOn(page, asking.getByRole('button', { name: 'Remove' }));
      await toastsOf(page).getByText(`${machine} was removed. Its sessions have ended.`).waitFor();
      await asking.waitFor({ state: 'detached' });
    };
    await remove('Build server');
    await holdsFocus(dialog.getByRole('button', { name: 'Remove name-of-laptop' }));
    await remove('name-of-laptop');
    await dialog.getByText('No machines').waitFor();
    await holdsFocus(dialog);
    expect((await signIn('machine-of-ada')).body.code).toBe('machine_approval_required');
    await leave(page);
  });
});

describe('the approval of machines', () => {
  it('is switched off and on in the portal', async () => {
    const page = await openAsCustomer(web, customer, '/portal/users');
    const approval = page.getByRole('switch', { name: 'Require approval for new machines' });
    await approval.waitFor();
    await expect.poll(() => approval.isChecked()).toBe(true);
    await approval.click();
    await toastsOf(page).getByText('New machines no longer need approval').waitFor();
    expect((await signIn('laptop')).status).toBe(200);
    await page.reload();
    await expect.poll(() => approval.isChecked()).toBe(false);
    await approval.click();
    await toastsOf(page).getByText('New machines need approval').waitFor();
    expect((await signIn('laptop')).body.code).toBe('machine_approval_required');
    await leave(page);
  });
});

describe('latchkey login', () => {
  /** A named user of the portal. Members of other customers have other names, since a password signs in to the first that it fits. */
  const joined = async (username: string) => {
    const [portal, { userId }] = [await asCustomer(web.url, customer), await asTool(web.url, customer, username)];
    return { ...(await join(web.url, await inviteUser(portal, userId), { secondFactor: false })), portal, id: userId };
  };

  it('continues at the approval of a user who signs in first, and ends with a rejection', async () => {
    const [cleo, login] = [await joined('cleo'), await startDeviceLogin(web.url)];
    const page = await web.open(login.address.replace(web.url, ''));
    await page.waitForURL('**/portal/login#account');
    await signInAs(page, cleo);
    await page.waitForURL(`**/portal/device?code=${login.code}`);
    const request = page.getByRole('region', { name: 'Does this machine belong to you?' });
    await request.getByText(login.code).waitFor();
    await request.getByText(/^(Linux|macOS|Windows)$/).waitFor();
    await request.getByText(hostname(), { exact: true }).waitFor();
    expect(await request.getByText('another network address').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await overflow(page)).toBe(0);
    await request.getByRole('button', { name: 'Approve' }).press('Enter');
    await page.getByText('Machine approved').waitFor();
    expect(await login.ended).toMatchObject({ code: 0, text: expect.stringContaining(`Signed in to ${customer.name}`) });
    await page.getByRole('link', { name: 'My machines' }).last().click();
    const machine = page.getByRole('listitem').filter({ hasText: hostname() });
    await machine.getByText(/(Linux|macOS|Windows) · Since .* · Last seen/).waitFor();

    const second = await startDeviceLogin(web.url);
    await page.goto('/portal/device');
    const code = page.getByRole('textbox', { name: 'Code' });
    await code.fill('12345678');
    await code.press('Enter');
    await page.getByText('Must be 8 letters like BDWK-HQPX').waitFor();
    await code.fill('bdwk hqpx');
    await code.press('Enter');
    await page.getByText('There is no sign-in with this code').waitFor();
    expect(await violations(page)).toEqual([]);
    await code.fill(second.code.toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    await request.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Sign-in rejected').waitFor();
    expect(await second.ended).toMatchObject({ code: 4, text: expect.stringContaining('The sign-in was rejected') });
    await leave(page);
  });

  it('says to a session of the license key, and to a stakeholder, why they cannot approve it', async () => {
    const { portal, id, ...dora } = await joined('dora');
    await portal.put(`/api/users/${id}`, { username: 'dora', email: dora.email, role: 'stakeholder' });
    const page = await openAsCustomer(web, customer, '/portal/device?code=BDWK-HQPX');
    await page.getByText('Sign in with your account to approve a machine').waitFor();
    await page.getByRole('link', { name: 'Sign in with your account' }).click();
    await signInAs(page, dora);
    await page.waitForURL('**/portal/device?code=BDWK-HQPX');
    await page.getByText('Your role has no access to the command-line tool').waitFor();
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
