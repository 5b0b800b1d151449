import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { areas as allAreas } from '../../web/scripts/areas.js';
import { asTool } from '../support/apiClient.ts';
import { leave, openConsole, seed, type TestConsole, titleOf } from './support/console.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

const options = { timezoneId: 'Europe/Berlin' };
const NOTE = 'Dates and times are in your time zone, Europe/Berlin, unless stated otherwise.';

const { admin, portal, integrator: partner } = allAreas;
if (!admin || !portal || !partner) throw new Error('An area has no screens');
const areas = { admin, portal, integrator: partner };

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;

beforeAll(async () => {
  web = await openConsole();
  const seeded = await seed(web.admin, ['Northwind Traders']);
  integrator = seeded.integrator;
  if (!seeded.customers[0]) throw new Error('No customer was made');
  customer = seeded.customers[0];
  await asTool(web.url, customer, 'ada');
});
afterAll(() => web.close());

/** What each screen of an area shows about time zones: how often the note, and the times without the zone in their tooltip. */
const walk = async (page: Page, { root, screens }: (typeof areas)['admin']) => {
  const found: Record<string, unknown> = {};
  for (const screen of Object.keys(screens)) {
    const path = screen.replace(':customerId', customer.id).replace(':integratorId', integrator.id);
    await page.goto(`${root}/${path}`);
    await titleOf(page).waitFor();
    const stillLoading = () =>
      page.evaluate(() => {
        window.scrollTo(0, document.body.scrollHeight);
        return Array.from(document.querySelectorAll('[data-loading]'), ({ textContent }) => textContent);
      });
    await expect.poll(stillLoading, { timeout: 30_000, message: `What ${path} still loads` }).toEqual([]);
    found[screen] = {
      notes: await page.getByText(NOTE).count(),
      unnamed: await page.locator('time:not([title$="(Europe/Berlin)"])').count(),
    };
  }
  await leave(page);
  return found;
};

const named = (screens: object) => Object.fromEntries(Object.keys(screens).map((screen) => [screen, { notes: 1, unnamed: 0 }]));

describe('the time zone', () => {
  it('is shown once on every screen of administrators', async () => {
    const page = await web.openAsAdmin('/admin/dashboard', options);
    expect(await walk(page, areas.admin)).toEqual(named(areas.admin.screens));
  });

  it('is shown once on every screen of the portal', async () => {
    const page = await openAsCustomer(web, customer, '/portal/dashboard', options);
    expect(await walk(page, areas.portal)).toEqual(named(areas.portal.screens));
  });

  it('is shown once on every screen of service integrators', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/dashboard', options);
    expect(await walk(page, areas.integrator)).toEqual(named(areas.integrator.screens));
  });

  it('is in the tooltip of a date', async () => {
    const page = await web.openAsAdmin('/admin/service-integrators', options);
    const created = page.getByRole('table').locator(`time[datetime="${integrator.createdAt}"]`);
    const [date, time] = await page.evaluate(
      (at) => [
        new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' }),
        new Date(at).toLocaleTimeString(undefined, { timeStyle: 'short' }),
      ],
      integrator.createdAt,
    );
    expect(await created.getAttribute('title')).toBe(`${date}, ${time} (Europe/Berlin)`);
    await leave(page);
  });

  it('is beside the time in the tooltip of a chart', async () => {
    const page = await web.openAsAdmin('/admin/monitoring', options);
    const chart = page.getByRole('region', { name: 'API calls', exact: true });
    const surface = chart.locator('.recharts-surface');
    // The newest point is at the right end, left of the margin.
    const { width = 0 } = (await surface.boundingBox()) ?? {};
    await surface.hover({ position: { x: width - 26, y: 80 } });
    await chart.getByText(/^\d\d:\d\d:\d\d \(Europe\/Berlin\)$/).waitFor();
    await leave(page);
  });
});
