import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
} from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';

/** Concurrent first sign-ins. `npm run test:proofs` sets more. */
const FIRST_SIGN_INS = Number(process.env.FIRST_SIGN_INS ?? 40);

let server: TestServer;
let admin: Client;
let partner: Client;
let integrator: ServiceIntegrator;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  partner = await asIntegrator(server.url, integrator);
});

afterAll(() => server.close());

const loginOf = ({ licenseKey }: Customer, username: string) => ({
  licenseKey,
  username,
  email: `${username}@example.com`,
  machineId: `machine-of-${username}`,
});

const seatsOf = async (id: string): Promise<[developers: number, stakeholders: number]> => {
  const { customer } = (await admin.get(`/api/admin/customers/${id}`)).body;
  return [customer.activeDeveloperSeats, customer.activeStakeholderSeats];
};

describe('users', () => {
  it('can be read and changed by their customer, their integrator and administrators', async () => {
    const customer = await newCustomer(admin, integrator.id);
    const { userId } = await asTool(server.url, customer, 'ada');
    const portal = await asCustomer(server.url, customer);
    const edits = [
      [portal, `/api/users/${userId}`, 'Ada L', 'stakeholder'],
      [partner, `/api/users/${userId}`, 'Ada M', 'admin'],
      [admin, `/api/admin/users/${userId}`, 'Ada N', 'developer'],
    ] as const;
    for (const [client, path, username, role] of edits) {
      const reply = await client.put(path, { username, email: 'ada@example.org', role });
      expect(reply).toMatchObject({
        status: 200,
        body: { success: true, user: { id: userId, username, email: 'ada@example.org', role } },
      });
    }
    const lists = [
      await portal.get('/api/users/with-connections'),
      await partner.get('/api/users?search=ada%20n'),
      await admin.get(`/api/admin/users?customerId=${customer.id}`),
    ];
    for (const { body } of lists) {
      expect(body).toMatchObject({
        total: 1,
        users: [{ id: userId, username: 'Ada N', customerName: 'Acme', machineId: 'machine-of-ada', currentlyConnected: false }],
      });
      expect(body.users[0].lastLogin).not.toBeNull();
    }
  });

  it('are not overwritten if another user has changed them since', async () => {
    const customer = await newCustomer(admin, integrator.id);
    const { userId } = await asTool(server.url, customer, 'ada');
    const portal = await asCustomer(server.url, customer);
    const ada = { username: 'ada', email: 'ada@example.com', role: 'developer' };
    const inactive = { ...ada, status: 'inactive' };
    const status = `/api/users/${userId}/status`;
    expect((await portal.put(status, { status: 'inactive' })).status).toBe(200);
    await asTool(server.url, customer, 'bob'); // another user's sign-in is no change of this one
    expect((await portal.put(status, { status: 'active', expected: inactive })).status).toBe(200);

    expect((await portal.put(status, { status: 'inactive' })).status).toBe(200);
    expect((await admin.put(`/api/admin/users/${userId}/status`, { status: 'suspended', reason: 'Laptop lost' })).status).toBe(200);
    const undone = [
      await portal.put(status, { status: 'active', expected: inactive }),
      await partner.put(`/api/users/${userId}`, { ...ada, status: 'active', expected: inactive }),
    ];
    for (const reply of undone) expect(reply).toMatchObject({ status: 412, body: { code: 'user_changed' } });
    const { users } = (await admin.get(`/api/admin/users?customerId=${customer.id}&search=ada`)).body;
    expect(users).toMatchObject([{ status: 'suspended' }]);
    expect(await portal.put(status, { status: 'active', expected: { status: 'suspended' } })).toMatchObject({ status: 400 });
  });

  it('have a seat of the kind of their role as long as they are active', async () => {
    const customer = await newCustomer(admin, integrator.id, { developerSeats: 1, stakeholderSeats: 1 });
    const { userId } = await asTool(server.url, customer, 'ada');
    const path = `/api/admin/users/${userId}`;
    expect(await seatsOf(customer.id)).toEqual([1, 0]);
    expect(await clientOf(server.url).post('/api/cli/login', loginOf(customer, 'bob'))).toMatchObject({
      status: 409,
      body: { code: 'seat_limit_reached' },
    });
    await admin.put(path, { username: 'ada', email: 'ada@example.com', role: 'stakeholder' });
    expect(await seatsOf(customer.id)).toEqual([0, 1]);
    await asTool(server.url, customer, 'bob');
    expect(await seatsOf(customer.id)).toEqual([1, 1]);
    expect(await admin.put(path, { username: 'ada', email: 'ada@example.com', role: 'developer' })).toMatchObject({
      status: 409,
      body: { code: 'seat_limit_reached' },
    });
    expect((await admin.put(`${path}/status`, { status: 'inactive' })).body.user.status).toBe('inactive');
    expect(await seatsOf(customer.id)).toEqual([1, 0]);
    await admin.put(`${path}/status`, { status: 'inactive' });
    expect((await admin.put(`${path}/status`, { status: 'active' })).body.user.status).toBe('active');
    expect(await seatsOf(customer.id)).toEqual([1, 1]);
  });

  it('have a unique name and email address within their customer', async () => {
    const [customer, other] = [await newCustomer(admin, integrator.id), await newCustomer(admin, integrator.id)];
    const [ada] = [
      await asTool(server.url, customer, 'ada'),
      await asTool(server.url, customer, 'bob'),
      await asTool(server.url, other, 'bob'),
    ];
    const rename = (username: string, email: string) =>
      partner.put(`/api/users/${ada.userId}`, { username, email, role: 'developer' });
    expect(await rename('BOB', 'ada@example.com')).toMatchObject({ status: 409, body: { code: 'username_taken' } });
    expect(await rename('ada', 'Bob@Example.com')).toMatchObject({ status: 409, body: { code: 'email_taken' } });
    expect(await rename('Ada', 'ADA@example.com')).toMatchObject({ status: 200 });
  });

  it('are listed by status, page by page', async () => {
    const customer = await newCustomer(admin, integrator.id);
    const users = [];
    for (const name of ['ann', 'ben', 'cid', 'dan']) users.push(await asTool(server.url, customer, name));
    await admin.put(`/api/admin/users/${users[0]?.userId}/status`, { status: 'suspended' });
    const portal = await asCustomer(server.url, customer);
    expect((await portal.get('/api/users/with-connections?status=suspended')).body).toMatchObject({
      total: 1,
      users: [{ username: 'ann' }],
    });
    const first = (await portal.get('/api/users/with-connections?limit=3&sort=username')).body;
    const second = (
      await portal.get(`/api/users/with-connections?limit=3&sort=username&cursor=${encodeURIComponent(first.nextCursor)}`)
    ).body;
    expect([...first.users, ...second.users].map(({ username }: { username: string }) => username)).toEqual([
      'ann',
      'ben',
      'cid',
      'dan',
    ]);
    expect(second.nextCursor).toBeNull();
  });
});

describe('many first sign-ins on ten seats', () => {
  it('result in ten users, and refusals', async () => {
    const customer = await newCustomer(admin, integrator.id, { developerSeats: 10 });
    const nobody = clientOf(server.url);
    const replies = await Promise.all(
      Array.from({ length: FIRST_SIGN_INS }, (_, number) => nobody.post('/api/cli/login', loginOf(customer, `user-${number}`))),
    );
    const tally = new Map<string, number>();
    for (const { status, body } of replies) {
      const outcome = `${status} ${body.code ?? 'signed in'}`;
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    }
    expect(Object.fromEntries(tally)).toEqual({ '200 signed in': 10, '409 seat_limit_reached': FIRST_SIGN_INS - 10 });
    expect(await seatsOf(customer.id)).toEqual([10, 0]);
    expect((await admin.get(`/api/admin/users?customerId=${customer.id}`)).body.total).toBe(10);
  });
});
