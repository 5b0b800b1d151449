import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTool, type Tool } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { IS_AT_LENGTH } from '../support/tiers.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, holdsFocus, openConsole, seed, type TestConsole } from './support/console.ts';
import { leave, navigate, PHONE } from './support/pages.ts';

/** The server evaluates the rules so often, ms. */
const EVALUATION_MS = 15_000;

let web: TestConsole;
let customerId: string;
let ada: Tool;
/** How far the server's clock is ahead, ms. */
let ahead = 0;

beforeAll(async () => {
  web = await openConsole({}, { now: () => Date.now() + ahead });
  const [customer] = (await seed(web.admin, ['Northwind Traders'])).customers;
  if (!customer) throw new Error('No customer was made');
  ({ id: customerId } = customer);
  ada = await asTool(web.url, customer, 'ada');
});
afterAll(() => web.close());

describe('alerts', () => {
  it('have rules that are created by keyboard, fire on every screen, and are changed and removed', async () => {
    const page = await web.openAsAdmin('/admin/monitoring');
    await page.getByRole('link', { name: 'Alerts' }).click();
    await page.waitForURL('**/admin/monitoring/alerts');
    const rules = page.getByRole('region', { name: 'Alert rules table' });
    await rules.getByRole('row', { name: /Error rate.*10% or more, for 5 min.*OK/ }).waitFor();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Create rule' }).focus();
    await page.keyboard.press('Enter');
    const dialog = dialogOf(page);
    await holdsFocus(dialog);
    await dialog.getByLabel('Name').focus();
    await page.keyboard.type('Any seat');
    await dialog.getByLabel('Metric').selectOption('seats');
    await dialog.getByText('Percent of the seats of one kind').waitFor();
    await dialog.getByLabel('Threshold').fill('many');
    await page.keyboard.press('Enter');
    await dialog.getByText('Must be a number').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('Threshold').fill('0.01');
    await dialog.getByLabel('Time').selectOption('0');
    await dialog.getByLabel('Name').focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await rules.getByRole('row', { name: /Any seat.*: 0.01% or more, immediately/ }).waitFor();

    ahead += EVALUATION_MS;
    const firing = page.getByRole('region', { name: 'Firing alerts' });
    await firing.getByText(/^Any seat: Northwind Traders uses [\d.]+% of its seats$/).waitFor();
    await rules.getByRole('row', { name: /Any seat.*Firing.*since/ }).waitFor();
    const alerts = page.getByRole('region', { name: 'Alerts table' });
    await alerts.getByRole('link', { name: 'Northwind Traders' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Northwind Traders' }).waitFor();
    await firing.getByRole('link', { name: 'Open alerts' }).click();
    await rules.getByRole('row', { name: /Any seat.*Firing/ }).waitFor();
    expect(await firing.getByRole('link', { name: /^Any seat/ }).getAttribute('href')).toBe(`/admin/customers/${customerId}`);
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);

    const [second] = (await seed(web.admin, ['Fabrikam'])).customers;
    if (!second) throw new Error('No customer was made');
    await asTool(web.url, second, 'eve');
    ahead += EVALUATION_MS;
    const both = 'Any seat: Fabrikam, Northwind Traders use 0.01% or more of their seats';
    expect(await firing.getByRole('link', { name: both }).getAttribute('href')).toBe('/admin/monitoring/alerts');
    await navigate(page, '/admin/monitoring/wallboard');
    const board = page.getByRole('dialog', { name: 'Wallboard' });
    for (const name of ['Now', 'API calls', 'Server']) {
      await board.getByRole('heading', { level: 1, name }).waitFor();
      await board.getByRole('list', { name: 'Failures' }).getByText(both).waitFor();
      expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('Escape');
    await page.waitForURL('**/admin/monitoring');
    await navigate(page, '/admin/monitoring/alerts');

    if (IS_AT_LENGTH) {
      await page.setViewportSize(PHONE);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.getByRole('list', { name: 'Alert rules table' }).getByText('Any seat').waitFor();
      expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
      await page.setViewportSize({ width: 1280, height: 800 });
    }

    await rules.getByRole('button', { name: 'Edit Any seat' }).click();
    await dialog.getByLabel('Threshold').fill('1000');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    ahead += EVALUATION_MS;
    await firing.getByText(/^Any seat/).waitFor({ state: 'detached' });
    await alerts.getByText('The rule was changed').first().waitFor();
    await rules.getByRole('button', { name: 'Remove Any seat' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await rules.getByRole('row', { name: /Any seat/ }).waitFor({ state: 'detached' });
    await holdsFocus(rules.getByRole('button', { name: 'Remove Error rate' }));
    await leave(page);
  });

  it('lead from the banner and from the list to the charts of their time', async () => {
    const call = { service: 'jira', instanceUrl: 'https://northwind.atlassian.net', operation: 'GET:/issue', durationMs: 40 };
    const calls = Array.from({ length: 40 }, (_, at) => ({ ...call, status: at === 0 ? 503 : 200 }));
    expect((await ada.post('/api/cli/api-calls', { sourceId: 'laptop', firstSequence: 1, calls })).status).toBe(202);
    await eventually(
      async () => (await web.admin.get('/api/admin/calls')).body.calls.length,
      (count) => count === 40,
    );
    const rule = { name: 'Any failure', metric: 'error_rate', threshold: 0.01, forSeconds: 0 };
    expect((await web.admin.post('/api/admin/alert-rules', rule)).status).toBe(201);
    ahead += EVALUATION_MS;
    const page = await web.openAsAdmin('/admin/customers');
    const banner = page.getByRole('region', { name: 'Firing alerts' }).getByRole('link', { name: 'Any failure: Error rate 2.5%' });
    await banner.click();
    await page.waitForURL('**/admin/monitoring?from=*&to=*');
    const { alerts } = (await web.admin.get('/api/admin/alerts')).body;
    const { firedAt } = alerts.find(({ name }: { name: string }) => name === 'Any failure');
    const periodOf = (text: string) => {
      const { searchParams } = new URL(text, web.url);
      return { from: searchParams.get('from') ?? '', to: searchParams.get('to') ?? '' };
    };
    const { from, to } = periodOf(page.url());
    expect([from < firedAt, firedAt <= to]).toEqual([true, true]);
    await page.getByRole('button', { name: 'Back to 15 min' }).waitFor();
    await navigate(page, '/admin/monitoring/alerts');
    const link = page.getByRole('region', { name: 'Alerts table' }).getByRole('link', { name: 'Any failure' });
    expect(periodOf((await link.getAttribute('href')) ?? '').from).toBe(from);

    const table = page.getByRole('region', { name: 'Alerts table' });
    const rowAt = (at: number) => () => table.locator('tbody tr').nth(at).innerText();
    const header = (name: string) => table.getByRole('columnheader', { name });
    await header('Alert').getByRole('button').click();
    await page.waitForURL('**/admin/monitoring/alerts?alerts=alert');
    await expect.poll(rowAt(0)).toContain('Any failure');
    await header('Alert').getByRole('button').click();
    await expect.poll(rowAt(-1)).toContain('Any failure');
    await header('Resolved').getByRole('button').click();
    await page.waitForURL('**/admin/monitoring/alerts?alerts=-resolved');
    await expect.poll(rowAt(0)).toContain('Firing');
    expect(await header('Resolved').getAttribute('aria-sort')).toBe('descending');
    // The rules have an order of their own.
    await page.getByRole('region', { name: 'Alert rules table' }).getByRole('button', { name: 'Name' }).click();
    await page.waitForURL('**/admin/monitoring/alerts?alerts=-resolved&sort=name');
    await leave(page);
  });
});
