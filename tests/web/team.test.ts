import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { areas } from '../../web/scripts/areas.js';
import { asIntegrator, asTool, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { codeOf, invite, join, PASSWORD } from '../support/members.ts';
import { describeAtLength, itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, type TestConsole, titleOf, toastsOf } from './support/console.ts';
import { openAsMember } from './support/members.ts';
import { leave, navigate, PHONE } from './support/pages.ts';
import { openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let partner: Client;

beforeAll(async () => {
  web = await openConsole();
});
afterAll(() => web.close());

/** A tenant of its own for each test. */
beforeEach(async () => {
  integrator = await newIntegrator(web.admin, { companyName: 'Contoso Partners' });
  partner = await asIntegrator(web.url, integrator);
});

/** The names of buttons that change something, or that copy a key. */
const ACTION =
  /^(Create|Edit|Delete|Rotate|Copy (new )?(master )?license key|Reset|Suspend|Activate|Deactivate|Approve|Set as|Assign|Change|Save|Invite|Remove|Check)( |$)/;

const SCREEN = '/service-integrator/team';
const openTeam = (options = {}): Promise<Page> => openAsIntegrator(web, integrator, SCREEN, options);
const rowOf = (page: Page, name: string) => page.getByRole('region', { name: 'Named users' }).getByRole('row', { name });
const action = (page: Page, label: string, name: string) => page.getByRole('button', { name: `${label}: ${name}` });
const confirm = (page: Page, label: string) => dialogOf(page).getByRole('button', { name: label, exact: true }).click();
const isLive = (page: Page) => page.locator('[data-live=live]').waitFor();

const fillInvitation = async (page: Page, name: string, email: string, role?: string): Promise<void> => {
  const dialog = dialogOf(page);
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Email address').fill(email);
  if (role) await dialog.getByLabel('Role').selectOption(role);
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
};

const linkOn = async (page: Page): Promise<string> => {
  const link = (await dialogOf(page).locator('[data-invitation-link]').textContent()) ?? '';
  await dialogOf(page).getByRole('button', { name: 'Done' }).click();
  return link;
};

describe('the team of the administration', () => {
  it('is invited, joins with one-time passwords, signs in with a code, sees what the role may do, and is removed', async () => {
    const admin = await web.openAsAdmin('/admin/team');
    await admin.getByText('No named users yet').waitFor();
    await admin.getByRole('button', { name: 'Invite yourself as owner' }).click();
    await dialogOf(admin).waitFor();
    await expect.poll(() => dialogOf(admin).getByLabel('Role').inputValue()).toBe('owner');
    await fillInvitation(admin, 'Eve Stone', 'eve@team.example', 'Auditor');
    const link = await linkOn(admin);
    await rowOf(admin, 'Eve Stone').getByText('Invited').waitFor();

    const user = await web.open(link);
    await user.getByRole('switch', { name: 'Use one-time passwords' }).check();
    const secret = (await user.getByLabel('Secret', { exact: true }).textContent()) ?? '';
    await user.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await user.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await user.getByRole('button', { name: 'Join' }).click();
    await rowOf(admin, 'Eve Stone').getByText('Joined').waitFor();

    await user.getByRole('link', { name: 'Go to the sign-in' }).click();
    await user.getByLabel('Email address').fill('eve@team.example');
    await user.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await user.getByRole('button', { name: 'Sign in' }).click();
    await user.getByLabel('Code').fill(codeOf(secret, 1));
    await user.getByRole('button', { name: 'Sign in' }).click();
    await user.waitForURL('**/admin/dashboard');
    await titleOf(user).waitFor();
    expect(await user.getByRole('button', { name: 'Create customer' }).count()).toBe(0);
    await user.getByRole('link', { name: 'Security', exact: true }).click();
    await rowOf(user, 'Eve Stone').waitFor();
    expect(await user.getByRole('button', { name: /Invite|Remove|Edit|Sign out/ }).count()).toBe(0);
    expect(await user.getByRole('switch').count()).toBe(0);
    await isLive(user);

    await action(admin, 'Remove', 'Eve Stone').click();
    await dialogOf(admin).getByText('The name and email address are erased').waitFor();
    await confirm(admin, 'Remove');
    await user.waitForURL('**/admin/login');
    await admin.getByText('No named users yet').waitFor();
    await leave(user);
    await leave(admin);
  });
});

describeAtLength('an auditor', () => {
  it.each(['admin', 'integrator'] as const)('is offered no action in the area %s, and no copy of a key', async (area) => {
    const owner = area === 'admin' ? web.admin : partner;
    const customer = await newCustomer(web.admin, integrator.id, { name: 'Acme' });
    await asTool(web.url, customer);
    const theme = { themeName: 'contoso-night', displayName: 'Contoso Night', primaryColor: '#112233', isDefault: true };
    await partner.post('/api/service-integrator/themes', theme);
    const joined = await join(web.url, await invite(owner, 'auditor'), { secondFactor: false });
    const { root = '', screens = {} } = areas[area] ?? {};
    const page = await openAsMember(web, area, joined, `${root}/account`);
    await titleOf(page).waitFor();
    const found: Record<string, string[]> = {};
    for (const screen of Object.keys(screens)) {
      const path = screen.replace(':customerId', customer.id).replace(':integratorId', integrator.id);
      await navigate(page, `${root}/${path}`);
      await titleOf(page).waitFor();
      const stillLoading = () =>
        page.evaluate(() => {
          window.scrollTo(0, document.body.scrollHeight);
          return document.querySelectorAll('[data-loading]').length;
        });
      await expect.poll(stillLoading).toBe(0);
      const actions = page.getByRole('button', { name: ACTION });
      const forms = page.getByRole('main').locator('form, input[type=checkbox]');
      const names = [...(await actions.allTextContents()), ...(await forms.allTextContents())];
      if (names.length > 0) found[screen] = names;
    }
    // A comparison of charts and a selection of rows change nothing, and the own password is no data of the tenant.
    const views = area === 'admin' ? { customers: ['', ''], monitoring: [''] } : { usage: [''] };
    expect(found).toEqual({ ...views, account: ['Change password'] });
    await leave(page);
  });
});

describe('the team of a service integrator', () => {
  itAtLength('is invited with a link that is shown once; errors are shown in the form', async () => {
    const { email } = await invite(partner, 'manager', 'Ana Ruiz');
    const page = await openTeam();
    await rowOf(page, 'Ana Ruiz').getByText('Manager').waitFor();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialogOf(page).getByRole('button', { name: 'Create invitation' }).click();
    await dialogOf(page).getByText('Name is required').waitFor();
    await dialogOf(page).getByText('Reads everything except keys.').waitFor();
    await dialogOf(page).getByLabel('Role').selectOption('Manager');
    await dialogOf(page).getByText('Manages customers, their users').waitFor();
    await fillInvitation(page, 'Olga Berg', email);
    await dialogOf(page).getByText('Another named user has this email address.').waitFor();
    await fillInvitation(page, 'Olga Berg', 'olga@team.example');
    expect(await linkOn(page)).toMatch(new RegExp(`^${web.url}/join#`));
    await rowOf(page, 'Olga Berg')
      .getByText(/^Valid until/)
      .waitFor();
    await leave(page);
  });

  itAtLength('gets new links, and invitations are withdrawn', async () => {
    const { token } = await invite(partner, 'auditor', 'Ana Ruiz');
    const page = await openTeam();
    await action(page, 'New link', 'Ana Ruiz').click();
    const link = await linkOn(page);
    expect(link).not.toContain(token);
    await action(page, 'Withdraw', 'Ana Ruiz').click();
    await confirm(page, 'Withdraw');
    await rowOf(page, 'Ana Ruiz').getByText('No valid invitation').waitFor();
    expect(await action(page, 'Withdraw', 'Ana Ruiz').count()).toBe(0);
    const user = await web.open(link);
    await user.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
    await leave(user);
    await leave(page);
  });

  itAtLength('is changed, and a new role ends the sessions', async () => {
    const joined = await join(web.url, await invite(partner, 'manager', 'Ana Ruiz'), { secondFactor: false });
    const user = await openAsMember(web, 'integrator', joined, SCREEN);
    await rowOf(user, 'Ana Ruiz').waitFor();
    await isLive(user);
    const page = await openTeam();
    await action(page, 'Edit', 'Ana Ruiz').click();
    await dialogOf(page).getByLabel('Name').fill('Ana Ruiz-Berg');
    await dialogOf(page).getByRole('button', { name: 'Save changes' }).click();
    await rowOf(user, 'Ana Ruiz-Berg').waitFor();
    await action(page, 'Edit', 'Ana Ruiz-Berg').click();
    await dialogOf(page).getByLabel('Role').selectOption('Auditor');
    await dialogOf(page).getByRole('button', { name: 'Save changes' }).click();
    await rowOf(page, 'Ana Ruiz-Berg').getByText('Auditor').waitFor();
    await user.waitForURL('**/service-integrator/login');
    await leave(user);
    await leave(page);
  });

  itAtLength('is signed out everywhere', async () => {
    const joined = await join(web.url, await invite(partner, 'manager', 'Ana Ruiz'), { secondFactor: false });
    const user = await openAsMember(web, 'integrator', joined, '/service-integrator/dashboard');
    await titleOf(user).waitFor();
    await isLive(user);
    const page = await openTeam();
    await action(page, 'Sign out', 'Ana Ruiz').click();
    await dialogOf(page).getByText('1 session will be signed out.').waitFor();
    await dialogOf(page)
      .getByText(/^Ana Ruiz \(Chrome/)
      .waitFor();
    await confirm(page, 'Sign out');
    await toastsOf(page).getByText('Signed out everywhere').waitFor();
    await user.waitForURL('**/service-integrator/login');
    await leave(user);
    await leave(page);
  });

  it('keeps an owner', async () => {
    await join(web.url, await invite(partner, 'owner', 'Ana Ruiz'), { secondFactor: false });
    const page = await openTeam();
    await action(page, 'Remove', 'Ana Ruiz').click();
    await confirm(page, 'Remove');
    const refused = dialogOf(page).getByText(/^This is the last owner/);
    await refused.nth(1).waitFor();
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });

  itAtLength('offers a manager customers and themes, but neither named users nor settings', async () => {
    const joined = await join(web.url, await invite(partner, 'manager', 'Ana Ruiz'), { secondFactor: false });
    const page = await openAsMember(web, 'integrator', joined, '/service-integrator/customers');
    await page.getByRole('button', { name: 'Create customer' }).waitFor();
    await navigate(page, '/service-integrator/settings');
    await page.getByText('Company Name').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: /master license key/ }).count()).toBe(0);
    await navigate(page, '/service-integrator/white-label');
    await page.getByText('Logo URL').waitFor();
    expect(await page.getByRole('switch').count()).toBe(0);
    await leave(page);
  });
});

describeAtLength('the sign-in policy', () => {
  it('turns the key off only while two owners have a second factor', async () => {
    const page = await openTeam();
    const policy = page.getByRole('region', { name: 'Sign-in policy' });
    const byKey = policy.getByLabel('Sign-in with the master license key');
    await byKey.selectOption('off');
    await confirm(page, 'Turn off');
    await policy.getByText('Sign-in with the key can be off only while two owners have a second factor.').waitFor();
    await expect.poll(() => byKey.inputValue()).toBe('allowed');
    await join(web.url, await invite(partner, 'owner', 'Ana Ruiz'));
    const owner = await join(web.url, await invite(partner, 'owner', 'Olga Berg'));
    const own = await openAsMember(web, 'integrator', owner, SCREEN, 1);
    await own.getByLabel('Sign-in with the master license key').selectOption('off');
    await confirm(own, 'Turn off');
    await toastsOf(own).getByText('Sign-in policy updated').waitFor();
    await own.getByRole('region', { name: 'Sign-in policy' }).getByText('Last changed by Olga Berg (owner), ').waitFor();
    const byKeyAgain = await web.open('/service-integrator/login');
    await byKeyAgain.getByLabel('Master license key').fill(integrator.masterLicenseKey);
    await byKeyAgain.getByRole('button', { name: 'Sign in' }).click();
    await byKeyAgain.getByText('Sign-in with the key is turned off. Sign in with your account.').waitFor();
    for (const opened of [byKeyAgain, own, page]) await leave(opened);
  });

  it('requires a second factor when all members have one', async () => {
    await join(web.url, await invite(partner, 'auditor', 'Ana Ruiz'), { secondFactor: false });
    const page = await openTeam();
    const required = page.getByRole('switch', { name: 'Require a second factor' });
    await required.click();
    await page.getByText('Not all named users have a second factor.').waitFor();
    await expect.poll(() => required.isChecked()).toBe(false);
    await action(page, 'Remove', 'Ana Ruiz').click();
    await confirm(page, 'Remove');
    await page.getByText('No named users yet').waitFor();
    await required.click();
    await toastsOf(page).getByText('Sign-in policy updated').waitFor();
    await expect.poll(() => required.isChecked()).toBe(true);
    await leave(page);
  });
});

describeAtLength('the team screen', () => {
  it('reports a failure and tries again, and that it is offline', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/dashboard');
    await titleOf(page).waitFor();
    await page.route('**/api/team', (route) => route.abort());
    await page.getByRole('link', { name: 'Security', exact: true }).click();
    await page.getByText('Failed to load named users').waitFor();
    await page.unroute('**/api/team');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No named users yet').waitFor();
    await leave(page);
  });

  itAtLength('has no accessibility violation in light and dark mode, with and without members, and fits a phone', async () => {
    const page = await openTeam();
    await page.getByText('No named users yet').waitFor();
    expect(await violations(page)).toEqual([]);
    await invite(partner, 'manager', 'Olga Berg');
    await join(web.url, await invite(partner, 'owner', 'Ana Ruiz'));
    await rowOf(page, 'Ana Ruiz').getByText('Joined').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialogOf(page).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.setViewportSize(PHONE);
    await page.getByRole('list', { name: 'Named users table' }).waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await action(page, 'New link', 'Olga Berg').click();
    await dialogOf(page).getByRole('button', { name: 'Copy link' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
