import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asTool, clientOf, newCustomer, type Tool, toolLoginOf } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { IS_AT_LENGTH, itAtLength } from '../support/tiers.ts';
import { openToolSocket } from '../support/toolSocket.ts';
import { overflow, tooWideTables, violations } from './support/axe.ts';
import { dialogOf, holdsFocus, openConsole, seed, type TestConsole, titleOf, toastsOf } from './support/console.ts';
import { leave, PHONE } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;
let ada: Tool;

beforeAll(async () => {
  web = await openConsole();
  ({ integrator } = await seed(web.admin, []));
  customer = await newCustomer(web.admin, integrator.id, { name: 'Northwind', developerSeats: 2, stakeholderSeats: -1 });
  ada = await asTool(web.url, customer, 'ada');
  await asTool(web.url, customer, 'bob');
});
afterAll(() => web.close());

describe('the seats of a customer', () => {
  it('are shown live to administrators, who filter and release them', async () => {
    const page = await web.openAsAdmin(`/admin/customers/${customer.id}`);
    await page.getByRole('link', { name: 'Seats', exact: true }).click();
    await page.waitForURL(`**/admin/customers/${customer.id}/seats`);
    await page.getByText('Who holds the seats of Northwind').waitFor();
    const table = page.getByRole('table');
    const row = (name: string) => table.getByRole('row').filter({ hasText: name });
    await row('bob').waitFor();
    await page.getByText('All seats of a kind are taken. Release one, or allocate more.').waitFor();
    await page.locator('[data-live="live"]').waitFor();
    expect(await violations(page)).toEqual([]);

    const refused = await clientOf(web.url).post('/api/cli/login', toolLoginOf(customer, 'eve', 'machine-of-eve'));
    expect(refused.body.code).toBe('seat_limit_reached');
    const denials = page.getByRole('region', { name: 'Denied seats of the last 7 days' });
    await denials.getByText('1 person was denied a developer seat in the last 7 days: no seat was free (1 attempt)').waitFor();
    const audit = denials.getByRole('link', { name: 'Show in the audit' });
    expect(await audit.getAttribute('href')).toBe(`/admin/audit?customer=${customer.id}&types=SeatDenied`);

    const utilization = page.getByRole('region', { name: 'Utilization' });
    await utilization.getByText(/^Days in /).waitFor();
    const developers = utilization.getByRole('region', { name: 'Daily use of developer seats' });
    const asTable = developers.getByRole('table', { name: 'Daily use of developer seats as a table' });
    await asTable.getByRole('row').filter({ hasText: '1' }).nth(0).waitFor();
    const today = asTable.getByRole('row').nth(1).getByRole('cell');
    await eventually(
      () => today.allTextContents(),
      ([peak, , limit, denied]) => peak === '2' && limit === '2' && denied === '1',
    );
    await developers.getByText('At the limit now: 2 of 2 developer seats are taken.').waitFor();
    await utilization.getByText('Unlimited: there is no limit to reach.').waitFor();
    await developers.locator('svg.recharts-surface[tabindex="0"]').focus();
    if (IS_AT_LENGTH) {
      await utilization.getByRole('button', { name: '1 year' }).click();
      await page.waitForURL(/days=365&zone=/);
      await utilization.getByRole('button', { name: 'Custom' }).click();
      await utilization.getByLabel('From').fill('2020-01-01');
      await utilization.getByLabel('To').fill('2020-01-31');
      await page.waitForURL(/from=2020-01-01&to=2020-01-31/);
      await developers.getByText('There is nothing to show in this range: the customer was created later.').waitFor();
      expect(await violations(page)).toEqual([]);
      await utilization.getByRole('button', { name: '30 days' }).click();
    }

    await page.getByRole('button', { name: 'View', exact: true }).click();
    const view = page.getByRole('group', { name: 'View' });
    await view.getByLabel('Machine').uncheck();
    await table.getByRole('columnheader', { name: 'Machine' }).waitFor({ state: 'detached' });
    await view.getByRole('button', { name: 'Reset view' }).click();
    await table.getByRole('columnheader', { name: 'Machine' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Saved filters' }).waitFor();

    const socket = await openToolSocket(web.url, ada.token);
    await row('ada').getByText('Connected').waitFor();
    await ada.post('/api/cli/api-calls', {
      sourceId: 'laptop',
      firstSequence: 1,
      calls: [{ service: 'jira', instanceUrl: 'https://a.example', operation: 'GET:/', status: 200, durationMs: 4 }],
    });
    await eventually(
      () => row('ada').getByText('Never').count(),
      (never) => never === 0,
    );
    await socket.close();
    await row('ada').getByText('Connected').waitFor({ state: 'detached' });

    await page.getByRole('searchbox', { name: 'Search seats' }).fill('bo');
    await page.waitForURL(/[?&]search=bo$/);
    await row('ada').waitFor({ state: 'detached' });
    await row('bob').getByRole('button', { name: 'Release the seat of bob' }).click();
    const asking = page.getByRole('alertdialog', { name: 'Release the seat of bob?' });
    await asking.getByText('The developer seat will be released.').waitFor();
    expect(await violations(page)).toEqual([]);
    await asking.getByRole('button', { name: 'Release' }).click();
    await toastsOf(page).getByText('bob is inactive').waitFor();
    await page.getByText('No seats found').waitFor();
    await holdsFocus(page.getByRole('button', { name: 'Clear filters' }));
    await toastsOf(page).getByRole('button', { name: 'Undo' }).click();
    await row('bob').waitFor();
    await row('bob').getByText('bob', { exact: true }).click();
    await dialogOf(page).getByText('Deactivating, suspending or removing the user releases the seat.').waitFor();
    expect(await violations(page)).toEqual([]);
    await leave(page);
  });

  it('are released together after a preview: those that float become free, and the users of others inactive', async () => {
    const license = await newCustomer(web.admin, integrator.id, { name: 'Tailspin', developerSeats: 5, stakeholderSeats: 5 });
    for (const name of ['ada', 'bob']) await asTool(web.url, license, name);
    const page = await web.openAsAdmin(`/admin/customers/${license.id}/seats`);
    const selected = page.getByRole('region', { name: 'Selected', exact: true });
    const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).check();
    const release = async (): Promise<Locator> => {
      await selected.getByRole('button', { name: 'Release' }).click();
      return page.getByRole('dialog', { name: 'Release seats' });
    };
    const close = async (dialog: Locator, done: string): Promise<void> => {
      await dialog.getByText(done, { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Close' }).first().click();
      await selected.waitFor({ state: 'detached' });
      await page.getByText('No seat is taken').waitFor();
      await holdsFocus(page.getByRole('searchbox', { name: 'Search seats' }));
    };
    const statusesOf = async (): Promise<string[]> =>
      (await web.admin.get(`/api/admin/users?customerId=${license.id}&sort=username`)).body.users.map(
        ({ status }: { status: string }) => status,
      );
    for (const name of ['ada', 'bob']) await select(name);
    const named = await release();
    const effects = named.getByRole('list', { name: 'Effects' });
    await effects.getByText("2 users can't sign in until you activate them.").waitFor();
    await effects.getByText('2 developer seats will be released.').waitFor();
    expect(await violations(page)).toEqual([]);
    await named.getByRole('button', { name: 'Release 2 seats' }).click();
    await close(named, '2 of 2 done');
    expect(await statusesOf()).toEqual(['inactive', 'inactive']);

    const { id, name, contactEmail } = license;
    const { users } = (await web.admin.get(`/api/admin/users?customerId=${id}`)).body;
    for (const user of users) await web.admin.put(`/api/admin/users/${user.id}/status`, { status: 'active' });
    await web.admin.put(`/api/admin/customers/${id}`, { name, contactEmail, floatingDeveloperMinutes: 15 });
    const socket = await openToolSocket(web.url, (await asTool(web.url, license, 'ada')).token);
    await select('ada');
    const floating = await release();
    await floating.getByText('1 floating seat becomes free. Its user stays active.').waitFor();
    await floating.getByText('1 user will be disconnected.').waitFor();
    await floating.getByText('Becomes free', { exact: true }).waitFor();
    await floating.getByRole('button', { name: 'Release 1 seat' }).click();
    await close(floating, '1 of 1 done');
    await socket.closed;
    expect(await statusesOf()).toEqual(['active', 'active']);
    await leave(page);
  });

  itAtLength('are released automatically after the days that the integrator sets, with a preview', async () => {
    const page = await openAsIntegrator(web, integrator, `/service-integrator/customers/${customer.id}`);
    await page.getByRole('button', { name: 'Edit Customer' }).click();
    const dialog = dialogOf(page);
    const days = dialog.getByLabel('Release idle seats after (days)');
    await days.fill('30');
    await dialog.getByText('No seat has been idle for 30 days.').waitFor();
    expect(await violations(page)).toEqual([]);
    await days.fill('400');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByText('Must be at most 365').waitFor();
    await days.fill('30');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('After 30 days').waitFor();
    await leave(page);
  });

  itAtLength('float by leases where the integrator sets it: who holds one is shown live, and is released by hand', async () => {
    const shared = await newCustomer(web.admin, integrator.id, { name: 'Contoso', developerSeats: 2 });
    const tools = [await asTool(web.url, shared, 'ada'), await asTool(web.url, shared, 'bob')] as const;
    const page = await openAsIntegrator(web, integrator, `/service-integrator/customers/${shared.id}`);
    const minutes = () => dialogOf(page).getByLabel('Floating seats, free after (minutes)');
    const save = () => dialogOf(page).getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('button', { name: 'Edit Customer' }).click();
    await minutes().fill('2000');
    await save();
    await dialogOf(page).getByText('Must be at most 1440').waitFor();
    await minutes().fill('15');
    await dialogOf(page).getByText('2 users share 2 seats. A seat becomes free 15 minutes after the last use.').waitFor();
    expect(await violations(page)).toEqual([]);
    await save();
    await page.getByText('Free 15 minutes after the last use').waitFor();

    await page.getByRole('link', { name: 'Seats', exact: true }).click();
    const figures = page.getByRole('region', { name: 'Developer seats', exact: true });
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await page.getByText('No seat is taken').waitFor();
    await page.locator('[data-live="live"]').waitFor();
    const socket = await openToolSocket(web.url, tools[0].token);
    await row('ada').getByText('Held while connected').waitFor();
    expect((await clientOf(web.url).post('/api/cli/login', toolLoginOf(shared, 'fay', 'machine-of-fay'))).status).toBe(200);
    await row('fay').locator('time').nth(2).waitFor();
    expect(await tooWideTables(page)).toEqual([]);
    await figures.locator('[data-stat="Available"]').getByText('0', { exact: true }).waitFor();
    await page.getByText('3 active users share the floating developer seats.').waitFor();
    const refused = await clientOf(web.url).post('/api/cli/login', toolLoginOf(shared, 'bob', 'machine-of-bob'));
    expect(refused.body.code).toBe('seat_limit_reached');
    const denials = page.getByRole('region', { name: 'Denied seats of the last 7 days' });
    await denials.getByText('1 person was denied a developer seat in the last 7 days: no seat was free (1 attempt)').waitFor();
    expect(await violations(page)).toEqual([]);

    await row('ada').getByRole('button', { name: 'Release the seat of ada' }).click();
    const asking = page.getByRole('alertdialog', { name: 'Release the seat of ada?' });
    await asking.getByText('The connected CLI will be disconnected.').waitFor();
    await asking.getByRole('button', { name: 'Release' }).click();
    await toastsOf(page).getByText('The floating seat of ada is free').waitFor();
    await row('ada').waitFor({ state: 'detached' });
    await socket.closed;
    await row('fay').getByText('fay', { exact: true }).click();
    await dialogOf(page).getByText('Releasing disconnects the tool.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto('/service-integrator/customers');
    const card = page.getByRole('list', { name: 'Customers' }).getByRole('listitem', { name: 'Contoso' });
    await card.getByRole('img', { name: /^Developer Seats: 1 of 2 used/ }).waitFor(); // of three active users
    await leave(page);

    const portal = await openAsCustomer(web, shared, '/portal/users/seats', { viewport: PHONE });
    const item = portal.getByRole('list', { name: 'Seats' }).getByRole('listitem');
    await item.getByText('Free at').waitFor();
    const connected = await openToolSocket(web.url, (await asTool(web.url, shared, 'fay')).token);
    await item.getByText('Held while connected').waitFor();
    connected.close();
    await item.getByText('Free at').waitFor();
    expect(await overflow(portal)).toBe(0);
    expect(await violations(portal)).toEqual([]);
    await item.getByRole('button', { name: 'Release the seat of fay' }).click();
    await portal.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click();
    await portal.getByText('No seat is taken').waitFor();
    await portal.getByRole('link', { name: 'Show who was denied' }).click();
    await portal.waitForURL('**/portal/team/activity?type=SeatDenied');
    await portal.getByText('bob got no developer seat: no seat was free').first().waitFor();
    await leave(portal);
  });

  itAtLength('become named again by an administrator, after a warning about the users above the limit', async () => {
    const shared = await newCustomer(web.admin, integrator.id, { name: 'Fabrikam', developerSeats: 1 });
    const { id, name, contactEmail } = shared;
    await web.admin.put(`/api/admin/customers/${id}`, { name, contactEmail, floatingDeveloperMinutes: 5 });
    const [one, other] = [await asTool(web.url, shared, 'ada'), 'bob'];
    await one.post('/api/cli/seat/release', {});
    await asTool(web.url, shared, other);
    const page = await web.openAsAdmin(`/admin/customers/${id}`);
    await page.getByText('Free 5 minutes after the last use').waitFor();
    await page.getByRole('button', { name: 'Edit Customer' }).click();
    // The note follows the last line of the label.
    const label = dialogOf(page).locator('label').filter({ hasText: 'Floating seats, free after (minutes)' });
    const ends = await Promise.all([label, label.locator('+ span')].map((one) => one.boundingBox()));
    const [labelEnd = 0, noteEnd = 0] = ends.map((box) => (box ? box.y + box.height : undefined));
    expect(noteEnd - labelEnd).toBeGreaterThan(-2);
    await dialogOf(page).getByLabel('Floating seats, free after (minutes)').fill('');
    await dialogOf(page).getByText('2 users get a seat of their own. That is 1 more than the limit').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Save changes' }).click();
    const warning = page.getByRole('alertdialog', { name: 'Give each developer of Fabrikam a named seat?' });
    await warning.getByText('1 user exceeds the limit of 1 developer seat.').waitFor();
    await warning.getByText('ada and bob').waitFor();
    expect(await violations(page)).toEqual([]);
    await warning.getByRole('button', { name: 'Use named seats' }).click();
    await page.getByText('Free 5 minutes after the last use').waitFor({ state: 'detached' });
    await leave(page);
  });

  itAtLength('are listed in the portal on a phone, and not found of an unknown customer', async () => {
    const page = await openAsCustomer(web, customer, '/portal/users', { viewport: PHONE });
    await page.getByRole('link', { name: 'Seats', exact: true }).click();
    await page.getByText('At the limit now: 2 of 2 developer seats are taken.').waitFor();
    await page.getByRole('list', { name: 'Seats' }).getByText('ada', { exact: true }).waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await leave(page);
    const missing = await openAsIntegrator(
      web,
      integrator,
      '/service-integrator/customers/99999999-9999-4999-8999-999999999999/seats',
    );
    await missing.getByText('It may have been deleted or moved to another service integrator').waitFor();
    expect(await missing.getByRole('link', { name: 'Back to customers' }).getAttribute('href')).toBe(
      '/service-integrator/customers',
    );
    expect(await titleOf(missing).textContent()).toBe('Customer not found');
    await leave(missing);
  });
});
