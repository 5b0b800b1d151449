import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_COOKIE } from '../../src/http/requests/guard.ts';
import { ADMIN_KEY } from '../support/keys.ts';
import { invite, join } from '../support/members.ts';
import { describeAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, type TestConsole } from './support/console.ts';
import { openAsMember } from './support/members.ts';
import { EMPTY_PAGE, leave, PHONE } from './support/pages.ts';

let web: TestConsole;

beforeAll(async () => {
  web = await openConsole();
});
afterAll(() => web.close());

/** Opens a screen in the session of an administrator who signed in an hour ago. */
const openAfterAnHour = async (path: string): Promise<Page> => {
  const { db, sessions } = web.server.product;
  const { token, session } = await sessions.open({ kind: 'admin' });
  const before = db.updateTable('auth.session').set({ authenticated_at: new Date(Date.now() - 3_600_000) });
  await before.where('token_hash', '=', session.hash).execute();
  const page = await web.open(EMPTY_PAGE);
  await page.context().addCookies([{ name: ADMIN_COOKIE, value: token, url: web.url, httpOnly: true, sameSite: 'Strict' }]);
  await page.goto(path);
  return page;
};

describe('a change that asks for a recent authentication', () => {
  it('shows one dialog, keeps what was typed, and is made once the key is right', async () => {
    const page = await openAfterAnHour('/admin/team');
    await page.getByRole('button', { name: 'Invite yourself as owner' }).click();
    const form = page.getByRole('dialog').filter({ hasText: 'Create invitation' });
    await form.getByLabel('Name').fill('Olga Berg');
    await form.getByLabel('Email address').fill('olga@team.example');
    await form.getByRole('button', { name: 'Create invitation' }).click();
    const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await confirm.getByLabel('Key').fill('wrong');
    await confirm.getByLabel('Key').press('Enter');
    await confirm.getByText('The admin key is wrong').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await overflow(page)).toBe(0);
    await confirm.getByRole('button', { name: 'Cancel' }).click();
    await confirm.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Name').inputValue()).toBe('Olga Berg');
    await form.getByRole('button', { name: 'Create invitation' }).click();
    await confirm.getByLabel('Key').fill(ADMIN_KEY);
    await confirm.getByLabel('Key').press('Enter');
    await dialogOf(page).locator('[data-invitation-link]').waitFor();
    await leave(page);
  });
});

describeAtLength('the own sessions', () => {
  it('are listed, and another one is signed out', async () => {
    const joined = await join(web.url, await invite(web.admin, 'auditor', 'Ben Okri'), { secondFactor: false });
    const other = await openAsMember(web, 'admin', joined, '/admin/dashboard');
    const page = await openAsMember(web, 'admin', joined, '/admin/account');
    const card = page.getByRole('region', { name: 'Your sessions' });
    await card.getByText('This session').waitFor();
    await card.getByRole('columnheader', { name: 'Signed in' }).getByRole('button').click();
    await page.waitForURL('**/admin/account?sort=-started');
    const rows = card.locator('tbody tr');
    expect(await rows.first().innerText()).toContain('This session');
    await card.getByRole('button', { name: 'Export sessions' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await card.getByRole('button', { name: 'Sign out all others' }).click();
    await other.waitForURL('**/admin/login');
    await card.getByRole('button', { name: 'Sign out all others' }).waitFor({ state: 'detached' });
    await page.setViewportSize(PHONE);
    expect(await overflow(page)).toBe(0);
    await leave(other);
    await leave(page);
  });
});
