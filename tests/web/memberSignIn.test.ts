import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asIntegrator, newIntegrator } from '../support/apiClient.ts';
import { codeOf, invite, type Joined, join, PASSWORD } from '../support/members.ts';
import { itAtLength } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { openConsole, type TestConsole, titleOf } from './support/console.ts';
import { pressOn } from './support/keyboard.ts';
import { signInAs } from './support/members.ts';
import { leave, PHONE } from './support/pages.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let operator: Joined;
let manager: Joined;

beforeAll(async () => {
  web = await openConsole();
  integrator = await newIntegrator(web.admin, { companyName: 'Contoso Partners' });
  const partner = await asIntegrator(web.url, integrator);
  operator = await join(web.url, await invite(web.admin, 'operator'));
  manager = await join(web.url, await invite(partner, 'manager'), { secondFactor: false });
});
afterAll(() => web.close());

describe('the sign-in of a named user', () => {
  itAtLength('is reached from the sign-in by key, and back', async () => {
    const page = await web.open('/admin/login');
    await page.getByLabel('Admin Key').waitFor();
    await page.getByRole('link', { name: 'Sign in with your account' }).click();
    await page.getByLabel('Email address').waitFor();
    expect(await page.getByLabel('Admin Key').count()).toBe(0);
    await page.getByRole('link', { name: 'Sign in with the admin key' }).click();
    await page.getByLabel('Admin Key').waitFor();
    await leave(page);
  });

  itAtLength('is offered to customers, also with OpenID Connect', async () => {
    const page = await web.open('/portal/login');
    await page.getByLabel('License key').waitFor();
    await page.getByRole('link', { name: 'Sign in with your account' }).click();
    await page.getByLabel('Email address').waitFor();
    await page.getByRole('link', { name: /OpenID/ }).waitFor();
    await leave(page);
  });

  it('asks for a code only after the right password, works by keyboard, and opens the requested screen', async () => {
    const page = await web.open('/admin/monitoring');
    await page.waitForURL('**/admin/login');
    await page.getByRole('link', { name: 'Sign in with your account' }).press('Enter');
    const email = page.getByLabel('Email address');
    const password = page.getByLabel('Password', { exact: true });
    expect(await email.getAttribute('autocomplete')).toBe('username');
    expect(await password.getAttribute('autocomplete')).toBe('current-password');
    await page.getByRole('button', { name: 'Sign in' }).press('Enter');
    await page.getByText('Please enter your email address').waitFor();
    await email.fill(operator.email);
    await password.fill('another password');
    await password.press('Enter');
    await page.getByText('The email address or the password is wrong').waitFor();
    expect(await page.getByLabel('Code').count()).toBe(0);
    await password.fill(PASSWORD);
    await password.press('Enter');
    const code = page.getByLabel('Code');
    await code.waitFor();
    expect(await code.getAttribute('autocomplete')).toBe('one-time-code');
    await expect.poll(() => code.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.getByText('The code is wrong or was used already.').waitFor();
    await code.fill(codeOf(operator.secret ?? ''));
    await code.press('Enter');
    await page.waitForURL('**/admin/monitoring');
    await page.getByRole('link', { name: `${operator.email} Ana Ruiz (operator), your account` }).waitFor();
    await leave(page);
  });

  itAtLength('accepts a recovery code in place of a code', async () => {
    const page = await web.open('/admin/login#account');
    await page.getByLabel('Email address').fill(operator.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code').fill(operator.recoveryCodes[0] ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/admin/dashboard');
    await leave(page);
  });

  itAtLength('opens the area of a service integrator without a code, where none is set up', async () => {
    const page = await web.open('/service-integrator/login#account');
    await signInAs(page, manager);
    await page.waitForURL('**/service-integrator/dashboard');
    await page.getByText('Contoso Partners').first().waitFor();
    await leave(page);
  });

  itAtLength('asks where to sign in when the password belongs to two accounts, by keyboard', async () => {
    const other = await asIntegrator(web.url, await newIntegrator(web.admin, { companyName: 'Adatum Partners' }));
    const { body } = await other.post('/api/team/members', { name: 'Ana Ruiz', email: manager.email, role: 'manager' });
    const token = String(body.path).replace('/join#', '');
    await join(web.url, { userId: body.member.userId, email: manager.email, token }, { secondFactor: false });
    const page = await web.open('/service-integrator/login#account', { viewport: PHONE });
    await signInAs(page, manager);
    const choice = page.getByLabel('Sign in to');
    await choice.waitFor();
    await expect.poll(() => choice.evaluate((field) => field === document.activeElement)).toBe(true);
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await page.keyboard.type('Contoso');
    await pressOn(page, page.getByRole('button', { name: 'Sign in', exact: true }));
    await page.waitForURL('**/service-integrator/dashboard');
    await page.getByText('Contoso Partners').first().waitFor();
    await leave(page);
  });

  itAtLength('has no accessibility violation in light and dark mode, and fits a phone', async () => {
    const page = await web.open('/admin/login#account', { viewport: PHONE });
    await titleOf(page).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Email address').fill(operator.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
