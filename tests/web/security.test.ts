import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asCustomer, asIntegrator, asTool, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { asIntegratorMember, asPortalMember, invite, inviteUser, join } from '../support/members.ts';
import { itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, type TestConsole, toastsOf } from './support/console.ts';
import { openAsMember } from './support/members.ts';
import { leave, navigate, PHONE } from './support/pages.ts';
import { openAsCustomer } from './support/tokens.ts';

let web: TestConsole;

beforeAll(async () => {
  web = await openConsole();
});
afterAll(() => web.close());

describe('security', () => {
  it('of a service integrator: who changed what, API access, failed emails, and signing everyone else out', async () => {
    const partner = await asIntegrator(web.url, await newIntegrator(web.admin, { companyName: 'Contoso Partners' }));
    const joined = await join(web.url, await invite(partner, 'owner'), { secondFactor: false });
    const ana = await asIntegratorMember(web.url, joined);
    const { body } = await partner.post('/api/service-integrator/customers', {
      name: 'Northwind',
      contactEmail: 'it@northwind.example',
      company: 'Northwind Traders',
    });
    const page = await openAsMember(web, 'integrator', joined, `/service-integrator/customers/${body.customer.id}`);
    const last = page.locator('[data-last-change]');
    await last.getByText(/^Last changed by Contoso Partners, /).waitFor();
    await page.locator('[data-live=live]').waitFor();
    const path = `/api/service-integrator/customers/${body.customer.id}`;
    await ana.put(path, { name: 'Northwind Europe', contactEmail: 'it@northwind.example' });
    await last.getByText(/^Last changed by Ana Ruiz \(owner\), (just now|\d+s ago)$/).waitFor();

    await navigate(page, '/service-integrator/white-label');
    await page.getByRole('heading', { level: 1, name: 'White-Label Settings' }).waitFor();
    await page.locator('[data-live=live]').waitFor();
    const branding = { whiteLabelEnabled: true, customDomain: '', logoUrl: '' };
    expect((await ana.put('/api/service-integrator/white-label', branding)).status).toBe(200);
    await last.getByText(/^Last changed by Ana Ruiz \(owner\)/).waitFor();

    await navigate(page, '/service-integrator/settings');
    await last.getByText(/^Last changed by Administrator, /).waitFor();
    const access = page.getByRole('region', { name: 'API access' });
    await access.getByText('No active API tokens').waitFor();
    await access.getByRole('button', { name: 'Create API token' }).click();
    await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill('Export');
    await dialogOf(page).getByLabel('Read the own profile').check();
    await dialogOf(page).getByRole('button', { name: 'Create API token' }).click();
    await dialogOf(page).getByRole('button', { name: 'Done' }).click();
    await access.getByText('1 active API token').waitFor();
    expect(await violations(page)).toEqual([]);
    await access.getByRole('link', { name: 'Manage API tokens' }).click();
    await page.getByRole('row', { name: 'Export' }).waitFor();

    const eve = await invite(partner, 'auditor', 'Eve Stone');
    const team = `team-integrator.${(await ana.get('/api/auth/service-integrator/session')).body.serviceIntegrator.id}`;
    const [invitationId] = eve.token.split('.');
    await web.server.product.db
      .insertInto('policy.note')
      .values({
        policy: 'sendEmails',
        key: `invitation:${invitationId}`,
        value: `failed 1 ${team} 3 ${eve.userId} 550 no such mailbox`,
      })
      .execute();
    const tabs = page.getByRole('navigation', { name: 'Security' });
    await tabs.getByRole('link', { name: 'Team' }).click();
    const row = page.getByRole('row', { name: 'Eve Stone' });
    await row.getByText('Email not delivered').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    await page.getByText('Email not delivered').waitFor();
    expect([await overflow(page), await violations(page)]).toEqual([0, []]);
    await page.getByRole('button', { name: 'Send again: Eve Stone' }).click();
    expect(await dialogOf(page).locator('[data-invitation-link]').textContent()).not.toContain(invitationId);
    await dialogOf(page).getByRole('button', { name: 'Done' }).click();

    await tabs.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('button', { name: 'Sign out everyone else' }).click();
    await dialogOf(page).getByText('All sessions but this one end').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialogOf(page).getByRole('button', { name: 'Sign out everyone else' }).click();
    await toastsOf(page).getByText('All other sessions signed out').waitFor();
    await page.getByRole('button', { name: 'Sign out everyone else' }).waitFor({ state: 'detached' });
    await expect.poll(async () => (await partner.get('/api/service-integrator/profile')).status).toBe(401);
    expect(await overflow(page)).toBe(0);
    await leave(page);
  });

  itAtLength('of a customer: tabs, sign-ins, sessions, API tokens, activity, and who changed a user', async () => {
    const customer = await newCustomer(web.admin, (await newIntegrator(web.admin)).id, { name: 'Acme' });
    await asTool(web.url, customer, 'ada');
    const page = await openAsCustomer(web, customer, '/portal/team');
    await page.getByRole('banner').getByText('Signed in with a key', { exact: true }).waitFor();
    const tabs = page.getByRole('navigation', { name: 'Security' });
    await expect
      .poll(() => tabs.getByRole('link').allInnerTexts())
      .toEqual(['Users and sign-in', 'Sign-ins', 'Sessions', 'API tokens', 'Activity']);
    await page.setViewportSize(PHONE);
    for (const [tab, text] of [
      ['Sign-ins', 'Kept for 90 days'],
      ['Sessions', 'This session'],
      ['API tokens', 'No API tokens yet'],
      ['Activity', 'User ada'],
    ] as const) {
      await tabs.getByRole('link', { name: tab, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: tab }).waitFor();
      await page.getByText(text).first().waitFor();
      expect([tab, await overflow(page), await violations(page)]).toEqual([tab, 0, []]);
    }
    await page.goto('/portal/profile/sign-ins?outcome=accepted');
    await page.waitForURL('**/portal/team/sign-ins?outcome=accepted');
    await navigate(page, '/portal/users');
    await page.getByRole('button', { name: 'Edit ada' }).click();
    await dialogOf(page)
      .getByText(/^Last changed by ada, /)
      .waitFor();
    expect([await overflow(page), await violations(page)]).toEqual([0, []]);

    await navigate(page, '/portal/profile');
    await page.getByRole('region', { name: 'Details' }).getByText('Last changed by Administrator, ').waitFor();
    const portal = await asCustomer(web.url, customer);
    const login = { service: 'azdo', instanceUrl: 'https://dev.invalid', username: 'ci', password: 'a-third-party-password' };
    expect((await portal.post('/api/credentials/store', login)).status).toBe(201);
    await navigate(page, '/portal/credentials');
    await page.getByRole('button', { name: 'Edit Azure DevOps' }).click();
    await dialogOf(page).getByText('Last changed by Acme, ').waitFor();
    expect([await overflow(page), await violations(page)]).toEqual([0, []]);
    await leave(page);
  });

  itAtLength('of a customer: notices of sign-ins, and the own account, for an admin and for a developer', async () => {
    const customer = await newCustomer(web.admin, (await newIntegrator(web.admin)).id, { name: 'Fabrikam' });
    const portal = await asCustomer(web.url, customer);
    const joined = async (username: string, role: string) => {
      const { userId } = await asTool(web.url, customer, username);
      await portal.put(`/api/users/${userId}`, { username, email: `${username}@example.com`, role });
      return join(web.url, await inviteUser(portal, userId), { secondFactor: false });
    };
    const [mara, dora] = [await joined('mara', 'admin'), await joined('dora', 'developer')];
    const page = await openAsMember(web, 'portal', mara, '/portal/account');
    await page.getByRole('region', { name: 'About you' }).getByText('Admin', { exact: true }).waitFor();
    await page.locator('[data-live=live]').waitFor();
    await portal.put('/api/team/policy', { keySignIn: 'break_glass' });
    await asCustomer(web.url, customer);
    const notices = page.getByRole('region', { name: 'Notices' });
    await notices.getByText('Emergency sign-in with the key').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await overflow(page)).toBe(0);
    await notices.getByRole('button', { name: 'Dismiss: Emergency sign-in with the key' }).click();
    await notices.waitFor({ state: 'detached' });
    await leave(page);

    const developer = await openAsMember(web, 'portal', dora, '/portal/dashboard');
    await developer.getByRole('link', { name: /^Fabrikam dora \(developer\), your account$/ }).click();
    await developer.getByRole('button', { name: 'Turn on' }).waitFor();
    await developer.getByRole('region', { name: 'Your sessions' }).getByText('This session').waitFor();
    await developer.locator('[data-live=live]').waitFor();
    await asPortalMember(web.url, dora);
    await developer.getByRole('region', { name: 'Notices' }).getByText('New sign-in to your account').waitFor();
    await leave(developer);
  });

  it('ran without an error on any page', () => expect(web.pageErrors).toEqual([]));
});
