import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asIntegrator, type Client, clientOf, newIntegrator } from '../support/apiClient.ts';
import { codeOf, invite, join, login, PASSWORD } from '../support/members.ts';
import { itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { openConsole, type TestConsole, titleOf } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';

let web: TestConsole;
let partner: Client;

beforeAll(async () => {
  web = await openConsole();
  partner = await asIntegrator(web.url, await newIntegrator(web.admin, { companyName: 'Contoso Partners' }));
});
afterAll(() => web.close());

const open = ({ token }: { token: string }, viewport = { width: 1440, height: 900 }): Promise<Page> =>
  web.open(`/join#${token}`, { viewport });
const password = (page: Page) => page.getByLabel('Password', { exact: true });
const submit = (page: Page) => page.getByRole('button', { name: 'Join' }).click();
const secretOn = async (page: Page): Promise<string> => (await page.getByLabel('Secret', { exact: true }).textContent()) ?? '';

describe('an invitation', () => {
  itAtLength('shows who is invited as what, and leaves no token in the address or the history', async () => {
    const invited = await invite(partner, 'manager');
    const page = await open(invited);
    await page.getByRole('heading', { level: 1, name: 'Join Contoso Partners' }).waitFor();
    await page.getByText('Ana Ruiz, you are invited as manager.').waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe(invited.email);
    expect(page.url()).toBe(`${web.url}/join`);
    await page.goBack();
    await page.goForward();
    expect(page.url()).toBe(`${web.url}/join`);
    await leave(page);
  });

  it('is accepted with a password, which can be shown, and leads to the sign-in', async () => {
    const invited = await invite(partner, 'auditor');
    const page = await open(invited);
    await password(page).fill('short');
    await submit(page);
    await page.getByText('Must be at least 8 characters').waitFor();
    await password(page).fill('password1');
    await submit(page);
    await page.getByText('This password is easy to guess.').waitFor();
    await password(page).fill(PASSWORD);
    expect(await password(page).getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: 'Show password' }).click();
    expect(await password(page).getAttribute('type')).toBe('text');
    await submit(page);
    await page.getByRole('heading', { level: 1, name: 'You have joined' }).waitFor();
    expect(await page.getByRole('list', { name: 'Recovery codes' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Go to the sign-in' }).click();
    await page.waitForURL('**/service-integrator/login#account');
    expect((await login(web.url, 'service-integrator', { email: invited.email })).status).toBe(200);
    await leave(page);
  });

  it('sets up one-time passwords, and shows the recovery codes to copy and save', async () => {
    const invited = await invite(web.admin, 'operator');
    const page = await open(invited);
    await password(page).fill(PASSWORD);
    await page.getByRole('switch', { name: 'Use one-time passwords' }).press('Space');
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    await submit(page);
    await page.getByText('Please enter the code').waitFor();
    const secret = await secretOn(page);
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 100));
    await submit(page);
    await page.getByText('The code does not belong to this secret.').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await submit(page);
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    const shown = await codes.allTextContents();
    expect(shown).toHaveLength(10);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download codes' }).click()]);
    const saved = await readFile(await file.path(), 'utf8');
    for (const code of shown) expect(saved).toContain(code);
    expect(saved).toContain(invited.email);
    const [code = ''] = shown;
    expect((await login(web.url, 'admin', { email: invited.email, code })).status).toBe(200);
    await leave(page);
  });

  itAtLength('requires one-time passwords where the policy does', async () => {
    const other = await newIntegrator(web.admin, { companyName: 'Careful Partners' });
    const careful = await asIntegrator(web.url, other);
    await careful.put('/api/team/policy', { secondFactorRequired: true });
    const page = await open(await invite(careful, 'auditor'));
    await page.getByText('One-time passwords are required.').waitFor();
    expect(await page.getByRole('switch').count()).toBe(0);
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    await leave(page);
  });

  itAtLength('says why it cannot be accepted: used, replaced, withdrawn, incomplete', async () => {
    const used = await invite(partner, 'auditor');
    await join(web.url, used, { secondFactor: false });
    const withdrawn = await invite(partner, 'auditor');
    await partner.delete(`/api/team/members/${withdrawn.userId}/invitation`);
    for (const invited of [used, withdrawn]) {
      const page = await open(invited);
      await page.getByRole('heading', { level: 1, name: 'This invitation is no longer valid' }).waitFor();
      await page.getByText('This invitation was used, replaced or withdrawn. Ask for a new one.').waitFor();
      expect(page.url()).toBe(`${web.url}/join`);
      await leave(page);
    }
    for (const path of ['/join', '/join#nothing']) {
      const page = await web.open(path);
      await page.getByRole('heading', { level: 1, name: 'This link is incomplete' }).waitFor();
      await page.getByRole('link', { name: 'Go to the start page' }).click();
      await page.waitForURL(`${web.url}/`);
      await leave(page);
    }
  });

  itAtLength('that is used while it is shown is reported', async () => {
    const invited = await invite(partner, 'auditor');
    const page = await open(invited);
    await password(page).fill(PASSWORD);
    await clientOf(web.url).post('/api/auth/join', { token: invited.token, password: PASSWORD });
    await submit(page);
    await page.getByRole('alert').getByText('This invitation was used').waitFor();
    await leave(page);
  });

  itAtLength('can be read again after the server could not be reached', async () => {
    const invited = await invite(partner, 'auditor');
    const page = await web.open('/');
    await page.route('**/api/auth/invitation', (route) => route.abort());
    await page.goto(`/join#${invited.token}`);
    await page.getByRole('heading', { level: 1, name: "Couldn't open the invitation" }).waitFor();
    await page.unroute('**/api/auth/invitation');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Join Contoso Partners' }).waitFor();
    await leave(page);
  });

  itAtLength('has no accessibility violation in light and dark mode, and fits a phone', async () => {
    const page = await open(await invite(partner, 'auditor'), PHONE);
    await page.getByRole('switch', { name: 'Use one-time passwords' }).press('Space');
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await password(page).fill(PASSWORD);
    await page.getByLabel('Code', { exact: true }).fill(codeOf(await secretOn(page)));
    await submit(page);
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.goto('/join');
    await titleOf(page).waitFor();
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
