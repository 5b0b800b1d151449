import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../src/cli/exit.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { DAY_MS, dayOf, daysUntil, HOUR_MS, MINUTE_MS } from '../../src/domain/time.ts';
import { asAdmin } from '../support/apiClient.ts';
import { type CliUser, createCliUser, ONE_CALL, type Ran } from '../support/cliUser.ts';
import { until } from '../support/eventually.ts';
import { violations } from './support/axe.ts';
import { chooseIntegrator, dialogOf, openConsole, seed, type TestConsole, toastsOf } from './support/console.ts';
import { leave } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

/** The clock of the server and of the tool; that of the browser stays. */
let ahead = 0;
const now = () => Date.now() + ahead;

/** Waits until the last uses of the sessions of open pages are written: a jump of the clock before that would end them as unused. */
const usesWritten = async (): Promise<void> => {
  const { db } = web.server.product;
  await until(async () => {
    const stale = db.selectFrom('auth.session').select('token_hash').where('kind', 'in', ['customer', 'integrator']);
    const rows = await stale.where('last_seen_at', '<', new Date(now() - HOUR_MS)).execute();
    return rows.length === 0;
  });
};

/** Moves the clock to a time after an instant. */
const moveTo = async (instant: string, differenceMs: number): Promise<void> => {
  await usesWritten();
  ahead = Date.parse(instant) + differenceMs - Date.now();
};

let web: TestConsole;
let integrator: ServiceIntegrator;
let cliUser: CliUser;

beforeAll(async () => {
  [web, cliUser] = await Promise.all([openConsole({}, { now }), createCliUser()]);
  ({ integrator } = await seed(web.admin, ['Northwind Traders']));
  const trial = { code: 'TRY', name: 'Trial', developerSeats: 3, stakeholderSeats: 1, termMonths: 1, graceDays: 1, isTrial: true };
  expect((await web.admin.post('/api/admin/plans', trial)).status).toBe(201);
});
afterAll(async () => {
  await web.close();
  await cliUser.leave();
});

/** An administrator creates the customer from the plan. */
const createTrial = async (): Promise<Customer> => {
  const page = await web.openAsAdmin('/admin/customers');
  await page.getByRole('button', { name: 'Create customer' }).first().click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('Customer name').fill('Trial Traders');
  await dialog.getByLabel('Contact email').fill('it@trial.example');
  await dialog.getByLabel('Plan').selectOption('TRY');
  await chooseIntegrator(dialog, integrator.companyName);
  await dialog.getByRole('button', { name: 'Create customer' }).click();
  await toastsOf(page).getByText('Customer created successfully!').waitFor();
  await leave(page);
  const { customers } = (await web.admin.get('/api/admin/customers?plan=TRY')).body;
  expect(customers).toMatchObject([{ name: 'Trial Traders', tier: 'TRY', developerSeats: 3, term: { isTrial: true } }]);
  return customers[0];
};

const tool = (argv: readonly string[], more: Parameters<CliUser['run']>[1] = {}): Promise<Ran> =>
  cliUser.run(argv, { now, ...more });
const signIn = ({ licenseKey }: Customer): Promise<Ran> =>
  tool(['login', '--server', web.url, '--key', licenseKey, '--username', 'ada', '--email', 'ada@trial.example']);
/** Records a call in the spool, and sends what is there. */
const record = async (): Promise<Ran> => {
  await tool(['record', ...ONE_CALL]);
  return tool(['flush']);
};

const cardOf = (page: Page) => page.getByRole('region', { name: 'License term' });

/** Passes hours in steps that keep the sessions of open pages: each step changes something that they show. */
const passHours = async (id: string, pages: readonly Page[], steps: readonly number[]): Promise<void> => {
  for (const [step, hours] of steps.entries()) {
    await usesWritten();
    ahead += hours * HOUR_MS;
    const name = `Trial Traders ${step + 1}`;
    const admin = await asAdmin(web.url); // an administrator's session lasts for half an hour without a request
    await admin.put(`/api/admin/customers/${id}`, { name, contactEmail: 'it@trial.example' });
    for (const page of pages) await page.getByText(name).first().waitFor();
  }
};

describe('a trial', () => {
  it('is created from a plan, works, is warned, enters grace, expires and is renewed: tool, portal and partner see each step', async () => {
    const customer = await createTrial();
    const { expiresAt, endsAt } = customer.term as NonNullable<Customer['term']>;
    expect(Date.parse(endsAt) - Date.parse(expiresAt)).toBe(DAY_MS);
    const first = await signIn(customer);
    expect(first).toMatchObject({ code: EXIT.done, err: expect.stringMatching(/Your trial ends on \S+, in \d+ days\./) });
    expect(first.err).not.toContain('renew');
    expect(await record()).toMatchObject({ code: EXIT.done });

    await moveTo(expiresAt, -6 * HOUR_MS);
    const partner = await openAsIntegrator(web, integrator, `/service-integrator/customers/${customer.id}`);
    const portal = await openAsCustomer(web, customer, '/portal/dashboard');
    await cardOf(partner).getByText('Trial ends soon').waitFor();
    await portal.getByText(/Your trial ends on .* Ask your service integrator to renew it\./).waitFor();
    const inTime = daysUntil(expiresAt, Date.parse(expiresAt) - 6 * HOUR_MS) === 0 ? 'today' : 'in 1 day';
    expect((await tool(['status'])).out).toContain(`trial, ends on ${dayOf(expiresAt)}, ${inTime}\n`);
    const interrupt = new AbortController();
    let seen = '';
    const connected = tool(['connect'], {
      interrupted: interrupt.signal,
      onOut: (text) => {
        seen += text;
      },
    });
    await until(() => new RegExp(`Connected to .*\\n.*Your trial ends on \\S+, ${inTime}\\.`).test(seen));

    await moveTo(expiresAt, 5 * MINUTE_MS);
    await cardOf(partner).getByText('In grace').waitFor();
    await portal.getByText(/Your trial expired on .* and works until/).waitFor();
    const graceTime = daysUntil(endsAt, Date.parse(expiresAt) + 5 * MINUTE_MS) === 0 ? 'today' : 'for 1 day';
    await until(() => new RegExp(`License: trial, expired on \\S+, works until \\S+, ${graceTime}\\n`).test(seen));
    expect(await signIn(customer)).toMatchObject({ code: EXIT.done, err: expect.stringContaining('works until') });
    expect(await record()).toMatchObject({ code: EXIT.done });

    await passHours(customer.id, [partner, portal], [8, 8]);
    await tool(['record', ...ONE_CALL]); // before the end, and sent after it
    await moveTo(endsAt, MINUTE_MS);
    await cardOf(partner).getByText('Expired', { exact: true }).waitFor();
    await portal
      .getByRole('alert')
      .getByText(/Your trial expired on .*can no longer sign in or connect/)
      .waitFor();
    expect(await violations(portal)).toEqual([]);
    expect(await connected).toMatchObject({ code: EXIT.refused, err: expect.stringContaining('This license has expired') });
    expect(await signIn(customer)).toMatchObject({ code: EXIT.refused, err: expect.stringContaining('This license has expired') });

    await cardOf(partner).getByRole('button', { name: 'Renew' }).click();
    await dialogOf(partner).getByText('The license has expired. It starts again now.').waitFor();
    await dialogOf(partner).getByRole('button', { name: 'Renew license' }).click();
    await cardOf(partner).getByText('Active', { exact: true }).waitFor();
    await portal
      .getByRole('alert')
      .getByText(/^Your trial expired/)
      .waitFor({ state: 'detached' });
    expect(await signIn(customer)).toMatchObject({ code: EXIT.done });
    expect(await record()).toMatchObject({ code: EXIT.done });
    const admin = await asAdmin(web.url);
    await until(async () => (await admin.get(`/api/admin/customers/${customer.id}`)).body.customer.totalApiCalls === 4);
    const { history } = (await admin.get(`/api/admin/customers/${customer.id}/history?limit=100`)).body;
    const steps = history
      .map(({ type }: { type: string }) => type)
      .filter((type: string) => /^License(Plan|Entered|Expired|Renewed)/.test(type));
    expect(steps).toEqual(['LicenseRenewed', 'LicenseExpired', 'LicenseEnteredGrace', 'LicensePlanApplied']);
    interrupt.abort();
    await leave(portal);
    await leave(partner);
  });
});
