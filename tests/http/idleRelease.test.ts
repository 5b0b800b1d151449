import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  newCustomer,
  newIntegrator,
  type Tool,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { asPortalMember, inviteUser, join } from '../support/members.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { itAtLength } from '../support/tiers.ts';

/** The clock of both nodes. */
let ahead = 0;
const now = () => Date.now() + ahead;

let server: TestServer;
let admin: Client;
let integrator: Awaited<ReturnType<typeof newIntegrator>>;
let customer: Customer;
let ada: Tool;
let bob: Tool;

beforeAll(async () => {
  server = await openServer({}, { now });
  await server.openNode();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  customer = await newCustomer(admin, integrator.id, { name: 'Acme', developerSeats: 5, stakeholderSeats: 5 });
  ada = await asTool(server.url, customer, 'ada');
  bob = await asTool(server.url, customer, 'bob');
});
afterAll(() => server.close());

/** The users whose seats were released, in the order of the events. */
const releasedOf = async ({ id }: Customer): Promise<string[]> => {
  const released: string[] = [];
  for await (const { event, meta } of server.product.events.read(streams.customer(id))) {
    if (event.type === 'UserDeactivated' && meta.actor.id === 'releaseIdleSeats') released.push(event.data.userId);
  }
  return released;
};
const noteOf = async ({ id }: Customer) =>
  server.product.db
    .selectFrom('policy.note')
    .select('due_at')
    .where('policy', '=', 'releaseIdleSeats')
    .where('key', '=', streams.customer(id))
    .executeTakeFirst();
/** Resolves once the policy has looked at the customer: the next look is later. */
const looked = ({ id }: Customer) =>
  eventually(
    () => noteOf({ id } as Customer),
    (note) => note?.due_at != null && note.due_at.getTime() > now() + HOUR_MS,
  );
const setDays = async (of: Customer, idleReleaseDays: number | null): Promise<Customer> => {
  admin = await asAdmin(server.url);
  const { name, contactEmail } = of;
  const { body } = await admin.put(`/api/admin/customers/${of.id}`, { name, contactEmail, idleReleaseDays });
  return body.customer;
};

describe('the automatic release of idle seats', () => {
  it('is previewed, and releases the seats that nobody used, once on two nodes', async () => {
    ahead = 31 * DAY_MS;
    admin = await asAdmin(server.url);
    await asTool(server.url, customer, 'ada');
    const path = `/api/admin/customers/${customer.id}/seats/idle`;
    const preview = await eventually(
      async () => (await admin.get(`${path}?days=30`)).body,
      ({ total }) => total === 1,
    );
    expect(preview.seats).toEqual([{ userId: bob.userId, username: 'bob', kind: 'developer', idleSince: expect.any(String) }]);
    expect((await admin.get(`${path}?days=32`)).body).toMatchObject({ seats: [], total: 0 });
    expect((await admin.get(`${path}?days=366`)).body.code).toBe('validation_failed');
    const outsider = await asIntegrator(server.url, await newIntegrator(admin));
    expect((await outsider.get(`/api/service-integrator/customers/${customer.id}/seats/idle?days=30`)).status).toBe(404);

    expect(await setDays(customer, 30)).toMatchObject({ idleReleaseDays: 30 });
    await looked(customer);
    expect(await releasedOf(customer)).toEqual([bob.userId]);
    const { body } = await eventually(
      () => admin.get(`/api/admin/customers/${customer.id}/history?type=UserDeactivated`),
      (reply) => reply.body.history.length === 1,
    );
    expect(body.history[0].summary).toBe('User bob was deactivated: Seat released automatically after 30 idle days');
    expect(body.history[0].actor).toMatchObject({ kind: 'system', id: 'releaseIdleSeats' });
    const portal = await asCustomer(server.url, customer);
    await eventually(
      async () => (await portal.get('/api/customer/seats')).body.kinds.developer.active,
      (active) => active === 1,
    );
  });

  itAtLength('does not release a seat again that was given back, and waits a day after a time without a server', async () => {
    await admin.put(`/api/admin/users/${bob.userId}/status`, { status: 'active' });
    ahead += 12 * HOUR_MS;
    await server.product.db
      .updateTable('policy.note')
      .set({ due_at: new Date(now()) })
      .where('policy', '=', 'releaseIdleSeats')
      .execute();
    await looked(customer);
    expect(await releasedOf(customer)).toEqual([bob.userId]);

    ahead += 40 * DAY_MS;
    await looked(customer);
    expect(await releasedOf(customer)).toEqual([bob.userId]);
    ahead += DAY_MS;
    await looked(customer);
    expect(await releasedOf(customer)).toEqual([bob.userId, ada.userId, bob.userId]);
  });

  itAtLength('keeps the last administrator of the portal, and who used the portal', async () => {
    admin = await asAdmin(server.url);
    const partner = await asIntegrator(server.url, integrator);
    const team = await newCustomer(admin, integrator.id, { name: 'Team', developerSeats: 9, stakeholderSeats: 9 });
    const [boss, dana, eli] = [
      await asTool(server.url, team, 'boss'),
      await asTool(server.url, team, 'dana'),
      await asTool(server.url, team, 'eli'),
    ];
    for (const [name, { userId }] of Object.entries({ boss, dana })) {
      await admin.put(`/api/admin/users/${userId}`, { username: name, email: `${name}@example.com`, role: 'admin' });
    }
    await join(server.url, await inviteUser(partner, boss.userId), { secondFactor: false });
    await join(server.url, await inviteUser(partner, dana.userId), { secondFactor: false });
    const viewer = await join(server.url, await inviteUser(partner, eli.userId), { secondFactor: false });
    ahead += 10 * DAY_MS;
    await asPortalMember(server.url, viewer);
    ahead += 5 * DAY_MS;
    await setDays(team, 7);
    await looked(team);
    // One of both administrators is released, and the other one stays: the use of the portal counts for eli.
    const released = await releasedOf(team);
    expect(released).toHaveLength(1);
    expect([boss.userId, dana.userId]).toContain(released[0]);
  });

  itAtLength('judges nothing while the license cannot be used, and ends when it is switched off', async () => {
    const off = await newCustomer(admin, integrator.id, { name: 'Off', developerSeats: 9, stakeholderSeats: 9 });
    await asTool(server.url, off, 'fay');
    ahead += 20 * DAY_MS;
    admin = await asAdmin(server.url);
    await admin.put(`/api/admin/customers/${off.id}`, { name: off.name, contactEmail: off.contactEmail, status: 'suspended' });
    await setDays(off, 7);
    await looked(off);
    await admin.put(`/api/admin/customers/${off.id}`, { name: off.name, contactEmail: off.contactEmail, status: 'active' });
    ahead += DAY_MS;
    await looked(off);
    expect(await releasedOf(off)).toEqual([]);
    expect(await setDays(off, null)).not.toHaveProperty('idleReleaseDays');
    await eventually(
      () => noteOf(off),
      (note) => note === undefined,
    );
  });
});
