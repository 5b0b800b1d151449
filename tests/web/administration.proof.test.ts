import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { newCustomer, newIntegrator } from '../support/apiClient.ts';
import { metaOf } from '../support/builders/command.ts';
import { seatClaimed, userRegistered } from '../support/builders/customer.ts';
import { themeIdOf } from '../support/builders/ids.ts';
import { themeCreated } from '../support/builders/theme.ts';
import { chooseIntegrator, dialogOf, holdsFocus, openConsole, type TestConsole, titleOf, toastsOf } from './support/console.ts';
import { DESKTOP, leave, PHONE } from './support/pages.ts';

let web: TestConsole;
let integrators: ServiceIntegrator[];
let customers: Customer[];

const meta = metaOf();

/** More service integrators than there are suggestions; the first two have a customer with a user, the last one has themes. */
beforeAll(async () => {
  web = await openConsole();
  integrators = [];
  for (let n = 0; n < 25; n++) {
    integrators.push(await newIntegrator(web.admin, { companyName: `Partner ${String(n).padStart(2, '0')}` }));
  }
  customers = [];
  for (const [index, name] of ['Acme', 'Bolt'].entries()) {
    const customer = await newCustomer(web.admin, integrators[index]?.id ?? '', { name });
    customers.push(customer);
    const user = `${name}-user`;
    await web.server.product.events.append(
      streams.customer(customer.id),
      [
        userRegistered(user, { username: `${name.toLowerCase()}.dev`, email: `dev@${name.toLowerCase()}.example` }),
        seatClaimed(user),
      ],
      { expected: 'any', meta },
    );
  }
  const owner = integrators[24];
  if (!owner) throw new Error('No service integrator was made');
  await web.server.product.events.append(
    streams.themes(owner.id),
    ['Ocean', 'Forest'].map((displayName) => themeCreated(randomUUID(), { themeName: displayName.toLowerCase(), displayName })),
    { expected: 'any', meta },
  );
  await web.server.product.events.append(
    streams.themes(integrators[0]?.id ?? owner.id),
    Array.from({ length: 30 }, (_, n) =>
      themeCreated(`many-${n}`, { themeName: `many-${n}`, displayName: `Many ${n}`, themeId: themeIdOf(`many-${n}`) }),
    ),
    { expected: 'any', meta },
  );
}, 120_000);
afterAll(() => web.close());

describe("the administrators' list of users", () => {
  it.each([DESKTOP, PHONE])('contains the users of all customers, and is searched by name, at $width px', async (viewport) => {
    const page = await web.openAsAdmin('/admin/users', { viewport });
    await titleOf(page).filter({ hasText: 'Users' }).waitFor();
    const cards = page.getByRole('list', { name: 'Users' }).getByRole('listitem');
    await page.getByText('2 of 2 users').waitFor();
    await expect.poll(() => cards.count()).toBe(2);
    await page.getByRole('searchbox', { name: 'Search users' }).fill('bolt');
    await page.getByText('1 of 1 users').waitFor();
    await cards.getByRole('link', { name: 'Bolt' }).click();
    await page.waitForURL(`**/admin/customers/${customers[1]?.id}`);
    await leave(page);
  });

  it('edits and suspends users', async () => {
    const page = await web.openAsAdmin('/admin/users?search=acme.dev');
    await page.getByRole('button', { name: 'Edit acme.dev' }).click();
    await dialogOf(page).getByLabel('Username').fill('acme.lead');
    await dialogOf(page).getByRole('button', { name: 'Save changes' }).click();
    await toastsOf(page).getByText('User updated successfully!').waitFor();
    await page.goto('/admin/users?search=acme.lead');
    await page.getByRole('button', { name: 'Suspend acme.lead' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('listitem', { name: 'acme.lead' }).getByText('Suspended', { exact: true }).waitFor();
    const { body } = await web.admin.get('/api/admin/users?search=acme.lead');
    expect(body.users).toMatchObject([{ username: 'acme.lead', status: 'suspended' }]);
    await leave(page);
  });
});

/** The number of points along the vertical middle of a scrolling list that show another element. */
const coveredPoints = ({ parentElement: element }: Element): number => {
  if (!element) throw new Error('The list is nowhere');
  const { left, width, top, height } = element.getBoundingClientRect();
  const points = Array.from({ length: 20 }, (_, at) => top + ((at + 0.5) * height) / 20);
  return points.filter((y) => !element.contains(document.elementFromPoint(left + width / 2, y))).length;
};

describe('the service integrator of a new customer', () => {
  it('is searched on the server, beyond the suggestions', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.getByRole('button', { name: 'Create customer' }).click();
    const dialog = dialogOf(page);
    const field = dialog.getByRole('combobox', { name: 'Service integrator' });
    await field.click();
    await dialog.getByText('5 more. Type to search.').waitFor();
    await expect.poll(() => dialog.getByRole('listbox').getByRole('option').count()).toBe(20);
    await expect.poll(() => dialog.getByRole('listbox').evaluate(coveredPoints)).toBe(0);
    await chooseIntegrator(dialog, 'Partner 24');
    await dialog.getByLabel('Customer name').fill('Far Down');
    await dialog.getByLabel('Contact email').fill('it@far.example');
    await dialog.getByLabel('Theme').selectOption({ label: 'Forest' });
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await web.admin.get('/api/admin/customers?search=Far%20Down');
    expect(body.customers).toMatchObject([{ serviceIntegratorName: 'Partner 24', themeDisplayName: 'Forest' }]);
    await leave(page);
  });

  it('is selected by keyboard, and text that matches none selects none', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    await page.getByRole('button', { name: 'Create customer' }).click();
    const dialog = dialogOf(page);
    const field = dialog.getByRole('combobox', { name: 'Service integrator' });
    await holdsFocus(dialog);
    await field.focus();
    await page.keyboard.type('Partner 1');
    const tens = Array.from({ length: 10 }, (_, n) => `Partner 1${n}`);
    await expect.poll(() => dialog.getByRole('listbox').getByRole('option').allInnerTexts()).toEqual(tens);
    await dialog.locator('[role=listbox][aria-busy=false]').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('Partner 11');
    await field.fill('nobody at all');
    await dialog.getByText('No service integrators found').waitFor();
    await page.keyboard.press('Escape');
    expect(await field.getAttribute('aria-expanded')).toBe('false');
    await dialog.getByLabel('Customer name').focus();
    expect(await field.inputValue()).toBe('Partner 11');
    await field.fill('');
    await dialog.getByLabel('Customer name').fill('Nobody');
    await dialog.getByLabel('Contact email').fill('it@nobody.example');
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await leave(page);
  });
});

describe("the administrators' list of themes", () => {
  it('contains built-in and custom themes of all service integrators, in pages', async () => {
    const page = await web.openAsAdmin('/admin/themes');
    let histories = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('/history')) histories += 1;
    });
    await page.getByRole('region', { name: 'Built-in themes' }).getByRole('article', { name: 'Aurora' }).waitFor();
    const custom = page.getByRole('region', { name: 'Custom themes' });
    await custom.getByText('24 of 32 themes').waitFor();
    await custom.getByRole('button', { name: 'Next' }).click();
    await custom.getByText('8 of 32 themes').waitFor();
    await custom.getByRole('searchbox').fill('oCe');
    await custom.getByRole('article', { name: 'Ocean' }).waitFor();
    await expect.poll(() => custom.getByRole('article').count()).toBe(1);
    await custom.getByRole('link', { name: 'Partner 24' }).waitFor();
    expect(histories).toBe(0);
    await custom.getByRole('button', { name: /^Changed / }).click();
    await custom.getByText(/^Last changed by /).waitFor();
    expect(histories).toBe(1);
    await custom.getByRole('searchbox').fill('no such theme');
    await custom.getByText('No themes found').waitFor();
    await custom.getByRole('button', { name: 'Clear search' }).click();
    await custom.getByText('24 of 32 themes').waitFor();
    await leave(page);
  });

  it('shows a theme that is created while it is open', async () => {
    const page = await web.openAsAdmin('/admin/themes?search=fresh');
    await page.getByText('No themes found').waitFor();
    await web.server.product.events.append(
      streams.themes(integrators[1]?.id ?? ('' as never)),
      [themeCreated(randomUUID(), { themeName: 'fresh', displayName: 'Fresh' })],
      { expected: 'any', meta },
    );
    await page.getByRole('article', { name: 'Fresh' }).waitFor();
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
