import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asIntegrator, type Client, newIntegrator } from '../support/apiClient.ts';
import { codeOf, invite, type Joined, join, login, PASSWORD } from '../support/members.ts';
import { itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, type TestConsole, titleOf, toastsOf } from './support/console.ts';
import { openAsMember } from './support/members.ts';
import { leave, PHONE } from './support/pages.ts';
import { openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let partner: Client;
let member: Joined;

const SCREEN = '/service-integrator/account';
const NEW_PASSWORD = 'seven purple lanterns drift north';

beforeAll(async () => {
  web = await openConsole();
  partner = await asIntegrator(web.url, await newIntegrator(web.admin, { companyName: 'Contoso Partners' }));
});
afterAll(() => web.close());

beforeEach(async () => {
  member = await join(web.url, await invite(partner, 'manager', 'Ana Ruiz'), { secondFactor: false });
});

const open = (): Promise<Page> => openAsMember(web, 'integrator', member, SCREEN);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const submit = (page: Page, name: string) => dialogOf(page).getByRole('button', { name, exact: true }).click();
const fill = (page: Page, label: string, value: string) => dialogOf(page).getByLabel(label, { exact: true }).fill(value);
const factOf = (page: Page, label: string) =>
  page.getByRole('region', { name: 'Sign-in' }).locator('div', { hasText: label }).last();
const loginStatus = async (body: { password?: string; code?: string }): Promise<number> =>
  (await login(web.url, 'service-integrator', { email: member.email, ...body })).status;

/** Turns on one-time passwords in the console, and returns the secret. The recovery codes are shown then. */
const turnOn = async (page: Page): Promise<string> => {
  await press(page, 'Turn on');
  const secret = (await dialogOf(page).getByLabel('Secret', { exact: true }).textContent()) ?? '';
  await fill(page, 'Code', codeOf(secret));
  await fill(page, 'Current password', PASSWORD);
  await submit(page, 'Turn on');
  await dialogOf(page).getByRole('list', { name: 'Recovery codes' }).waitFor();
  return secret;
};

describe('the account of a named user', () => {
  itAtLength('is reached from the header and from the search', async () => {
    const page = await openAsMember(web, 'integrator', member, '/service-integrator/dashboard');
    await page.getByRole('link', { name: /^Contoso Partners .*, your account$/ }).click();
    await page.waitForURL(`**${SCREEN}`);
    const about = page.getByRole('region', { name: 'About you' });
    await about.getByText('Ana Ruiz').waitFor();
    await about.getByText(member.email).waitFor();
    await about.getByText('Manager').waitFor();
    await page.goto('/service-integrator/dashboard');
    await titleOf(page).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('account');
    await page.getByRole('option', { name: 'Your account' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${SCREEN}`);
    await leave(page);
  });

  it('changes the password', async () => {
    const page = await open();
    await press(page, 'Change password');
    await fill(page, 'Current password', 'a wrong password');
    await fill(page, 'New password', NEW_PASSWORD);
    await submit(page, 'Change password');
    await dialogOf(page).getByText('The current password is wrong').waitFor();
    await fill(page, 'Current password', PASSWORD);
    await fill(page, 'New password', 'password1');
    await submit(page, 'Change password');
    await dialogOf(page).getByText('This password is easy to guess.').waitFor();
    await fill(page, 'New password', NEW_PASSWORD);
    await submit(page, 'Change password');
    await toastsOf(page).getByText('Password changed').waitFor();
    expect(await loginStatus({})).toBe(401);
    expect(await loginStatus({ password: NEW_PASSWORD })).toBe(200);
    await leave(page);
  });

  itAtLength('turns one-time passwords on, replaces the recovery codes, and turns them off', async () => {
    const page = await open();
    await press(page, 'Turn on');
    await dialogOf(page).getByRole('img', { name: 'QR code of the secret' }).waitFor();
    await fill(page, 'Current password', PASSWORD);
    await fill(page, 'Code', '000000');
    await submit(page, 'Turn on');
    await dialogOf(page).getByText('The code does not belong to this secret.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await turnOn(page);
    const [file] = await Promise.all([page.waitForEvent('download'), submit(page, 'Download codes')]);
    expect(await readFile(await file.path(), 'utf8')).toContain(member.email);
    const [old = ''] = await dialogOf(page).getByRole('listitem').allTextContents();
    await submit(page, 'Done');
    await factOf(page, 'Recovery codes').getByText('10 left').waitFor();
    expect(await loginStatus({})).toBe(401);

    await press(page, 'New recovery codes');
    await fill(page, 'Current password', PASSWORD);
    await submit(page, 'Create codes');
    const codes = dialogOf(page).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    const [code = ''] = await codes.allTextContents();
    await submit(page, 'Done');
    expect(await loginStatus({ code: old })).toBe(401);
    expect(await loginStatus({ code })).toBe(200);
    await factOf(page, 'Recovery codes').getByText('9 left').waitFor();

    await press(page, 'Turn off');
    await fill(page, 'Current password', 'a wrong password');
    await submit(page, 'Turn off');
    await dialogOf(page).getByText('The current password is wrong').waitFor();
    await fill(page, 'Current password', PASSWORD);
    await submit(page, 'Turn off');
    await toastsOf(page).getByText('One-time passwords are off').waitFor();
    expect(await loginStatus({})).toBe(200);
    await leave(page);
  });

  itAtLength('says where a key signed in', async () => {
    const admin = await web.openAsAdmin('/admin/account');
    await admin.getByText('You signed in with a key').waitFor();
    await admin.getByRole('link', { name: 'Go to the team' }).click();
    await admin.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
    await leave(admin);
    const integrator = await newIntegrator(web.admin, { companyName: 'Keyed Partners' });
    const page = await openAsIntegrator(web, integrator, SCREEN);
    await page.getByText('You signed in with a key').waitFor();
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });

  itAtLength('has no accessibility violation in light and dark mode, and fits a phone', async () => {
    const page = await open();
    await page.getByRole('region', { name: 'Sign-in' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await overflow(page)).toBe(0);
    await press(page, 'Turn on');
    await dialogOf(page).getByRole('img', { name: 'QR code of the secret' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialogOf(page).waitFor({ state: 'detached' });
    await turnOn(page);
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await submit(page, 'Done');
    await press(page, 'New recovery codes');
    await dialogOf(page).getByRole('button', { name: 'Create codes' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
