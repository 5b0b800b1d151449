import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { connectionId, userId } from '../../src/contracts/fields.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { room, topic } from '../../src/contracts/topics.ts';
import type { UserId } from '../../src/domain/ids.ts';
import { announce as announcePresence } from '../../src/live/presence.ts';
import { announce } from '../../src/projections/engine/changes.ts';
import { asTool, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { openConsole, type TestConsole } from './support/console.ts';
import { leave, quiet } from './support/pages.ts';
import { openAsCustomer } from './support/tokens.ts';

const CHANGES = 400;
/** One after the other they would take longer than the page waits between two refetches, on a slow machine. */
const AT_ONCE = 10;
const USERS = 6;

let web: TestConsole;
let integrator: ServiceIntegrator;
let customer: Customer;

beforeAll(async () => {
  web = await openConsole();
  integrator = await newIntegrator(web.admin);
  customer = await newCustomer(web.admin, integrator.id, { name: 'Before' });
});
afterAll(() => web.close());

/** The number of requests of data for each path from now on. */
const requestsOf = (page: Page): Map<string, number> => {
  const requests = new Map<string, number>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/assets/')) requests.set(pathname, (requests.get(pathname) ?? 0) + 1);
  });
  return requests;
};

describe('a screen whose data changes constantly', () => {
  it('refetches far less often, only what it shows, and ends with the latest data', async () => {
    const page = await web.openAsAdmin('/admin/customers');
    const rows = page.locator('tbody tr');
    await rows.getByText('Before').waitFor();
    await page.locator('[data-live=live]').waitFor();
    await quiet(page);
    const requests = requestsOf(page);
    const rooms = [room.admin];
    const announceAll = () =>
      announce(web.server.product.db, [
        { topic: topic.customers(), rooms },
        { topic: topic.customer(customer.id), rooms },
        { topic: topic.stats(), rooms },
        { topic: topic.monitoring(), rooms },
      ]);
    for (let change = 0; change < CHANGES; change += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, announceAll));
    await web.admin.put(`/api/admin/customers/${customer.id}`, { name: 'After', contactEmail: 'it@acme.example' });
    await rows.getByText('After').waitFor();
    requests.delete('/api/admin/alerts'); // a rule may fire meanwhile, such as that of the lag on a slow machine
    expect([...requests.keys()]).toEqual(['/api/admin/customers']);
    expect(requests.get('/api/admin/customers')).toBeLessThan(CHANGES / 4);
    await leave(page);
  });

  it('shows the latest presence of each user after many changes', async () => {
    const { db } = web.server.product;
    const userIds: UserId[] = [];
    for (let index = 0; index < USERS; index++)
      userIds.push(userId.parse((await asTool(web.url, customer, `user-${index}`)).userId));
    const page = await openAsCustomer(web, customer, '/portal/users');
    const cards = page.locator('[data-user]');
    await cards.nth(USERS - 1).waitFor();
    await page.locator('[data-live=live]').waitFor();
    const who = userIds.map((id) => ({ userId: id, customerId: customer.id, integratorId: integrator.id }));
    for (let turn = 0; turn < 50; turn++) {
      const here = turn === 49 ? userIds.slice(0, 2) : userIds.filter((_, index) => (index + turn) % 2 === 0);
      await db.transaction().execute(async (tx) => {
        await tx.deleteFrom('live.connection').where('user_id', 'in', userIds).execute();
        for (const id of here) {
          await tx
            .insertInto('live.connection')
            .values({
              connection_id: connectionId.parse(randomUUID()),
              user_id: id,
              customer_id: customer.id,
              integrator_id: integrator.id,
              node: 'a node of this test',
              connected_at: sql`now()`,
              lease_until: sql`now() + interval '1 hour'`,
            })
            .execute();
        }
        await announcePresence(tx, who);
      });
    }
    for (const [index, id] of userIds.entries()) {
      const badge = page.locator(`[data-user="${id}"]`).getByText('Connected', { exact: true });
      await badge.waitFor({ state: index < 2 ? 'visible' : 'detached' });
    }
    await leave(page);
  });
});

it('ran without an error on any page', () => {
  expect(web.pageErrors).toEqual([]);
});
