import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY } from '../support/keys.ts';
import { describeAtLength, itAtLength } from '../support/tiers.ts';
import { violations } from './support/axe.ts';
import { openConsole, seed, type TestConsole, titleOf, toastsOf } from './support/console.ts';
import { leave } from './support/pages.ts';

let web: TestConsole;
beforeAll(async () => {
  web = await openConsole();
});
afterAll(() => web.close());

describeAtLength('the landing page', () => {
  it('links to the three sign-ins', async () => {
    const page = await web.open('/');
    for (const [link, path] of [
      ['Customer Login', '/portal/login'],
      ['Service Integrator Login', '/service-integrator/login'],
      ['Administrator Access', '/admin/login'],
    ] as const) {
      await page.goto('/');
      await page.getByRole('link', { name: link }).click();
      await page.waitForURL(`**${path}`);
      await titleOf(page).waitFor();
    }
    await leave(page);
  });

  it('shows the name of the product', async () => {
    const page = await web.open('/');
    await page.getByText('Latchkey', { exact: true }).waitFor();
    expect(await page.title()).toBe('Latchkey');
    await leave(page);
  });

  it.each(['/nowhere', '/administrator', '/portalx/users', '/a/b/c'])('is shown instead of %s', async (path) => {
    const page = await web.open(path);
    await page.waitForURL(`${web.url}/`);
    await leave(page);
  });
});

describe('an address without a screen', () => {
  it.each(['/admin/nowhere', '/admin/team/nowhere'])('says so within the frame of the session: %s', async (path) => {
    const page = await web.openAsAdmin(path);
    await titleOf(page).getByText('Page not found').waitFor();
    expect(await page.title()).toMatch(/^Page not found/);
    expect([await violations(page), new URL(page.url()).pathname]).toEqual([[], path]);
    await page.getByRole('main').getByRole('link', { name: 'Dashboard' }).click();
    await page.waitForURL('**/admin/dashboard');
    await leave(page);
  });
});

describe('the guard', () => {
  itAtLength.each([
    ['/admin', '/admin/login'],
    ['/admin/customers', '/admin/login'],
    ['/portal', '/portal/login'],
    ['/portal/usage', '/portal/login'],
    ['/service-integrator', '/service-integrator/login'],
    ['/service-integrator/themes', '/service-integrator/login'],
  ])('shows the sign-in instead of %s', async (path, login) => {
    const page = await web.open(path);
    await page.waitForURL(`**${login}`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await leave(page);
  });

  it('opens the requested screen after the sign-in', async () => {
    const { customers } = await seed(web.admin, ['Way Back']);
    const path = `/admin/customers/${customers[0]?.id}?from=mail#history`;
    const page = await web.open(path);
    await page.waitForURL('**/admin/login');
    await page.getByLabel('Admin Key').fill(ADMIN_KEY);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${web.url}${path}`);
    await page.getByRole('heading', { level: 1, name: 'Way Back' }).waitFor();
    await leave(page);
  });

  it('opens the start screen after a sign-out, although the end of the session rejected a call before it', async () => {
    const page = await web.open('/admin/login');
    const signIn = async () => {
      await page.getByLabel('Admin Key').fill(ADMIN_KEY);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/admin/dashboard');
    };
    await signIn();
    await page.getByRole('link', { name: 'Customers', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    await page.route('**/api/auth/admin/logout', async (route) => {
      const response = await route.fetch();
      await page.waitForURL('**/admin/login');
      await route.fulfill({ response });
    });
    const ended = page.waitForResponse('**/api/auth/admin/logout');
    await page.getByRole('button', { name: 'Logout' }).click();
    await ended;
    await signIn();
    await leave(page);
  });

  itAtLength('returns to the screen on which a session ended, or to the start screen', async () => {
    const { customers } = await seed(web.admin, ['Session Over']);
    const licenseKey = customers[0]?.licenseKey ?? '';
    const page = await web.open('/portal/usage?days=7');
    const signIn = async () => {
      await page.getByLabel('License key').fill(licenseKey);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await signIn();
    await page.waitForURL('**/portal/usage?days=7');
    await page.route('**/api/users/**', (route) => route.fulfill({ status: 401, json: { error: 'Please sign in' } }));
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.waitForURL('**/portal/login');
    await page.unroute('**/api/users/**');
    await signIn();
    await page.waitForURL('**/portal/users');
    await page.evaluate(() => localStorage.clear());
    await page.goto('/portal/nowhere');
    await page.waitForURL('**/portal/login');
    await signIn();
    await page.waitForURL('**/portal/dashboard');
    await leave(page);
  });

  itAtLength('shows a spinner while the session is loading', async () => {
    const page = await web.open('/');
    let release = (): void => undefined;
    const pending = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/auth/admin/session', async (route) => {
      await pending;
      await route.continue();
    });
    await page.goto('/admin/customers');
    await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor();
    release();
    await page.waitForURL('**/admin/login');
    await leave(page);
  });
});

describe('signing in as an administrator', () => {
  it('requires the key, rejects a wrong one, and accepts the correct one', async () => {
    const page = await web.open('/admin/login');
    const key = page.getByLabel('Admin Key');
    expect(await key.getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Please enter admin key').waitFor();
    await key.fill('not the key');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The admin key is wrong').waitFor();
    await expect.poll(() => key.getAttribute('aria-invalid')).toBe('true');
    await key.and(page.locator(':focus')).waitFor();
    await key.fill(ADMIN_KEY);
    await key.press('Enter');
    await toastsOf(page).getByText('Login successful!').waitFor(); // first, since it goes away
    await page.waitForURL('**/admin/dashboard');
    await page.getByText('root@latchkey.example').waitFor();
    await leave(page);
  });

  it('leaves the main actions of the opened screen free of the toast', async () => {
    const page = await web.open('/admin/login');
    // The time of toasts does not pass while a page is hidden.
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true }));
    await page.getByLabel('Admin Key').fill(ADMIN_KEY);
    await page.getByLabel('Admin Key').press('Enter');
    const toast = toastsOf(page).getByRole('listitem').filter({ hasText: 'Login successful!' });
    for (const name of ['Create your account', 'Create customer']) {
      const action = page.getByRole('button', { name }).first();
      await action.waitFor();
      const distance = async () => {
        const [above, below] = await Promise.all([action.boundingBox(), toast.boundingBox()]);
        return (below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0);
      };
      await expect.poll(distance).toBeGreaterThan(0);
    }
    await leave(page);
  });

  itAtLength('ends with Logout', async () => {
    const page = await web.openAsAdmin('/admin/themes');
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/admin/login');
    await page.goto('/admin/themes');
    await page.waitForURL('**/admin/login');
    await leave(page);
  });
});

describe('signing in with a license key', () => {
  itAtLength('shows the input in upper case, and the format of a key', async () => {
    const page = await web.open('/portal/login');
    await page.getByText('LK-ENT-XXXX-XXXXX').waitFor();
    await page.getByLabel('License key').fill('lk-ent-abcd-efghj');
    expect(await page.getByLabel('License key').inputValue()).toBe('LK-ENT-ABCD-EFGHJ');
    const shownIn = () =>
      page.evaluate(() => [...document.fonts].flatMap(({ status, family }) => (status === 'loaded' ? family : [])));
    await expect.poll(shownIn).toContainEqual(expect.stringContaining('JetBrains Mono'));
    await page.getByLabel('License key').fill('');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Please enter license key').waitFor();
    await leave(page);
  });

  it('stores the token and shows the portal', async () => {
    const { customers } = await seed(web.admin, ['Portal Visitor']);
    const page = await web.open('/portal/login');
    await page.getByLabel('License key').fill(customers[0]?.licenseKey.toLowerCase() ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await toastsOf(page).getByText('Login successful!').waitFor(); // first, since it goes away
    await page.waitForURL('**/portal/dashboard');
    expect(await page.evaluate(() => Object.keys(localStorage))).toContain('customer_token');
    await page.getByRole('banner').getByText('Portal Visitor').waitFor();
    await leave(page);
  });
});

describe('signing in with a master license key', () => {
  itAtLength('requires the key and shows its format', async () => {
    const page = await web.open('/service-integrator/login');
    await page.getByText('LK-SI-XXXX-XXXXX').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Please enter master license key').waitFor();
    await leave(page);
  });

  it('stores the token under one name and shows the area', async () => {
    const { integrator } = await seed(web.admin, [], 'Area Visitor');
    const page = await web.open('/service-integrator/login');
    await page.getByLabel('Master license key').fill(integrator.masterLicenseKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/service-integrator/dashboard');
    const keys = await page.evaluate(() => Object.keys(localStorage));
    expect(keys).toContain('service_integrator_token');
    expect(keys).not.toContain('serviceIntegratorToken');
    await page.getByRole('banner').getByText('Area Visitor').waitFor();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/service-integrator/login');
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).not.toContain('service_integrator_token');
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
