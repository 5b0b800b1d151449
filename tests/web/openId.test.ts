import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIdentityProvider } from '../support/identityProvider.ts';
import { openZone, settingsOf, setUpProvider } from '../support/openId.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, type TestConsole, titleOf } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';

const zone = openZone();
let web: TestConsole;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;

beforeAll(async () => {
  web = await openConsole({ CREDENTIAL_TEST_ALLOW: '127.0.0.1/32' }, { resolveTxt: zone.resolveTxt });
  provider = await startIdentityProvider([`${web.url}/admin/login`]);
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
    expect(new URL(page.url()).search).toBe('');
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
});
