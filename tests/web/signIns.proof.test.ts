import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asCustomer, asIntegrator, clientOf } from '../support/apiClient.ts';
import { invite, join } from '../support/members.ts';
import { overflow, violations } from './support/axe.ts';
import { exportAs, openConsole, seed, type TestConsole } from './support/console.ts';
import { openAsMember } from './support/members.ts';
import { leave, PHONE } from './support/pages.ts';

let web: TestConsole;
let partner: ServiceIntegrator;
const guess = (licenseKey = 'LK-ENT-0000-00000', address = '203.0.113.9') =>
  clientOf(web.url).post('/api/auth/customer/login', { licenseKey }, { headers: { 'x-forwarded-for': address } });

beforeAll(async () => {
  web = await openConsole({ TRUST_PROXY: 'loopback' });
  const { integrator, customers } = await seed(web.admin, ['Northwind Traders']);
  partner = integrator;
  if (!customers[0]) throw new Error('No customer was made');
  await asCustomer(web.url, customers[0]);
  await guess();
});
afterAll(() => web.close());

const SCREEN = '/admin/team/sign-ins';

describe('sign-ins', () => {
  it('are linked from Monitoring and from the search', async () => {
    const page = await web.openAsAdmin('/admin/monitoring');
    await page.getByRole('link', { name: 'Sign-ins' }).click();
    await page.waitForURL(`**${SCREEN}`);
    await page.getByRole('heading', { level: 1, name: 'Sign-ins' }).waitFor();
    const menu = page.getByRole('navigation', { name: 'Main' });
    expect(await menu.getByRole('link', { name: 'Security', exact: true }).getAttribute('aria-current')).toBe('page');
    await page.goto('/admin/monitoring/sign-ins?outcome=rejected');
    await page.waitForURL(`**${SCREEN}?outcome=rejected`);
    await page.getByRole('button', { name: 'Rejected', pressed: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('sign');
    await page.getByRole('option', { name: 'Sign-ins' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${SCREEN}`);
    await leave(page);
  });

  it('show who signed in from where, and appear live', async () => {
    const page = await web.openAsAdmin(SCREEN);
    const table = page.getByRole('region', { name: 'Sign-ins table' });
    await table.getByRole('row', { name: /Rejected.*Unknown license key.*203\.0\.113\.9/ }).waitFor();
    await table.getByRole('row', { name: /Accepted.*Customer.*Northwind Traders.*127\.0\.0\.1/ }).waitFor();
    await page.locator('[data-live=live]').waitFor();
    const chart = page.getByRole('region', { name: 'Sign-ins over time' });
    await chart.locator('svg.recharts-surface').waitFor();
    const rejected = () =>
      chart
        .getByRole('row')
        .evaluateAll((rows) => rows.slice(1).reduce((sum, row) => sum + Number(row.children[2]?.textContent), 0));
    await expect.poll(rejected).toBe(1);
    await guess('LK-ENT-0000-00001', '198.51.100.7');
    await table.getByRole('row', { name: /Rejected.*Key.*198\.51\.100\.7/ }).waitFor();
    await expect.poll(rejected).toBe(2);
    await table.getByRole('link', { name: 'Northwind Traders' }).click();
    await page.getByRole('heading', { level: 1, name: 'Northwind Traders' }).waitFor();
    await leave(page);
  });

  it('are filtered by audience, outcome and address', async () => {
    const page = await web.openAsAdmin(SCREEN);
    const rows = page.getByRole('region', { name: 'Sign-ins table' }).locator('tbody tr');
    await page.getByRole('group', { name: 'Filter by outcome' }).getByRole('button', { name: 'Rejected' }).click();
    await page.waitForURL('**outcome=rejected**');
    await page.getByText('2 of 2 sign-ins').waitFor();
    await page.getByLabel('Search sign-ins').fill('198.51');
    await page.getByText('1 of 1 sign-ins').waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    const chart = page.getByRole('region', { name: 'Sign-ins over time' });
    await expect.poll(() => chart.getByRole('row').count()).toBe(2);
    await page.getByLabel('To', { exact: true }).fill('2020-01-31');
    await page.waitForURL('**to=2020-01-31**');
    await page.getByText('No sign-ins found').waitFor();
    await page.getByLabel('To', { exact: true }).fill('');
    await page.getByText('1 of 1 sign-ins').waitFor();
    await page.getByLabel('Filter by audience').selectOption('CLI');
    await page.getByText('No sign-ins found').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('region', { name: 'Sign-ins table' }).waitFor();
    await leave(page);
  });

  it('to its own account are shown to a service integrator, with its activity by user, and exported', async () => {
    const ana = await join(web.url, await invite(await asIntegrator(web.url, partner), 'owner'), { secondFactor: false });
    const page = await openAsMember(web, 'integrator', { ...ana, secret: null }, '/service-integrator/team');
    const tabs = page.getByRole('navigation', { name: 'Security' });
    await tabs.getByRole('link', { name: 'Activity' }).waitFor();
    await expect
      .poll(() => tabs.getByRole('link').allInnerTexts())
      .toEqual(['Team', 'Sign-ins', 'Sessions', 'API tokens', 'Activity']);
    await page.getByRole('banner').getByText('Ana Ruiz (owner)', { exact: true }).waitFor();
    await tabs.getByRole('link', { name: 'Sign-ins' }).click();
    const table = page.getByRole('region', { name: 'Sign-ins table' });
    await table.getByRole('row', { name: /Accepted.*Contoso Partners.*Ana Ruiz.*127\.0\.0\.1/ }).waitFor();
    expect(await table.getByText('Northwind Traders').count()).toBe(0);
    expect((await exportAs(page, 'CSV')).suggestedFilename()).toMatch(/^sign-ins-contoso-partners-\d{4}-\d\d-\d\d\.csv$/);
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Filter by user').selectOption({ label: 'Ana Ruiz' });
    await page.waitForURL(`**user=${ana.userId}**`);
    await page.getByText('1 of 1 sign-ins').waitFor();
    await page.getByText('Kept for 90 days').waitFor();
    await tabs.getByRole('link', { name: 'Activity' }).click();
    await page.getByText('Ana Ruiz joined').waitFor();
    await page.getByLabel('Author').selectOption({ label: 'Ana Ruiz (owner)' });
    await page.waitForURL(`**actor=${ana.userId}**`);
    await page.getByText('by Ana Ruiz (owner), 127.0.0.1').first().waitFor();
    await page.getByText('was invited as owner').waitFor({ state: 'detached' });
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await overflow(page)).toBe(0);

    await leave(page);
  });

  it('have no accessibility violation in light and dark mode, with and without rows, and fit a phone', async () => {
    for (const path of [SCREEN, `${SCREEN}?search=nothing`]) {
      const page = await web.openAsAdmin(path);
      await page
        .getByText(path === SCREEN ? '203.0.113.9' : 'No sign-ins found')
        .first()
        .waitFor();
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize(PHONE);
      expect(await overflow(page)).toBe(0);
      expect(await violations(page)).toEqual([]);
      await leave(page);
    }
  });

  it('ran without an error on any page', () => expect(web.pageErrors).toEqual([]));
});
