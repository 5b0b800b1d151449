import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asCustomer, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { startIdentityProvider } from '../support/identityProvider.ts';
import { openZone, settingsOf, setUpProvider } from '../support/openId.ts';
import { itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, type TestConsole, titleOf, toastsOf } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';

const zone = openZone();
/** How far the server's clock is ahead, in ms. */
let ahead = 0;
let web: TestConsole;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;

beforeAll(async () => {
  web = await openConsole(
    { CREDENTIAL_TEST_ALLOW: '127.0.0.1/32' },
    { resolveTxt: zone.resolveTxt, now: () => Date.now() + ahead },
  );
  provider = await startIdentityProvider([`${web.url}/admin/login`, `${web.url}/portal/login`]);
  const settings = { domains: ['house.example'], newUsersJoin: true, defaultRole: 'owner' };
  await setUpProvider(web.admin, zone, settingsOf(provider.issuer, settings));
});
afterAll(async () => {
  await web.close();
  await provider.close();
});

describe('OpenID Connect in the console', () => {
  it('signs in by the domain of the email address, and shows the provider to its owner', async () => {
    const page = await web.open('/admin/login');
    await page.getByRole('link', { name: 'Continue with OpenID Connect' }).click();
    const email = page.getByLabel('Email address');
    const next = page.getByRole('button', { name: 'Continue' });
    await email.fill('ana@nobody.example');
    await next.click();
    await page.getByText('There is no sign-in with OpenID Connect for this email address.').waitFor();

    provider.becomes(null);
    await email.fill('ana@house.example');
    await next.click();
    await page.getByText('The identity provider refused the sign-in, or you canceled it.').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await page.setViewportSize(PHONE);
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);

    provider.becomes({ sub: 'ana', email: 'ana@house.example', email_verified: true, name: 'Ana Ruiz' });
    await email.fill('ana@house.example');
    await email.press('Enter');
    await page.waitForURL('**/admin/dashboard');

    await page.goto(`${web.url}/admin/team`);
    await titleOf(page).waitFor();
    const card = page.getByRole('region', { name: 'OpenID Connect' });
    await card.getByText(provider.issuer).waitFor();
    expect(await card.getByText('Verified', { exact: true }).count()).toBe(1);
    await card.getByRole('button', { name: 'Edit' }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await dialog.getByText('The identity provider can be used.').waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await leave(page);
  });

  itAtLength('signs in a user of a customer to the requested screen, and confirms a change in a window of its own', async () => {
    const customer = await newCustomer(web.admin, (await newIntegrator(web.admin)).id, { name: 'Acme' });
    const settings = { domains: ['acme.example'], newUsersJoin: true, defaultRole: 'admin' };
    await setUpProvider(await asCustomer(web.url, customer), zone, settingsOf(provider.issuer, settings));
    provider.becomes({ sub: 'mia', email: 'mia@acme.example', email_verified: true, name: 'Mia Berg' });
    const page = await web.open('/portal/team');
    await page.waitForURL('**/portal/login');
    await page.getByRole('link', { name: 'Continue with OpenID Connect' }).click();
    await page.getByLabel('Email address').fill('mia@acme.example');
    await page.getByLabel('Email address').press('Enter');
    await page.waitForURL('**/portal/team');
    await page.getByRole('table').getByText('Mia Berg').waitFor();

    const card = page.getByRole('region', { name: 'OpenID Connect' });
    await card.getByText(provider.issuer).waitFor();
    ahead = 11 * 60_000;
    await card.getByRole('button', { name: 'Edit' }).click();
    const form = dialogOf(page).filter({ hasText: 'Redirect address' });
    await form.getByLabel('Role claim').fill('groups');
    await form.getByRole('button', { name: 'Save' }).click();
    const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await page.setViewportSize(PHONE);
    await confirm.getByRole('button', { name: 'Continue with OpenID Connect' }).waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    const opened = page.waitForEvent('popup');
    await confirm.getByRole('button', { name: 'Continue with OpenID Connect' }).click();
    await Promise.all([
      opened.then((popup) => popup.waitForEvent('close')),
      toastsOf(page).getByText('OpenID Connect is set up').waitFor(),
    ]);
    await confirm.waitFor({ state: 'detached' });
    await page.goto(`${web.url}/portal/account`);
    await page.getByRole('button', { name: 'Unlink', exact: true }).click();
    const unlinking = page.getByRole('dialog', { name: 'Unlink OpenID Connect' });
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await unlinking.getByRole('button', { name: 'Unlink' }).click();
    await unlinking.getByText('Nothing else signs you in. Add another passkey or set a password first.').waitFor();
    await leave(page);
  });
});
