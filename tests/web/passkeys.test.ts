import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asIntegrator, type Client, newIntegrator } from '../support/apiClient.ts';
import { invite } from '../support/members.ts';
import { named } from '../support/passkeys.ts';
import { IS_AT_LENGTH, itAtLength } from '../support/tiers.ts';
import { enableAuthenticators, plugIn } from './support/authenticators.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, type TestConsole, toastsOf } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';

let web: TestConsole;
let partner: Client;

beforeAll(async () => {
  web = await openConsole();
  partner = await asIntegrator(web.url, await newIntegrator(web.admin, { companyName: 'Contoso Partners' }));
});
afterAll(() => web.close());

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const submit = (page: Page, name: string) => dialogOf(page).getByRole('button', { name, exact: true }).click();
const rowsOf = (page: Page) => page.getByRole('region', { name: 'Passkeys table' }).locator('tbody').getByRole('row');

/** Fills and sends the open dialog, which a passkey confirms. */
const confirmAnd = async (page: Page, action: string, before: () => Promise<unknown> = async () => undefined): Promise<void> => {
  await submit(page, 'Confirm with a passkey');
  await dialogOf(page).getByText('Confirmed').waitFor();
  await before();
  await submit(page, action);
};

describe('a named user with passkeys', () => {
  it('joins, signs in, adds a second passkey and removes the first', async () => {
    const { token } = await invite(partner, 'manager');
    const page = await web.open('/robots.txt');
    const cdp = await enableAuthenticators(page);
    const device = await plugIn(cdp);
    const origin = named(web.url);

    await page.goto(`${origin}/join#${token}`);
    await page.getByText('A passkey signs you in on localhost only').waitFor();
    expect(await violations(page)).toEqual([]);
    await press(page, 'Join with a passkey');
    await page.getByRole('heading', { level: 1, name: 'You have joined' }).waitFor();
    await page.getByRole('link', { name: 'Go to the sign-in' }).click();

    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await device.verify(false);
    await press(page, 'Sign in with a passkey');
    await page.getByText('No passkey was used.').waitFor();
    await device.verify(true);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/service-integrator/dashboard');

    await page.goto(`${origin}/service-integrator/account`);
    await rowsOf(page).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await press(page, 'Add a passkey');
    await dialogOf(page).getByLabel('Name', { exact: true }).fill('Security key');
    await submit(page, 'Add a passkey');
    await dialogOf(page).getByText('Confirm with a passkey first.').waitFor();
    const stick = { unplug: async () => undefined as unknown };
    await confirmAnd(page, 'Add a passkey', async () => {
      await device.unplug();
      Object.assign(stick, await plugIn(cdp, 'usb'));
    });
    await toastsOf(page).getByText('Passkey added').waitFor();
    const added = rowsOf(page).filter({ hasText: 'Security key' });
    await added.getByText('Never').waitFor();

    await rowsOf(page).first().getByRole('button', { name: 'Remove' }).click();
    await dialogOf(page).getByText('no longer signs you in').waitFor();
    expect(await violations(page)).toEqual([]);
    await confirmAnd(page, 'Remove');
    await toastsOf(page).getByText('Passkey removed').waitFor();
    await rowsOf(page).nth(1).waitFor({ state: 'detached' });
    await rowsOf(page).filter({ hasText: 'Security key' }).waitFor();

    if (IS_AT_LENGTH) {
      await page.setViewportSize(PHONE);
      const item = page.getByRole('region', { name: 'Passkeys', exact: true });
      await item.getByText('Security key', { exact: true }).waitFor();
      expect([await overflow(page), await violations(page)]).toEqual([0, []]);
      await item.getByRole('button', { name: 'Remove: Security key' }).click();
      await confirmAnd(page, 'Remove');
      await dialogOf(page).getByText('Nothing else signs you in.').waitFor();
      expect([await overflow(page), await violations(page)]).toEqual([0, []]);
    }
    expect(web.pageErrors).toEqual([]);
    await page.context().close();
  });

  itAtLength('reads why there are no passkeys at an IP address', async () => {
    const { token } = await invite(partner, 'auditor');
    const page = await web.open(`/join#${token}`);
    await page.getByRole('button', { name: 'Join', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Join with a passkey' }).count()).toBe(0);
    await leave(page);
  });
});
