import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as pathOf } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { runAdminTool } from '../support/adminTool.ts';
import { asTool } from '../support/apiClient.ts';
import { asAdminMember, invite, join } from '../support/members.ts';
import { overflow, violations } from './support/axe.ts';
import { dialogOf, openConsole, seed, type TestConsole, titleOf, toastsOf } from './support/console.ts';
import { leave } from './support/pages.ts';

const FAILING = 'POST:/comment';

let web: TestConsole;
let customer: Customer;
let directory: string;

/** Calls of a user of the customer: some successful ones, and failed ones of one operation. */
const record = async (username: string, failed: number): Promise<void> => {
  const tool = await asTool(web.url, customer, username);
  const call = { service: 'jira', instanceUrl: 'https://northwind.atlassian.net', durationMs: 40 };
  const calls = [
    ...Array.from({ length: 3 }, () => ({ ...call, operation: 'GET:/issue', status: 200 })),
    ...Array.from({ length: failed }, () => ({ ...call, operation: FAILING, status: 503 })),
  ];
  const { status } = await tool.post('/api/cli/api-calls', { sourceId: username, firstSequence: 1, calls });
  expect(status).toBe(202);
};

beforeAll(async () => {
  directory = await mkdtemp(pathOf(tmpdir(), 'latchkey-story-'));
  web = await openConsole();
  const { customers } = await seed(web.admin, ['Northwind Traders', 'Tailspin Toys']);
  customer = customers[0] as Customer;
  await record('ada', 12);
  await record('bob', 1);
  const operator = await join(web.url, await invite(web.admin, 'operator', 'Olga Berg'), { secondFactor: false });
  const olga = await asAdminMember(web.url, operator);
  const { name, contactEmail } = customer;
  const suspended = { name, contactEmail, status: 'suspended', reason: 'Floods Jira with failing calls' };
  expect((await olga.put(`/api/admin/customers/${customer.id}`, suspended)).status).toBe(200);
});
afterAll(async () => {
  await web.close();
  await rm(directory, { recursive: true, force: true });
});

/** Divides the charts and limits them to a part. */
const choosePart = async (page: Page, by: string, part: string): Promise<void> => {
  await page.getByLabel('Break down by').selectOption(by);
  // The newest minute is drawn once some seconds of it are over.
  await page
    .getByRole('region', { name: 'Breakdown' })
    .getByRole('button', { name: `Show only ${part}`, exact: true })
    .click({ timeout: 45_000 });
};

const callRows = (page: Page) => page.getByRole('region', { name: 'API calls table' }).getByRole('row', { name: /503/ });

/** Verifies an export as an auditor does who has only the file and the public key. */
const verify = async (content: Uint8Array): Promise<{ code: number | null; out: string }> => {
  const [file, key] = [pathOf(directory, 'export.ndjson'), pathOf(directory, 'latchkey.keys')];
  await writeFile(file, content);
  await writeFile(key, await (await fetch(`${web.url}/.well-known/latchkey/keys`)).text());
  const { code, out } = await runAdminTool(['--json', 'audit', 'verify', file, '--key', key], {});
  return { code, out };
};

describe('an error spike', () => {
  it('leads to customer, operation, user, calls, the suspension and its author, is reverted, and is proven offline', async () => {
    const page = await web.openAsAdmin('/admin/monitoring');
    await choosePart(page, 'outcome', '5xx');
    await choosePart(page, 'customer', 'Northwind Traders');
    await choosePart(page, 'operation', FAILING);
    const annotations = page.getByRole('region', { name: 'Events in this period' });
    await annotations.getByText('Olga Berg').waitFor();

    await page.getByRole('link', { name: 'API calls' }).click();
    await page.getByText('13 API calls').waitFor();
    await callRows(page).filter({ hasText: 'ada' }).first().getByRole('button').first().click();
    await dialogOf(page).getByRole('button', { name: 'Filter by this user' }).click();
    await page.getByText('12 API calls').waitFor();
    await callRows(page).first().getByRole('button').first().click();
    await dialogOf(page).getByRole('link', { name: 'Changes of the customer on this day' }).waitFor();
    expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
    await dialogOf(page).getByRole('link', { name: 'Changes of the customer on this day' }).click();

    await titleOf(page).getByText('Audit').waitFor();
    await page.getByRole('link', { name: /was suspended: Floods Jira/ }).click();
    const entry = page.getByRole('dialog', { name: 'Entry' });
    await entry.getByText('Olga Berg').waitFor();
    expect(await violations(page)).toEqual([]);
    await entry.getByRole('button', { name: 'Show only this: Author' }).click();
    await entry.waitFor({ state: 'detached' });
    await page.getByText('Northwind Traders was registered').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('main li[data-type]').count()).toBe(1);

    // The mark of the charts leads to the same entry.
    await page.getByRole('navigation').getByRole('link', { name: 'Monitoring', exact: true }).click();
    await annotations.getByRole('link', { name: /suspended/ }).click();
    await entry.getByRole('button', { name: 'Revert', exact: true }).click();
    const asking = page.getByRole('alertdialog', { name: 'Revert this change?' });
    await asking.getByRole('button', { name: 'Revert' }).click();
    await toastsOf(page).getByText('Change reverted').waitFor();
    await entry.getByText('Reverted by').waitFor();
    expect(await entry.getByRole('button', { name: 'Revert', exact: true }).count()).toBe(0);
    expect((await web.admin.get(`/api/admin/customers/${customer.id}`)).body.customer.status).toBe('active');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('button', { name: 'Verified export' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialogOf(page).getByRole('button', { name: 'Export' }).click(),
    ]);
    const exported = await readFile(await file.path());
    expect(await verify(exported)).toMatchObject({ code: 0, out: expect.stringContaining('"verified":true') });
    const at = exported.indexOf('Floods');
    expect(at).toBeGreaterThan(0);
    const forged = Buffer.from(exported);
    forged[at] = 'f'.charCodeAt(0);
    expect(await verify(forged)).toMatchObject({ code: 1, out: expect.stringContaining('"verified":false') });
    await leave(page);
  });
});
