import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { newCustomer, newIntegrator } from '../support/apiClient.ts';
import { metaOf } from '../support/builders/command.ts';
import { credentialStored } from '../support/builders/credential.ts';
import { credentialIdOf, themeIdOf } from '../support/builders/ids.ts';
import { themeCreated } from '../support/builders/theme.ts';
import { openConsole, type TestConsole } from './support/console.ts';
import { leave } from './support/pages.ts';
import { openAsCustomer, openAsIntegrator } from './support/tokens.ts';

const LENGTH = 60;

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;

const meta = metaOf();
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Many customers, credentials of one of them, and themes. They are appended directly to the event store. */
beforeAll(async () => {
  web = await openConsole();
  integrator = await newIntegrator(web.admin);
  const made = await Promise.all(upTo(LENGTH).map((index) => newCustomer(web.admin, integrator.id, { name: `Customer ${index}` })));
  if (!made[0]) throw new Error('No customer was made');
  [customer] = made;
  const { events } = web.server.product;
  await events.append(
    streams.themes(integrator.id),
    upTo(LENGTH).map((index) => themeCreated(`theme-${index}`, { displayName: `Theme ${index}`, themeId: themeIdOf(`${index}`) })),
    { expected: 'any', meta },
  );
  for (const index of upTo(LENGTH)) {
    const credentialId = credentialIdOf(`${index}`);
    const stored = credentialStored({ credentialId, customerId: customer.id, username: `robot-${index}` });
    await events.append(streams.credential(credentialId), [stored], { expected: 'any', meta });
  }
});
afterAll(() => web.close());

const next = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Next' });
const previous = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Previous' });

/** How many rows each page of a list shows, from the first to the last. */
const pagesOf = async (page: Page, noun: string, row: ReturnType<Page['locator']>): Promise<number[]> => {
  const sizes: number[] = [];
  for (;;) {
    await row.first().waitFor();
    const shown = await row.count();
    await page.getByText(`${shown} of ${LENGTH} ${noun}`).waitFor();
    sizes.push(shown);
    if (await next(page).isDisabled()) return sizes;
    const first = await row.first().innerText();
    await next(page).click();
    await expect.poll(() => row.first().innerText()).not.toBe(first);
    await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
  }
};

describe('a list that is longer than a screen', () => {
  it('of customers contains one page', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    expect(await pagesOf(page, 'customers', page.locator('tbody tr'))).toEqual([25, 25, 10]);
    await leave(page);
  });

  it("of an integrator's customers contains one page", async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/customers');
    const cards = page.getByRole('list', { name: 'Customers' }).locator('> li');
    expect(await pagesOf(page, 'customers', cards)).toEqual([24, 24, 12]);
    await leave(page);
  });

  it('of credentials contains one page, and leads back from an invalid one', async () => {
    const page = await openAsCustomer(web, customer, '/portal/credentials');
    const cards = page.getByRole('list', { name: 'Service connections' }).locator('> li');
    expect(await pagesOf(page, 'connections', cards)).toEqual([24, 24, 12]);
    await previous(page).click();
    await page.getByText(`24 of ${LENGTH} connections`).waitFor();
    await page.goto('/portal/credentials?cursor=6000');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    await leave(page);
  });

  it('of themes requests the usage of the shown ones at once', async () => {
    const page = await openAsIntegrator(web, integrator, '/service-integrator/white-label');
    const requested: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/usage')) requested.push(new URL(request.url()).pathname);
    });
    await page.goto('/service-integrator/themes');
    const cards = page.getByRole('list', { name: 'Custom themes' }).locator('> li');
    await page.getByText(`24 of ${LENGTH} themes`).waitFor();
    await cards.filter({ hasText: '0 active users' }).nth(23).waitFor();
    expect(await cards.count()).toBe(24);
    expect(requested).toEqual(['/api/service-integrator/themes/usage']);
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
