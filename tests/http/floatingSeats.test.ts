import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import type { SeatsReply } from '../../src/contracts/seats.ts';
import { isRegistered } from '../../src/domain/customer/state.ts';
import type { UserId } from '../../src/domain/ids.ts';
import type { SeatLeaseEvent } from '../../src/domain/seatLeases/events.ts';
import { claimSeat } from '../../src/http/floatingSeats.ts';
import { HttpProblem } from '../../src/http/problems/problems.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
  toolLoginOf,
} from '../support/apiClient.ts';
import { metaOf } from '../support/builders/command.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { dialTool, openToolSocket } from '../support/toolSocket.ts';

const MINUTE = 60_000;
const SEATS = 10;
const CLAIMS = Number(process.env.FLOATING_CLAIMS ?? 100);
/** A lease of a node that was killed is swept after that of its connection, and after the sweeper was steady for a while. */
const SWEPT_MS = 60_000;

/** The clock of both nodes. */
let ahead = 0;
const now = () => Date.now() + ahead;

let server: TestServer;
let second: Awaited<ReturnType<TestServer['openNode']>>;
let admin: Client;
let partner: Client;
let integrator: ServiceIntegrator;

beforeAll(async () => {
  server = await openServer({}, { now });
  second = await server.openNode();
  integrator = await newIntegrator(await asAdmin(server.url));
});
afterAll(() => server.close());

// The clock moves past the end of their sessions.
beforeEach(async () => {
  admin = await asAdmin(server.url);
  partner = await asIntegrator(server.url, integrator);
});

/** A customer whose developers share seats. */
const newFloating = async (developerSeats: number, minutes = 15): Promise<Customer> => {
  const { id, name, contactEmail } = await newCustomer(admin, integrator.id, { developerSeats });
  const reply = await partner.put(`/api/service-integrator/customers/${id}`, {
    name,
    contactEmail,
    floatingDeveloperMinutes: minutes,
  });
  expect(reply.status).toBe(200);
  expect(reply.body.customer).toMatchObject({ floatingDeveloperMinutes: minutes, leasedDeveloperSeats: 0 });
  return reply.body.customer;
};

const seatsOf = async ({ id }: Customer): Promise<SeatsReply> => (await admin.get(`/api/admin/customers/${id}/seats`)).body;
const holdersOf = async (customer: Customer): Promise<string[]> =>
  (await seatsOf(customer)).seats.map(({ username }) => username).sort();
const becomes = (customer: Customer, holders: readonly string[]) =>
  eventually(
    () => holdersOf(customer),
    (found) => found.join() === holders.join(),
  );
/** The end of a connection is noted with the clock of that moment, so the clock must not move before. */
const isGone = async ({ id }: Customer, userId: string): Promise<void> => {
  const look = async () => (await server.product.seatUses.of(id)).get(userId as UserId);
  await eventually(look, (use) => use?.isConnected === false && now() - (use.usedAt ?? 0) < MINUTE / 2, SWEPT_MS);
};
const signIn = (customer: Customer, username: string, url = server.url) =>
  clientOf(url).post('/api/cli/login', toolLoginOf(customer, username));
const leasesOf = async ({ id }: Customer): Promise<SeatLeaseEvent[]> => {
  const found: SeatLeaseEvent[] = [];
  for await (const { event } of server.product.events.read<SeatLeaseEvent>(streams.seatLeases(id))) found.push(event);
  return found;
};
const batchOf = (firstSequence: number) => ({
  sourceId: 'laptop',
  firstSequence,
  calls: [
    {
      service: 'jira',
      instanceUrl: 'https://acme.atlassian.net',
      operation: 'GET:/issue',
      status: 200,
      durationMs: 12,
      at: new Date(now()).toISOString(),
    },
  ],
});

describe('floating seats', () => {
  it('are shared: who comes later is refused until a seat was unused for the minutes of the license', async () => {
    const customer = await newFloating(1);
    const first = await signIn(customer, 'ada');
    expect(first.body).toMatchObject({ seat: { kind: 'developer', allocated: 1, floating: { minutes: 15, leased: 1 } } });
    expect(Date.parse(first.body.lease.until) - now()).toBeGreaterThan(14 * MINUTE);
    const [seat] = (await seatsOf(customer)).seats;
    expect(seat).toMatchObject({ username: 'ada', currentlyConnected: false, freeAt: first.body.lease.until });

    const refused = await signIn(customer, 'bob', second.url);
    expect(refused).toMatchObject({ status: 409, body: { code: 'seat_limit_reached' } });
    expect(refused.body.error).toMatch(
      /^Every floating developer seat is in use \(1 of 1\)\. The next one becomes free at \d\d:\d\d UTC/,
    );
    const { denials } = await eventually(
      () => seatsOf(customer),
      (reply) => reply.denials.length > 0,
    );
    expect(denials).toMatchObject([{ kind: 'developer', reason: 'seat_limit_reached', persons: 1 }]);
    // Nobody is registered without a seat.
    expect((await admin.get(`/api/admin/users?customerId=${customer.id}`)).body.total).toBe(1);

    ahead += 15 * MINUTE;
    expect((await signIn(customer, 'bob', second.url)).status).toBe(200);
    expect((await signIn(customer, 'ada')).status).toBe(409);
    expect(await leasesOf(customer)).toMatchObject([
      { type: 'SeatLeased' },
      { type: 'SeatLeaseEnded', data: { reason: 'unused', lastUsedAt: expect.any(String) } },
      { type: 'SeatLeased' },
    ]);
    const summaries = (await admin.get(`/api/admin/customers/${customer.id}/history?limit=50`)).body.history.map(
      ({ summary }: { summary: string }) => summary,
    );
    expect(summaries).toEqual(
      expect.arrayContaining([
        'Developer seats float, and become free 15 minutes after the last use',
        'User ada took a floating developer seat',
        'The floating developer seat of user ada became free: it was not used',
      ]),
    );
  });

  it('are taken by recorded calls, which are refused whole without a free seat', async () => {
    const customer = await newFloating(1);
    const ada = await asTool(server.url, customer, 'ada');
    expect((await ada.post('/api/cli/seat/release')).status).toBe(200);
    const session = (await ada.get('/api/cli/session')).body;
    expect(session).toMatchObject({ lease: null, seat: { floating: { leased: 0 } } });
    const bob = await asTool(server.url, customer, 'bob');
    expect(await ada.post('/api/cli/api-calls', batchOf(1))).toMatchObject({ status: 409, body: { code: 'seat_limit_reached' } });
    expect((await bob.post('/api/cli/logout')).status).toBe(200);
    expect(await ada.post('/api/cli/api-calls', batchOf(1))).toMatchObject({ status: 202, body: { accepted: 1, duplicates: 0 } });
    await becomes(customer, ['ada']);

    ahead += 10 * MINUTE;
    expect((await ada.post('/api/cli/api-calls', batchOf(2))).status).toBe(202);
    ahead += 10 * MINUTE;
    expect((await signIn(customer, 'bob')).status).toBe(409);
    ahead += 5 * MINUTE;
    await becomes(customer, []);
  });

  it('are held while the tool is connected, and can be released', async () => {
    const customer = await newFloating(1, 1);
    const ada = await asTool(server.url, customer, 'ada');
    const socket = await openToolSocket(second.url, ada.token);
    for (const _ of [1, 2]) {
      ahead += 5 * MINUTE;
      expect((await signIn(customer, 'bob')).status).toBe(409);
    }
    expect((await ada.get('/api/cli/session')).body.lease).toEqual({ until: null });
    expect((await seatsOf(customer)).seats).toMatchObject([{ username: 'ada', currentlyConnected: true, freeAt: null }]);

    const portal = await asCustomer(server.url, customer);
    expect((await portal.post(`/api/users/${ada.userId}/seat/release`)).status).toBe(200);
    expect(await socket.closed).toBe(4403);
    expect(socket.frames.at(-1)).toMatchObject({ type: 'revoked', reason: expect.stringContaining('was released') });
    const bob = await asTool(server.url, customer, 'bob');
    const again = await dialTool(server.url, { type: 'hello', token: ada.token, connectionId: randomUUID() });
    expect(await again.closed).toBe(4403);
    expect(again.frames).toMatchObject([{ type: 'revoked', reason: expect.stringMatching(/^Every floating developer seat/) }]);

    expect((await admin.post(`/api/admin/users/${bob.userId}/seat/release`)).status).toBe(200);
    const back = await openToolSocket(server.url, ada.token);
    await back.close();
    await isGone(customer, ada.userId);
    ahead += MINUTE;
    await becomes(customer, []);
    expect((await leasesOf(customer)).flatMap(({ data }) => ('reason' in data ? data.reason : []))).toEqual([
      'released',
      'released',
      'unused',
    ]);
  });

  it('end with the user, and when seats become named; connected tools take them when seats start to float', async () => {
    const { id, name, contactEmail, licenseKey } = await newCustomer(admin, integrator.id, { developerSeats: 2 });
    const customer = { id, licenseKey } as Customer;
    const change = (minutes: number | null) =>
      admin.put(`/api/admin/customers/${id}`, { name, contactEmail, floatingDeveloperMinutes: minutes });
    const ada = await asTool(server.url, customer, 'ada');
    const bob = await asTool(server.url, customer, 'bob');
    const socket = await openToolSocket(server.url, ada.token);
    expect((await ada.get('/api/cli/session')).body).not.toHaveProperty('lease');

    expect((await change(15)).status).toBe(200);
    await becomes(customer, ['ada']);
    expect((await bob.get('/api/cli/session')).body.lease).toBeNull();
    const eve = await asTool(server.url, customer, 'eve');
    await becomes(customer, ['ada', 'eve']);
    expect((await admin.put(`/api/admin/users/${eve.userId}/status`, { status: 'inactive' })).status).toBe(200);
    await becomes(customer, ['ada']);
    await admin.put(`/api/admin/users/${eve.userId}/status`, { status: 'active' });

    const { impact } = (await admin.get(`/api/admin/customers/${id}/impact?floatingDeveloperMinutes=named`)).body;
    expect(impact.overLimit).toEqual([{ kind: 'developer', limit: 2, holders: { count: 3, names: ['ada', 'bob', 'eve'] } }]);
    expect((await change(null)).status).toBe(200);
    await eventually(
      () => leasesOf(customer),
      (events) => events.some(({ data }) => 'reason' in data && data.reason === 'named'),
    );
    await becomes(customer, ['ada', 'bob', 'eve']);
    expect((await bob.post('/api/cli/api-calls', batchOf(1))).status).toBe(202);
    expect((await signIn(customer, 'fay')).status).toBe(409);
    await socket.close();
  });

  it(`are held by exactly ${SEATS} of ${CLAIMS} users who claim them at once on two nodes`, async () => {
    const customer = await newFloating(SEATS);
    const customerId = customer.id;
    const meta = metaOf({ at: new Date(now()).toISOString() });
    const userIds = Array.from({ length: CLAIMS }, () => randomUUID() as UserId);
    const { commands } = server.product;
    const registered = await commands.customers.handle(
      userIds.map((userId, n) => ({
        type: 'RegisterUser' as const,
        data: { customerId, userId, username: `u${n}`, email: `u${n}@acme.example`, role: 'developer' as const, machineId: null },
        meta,
      })),
    );
    if (!registered.accepted || !isRegistered(registered.state)) throw new Error('The users were not registered');
    const { state } = registered;
    const claims = await Promise.all(
      userIds.map(async (userId, n) => {
        const user = state.users.get(userId);
        if (!user) throw new Error('Unknown user');
        const { product } = n % 2 === 0 ? server : second;
        return claimSeat(product, state, user, meta).then(
          () => 'held' as const,
          (error: unknown) => (error instanceof HttpProblem ? error.code : String(error)),
        );
      }),
    );
    expect(claims.filter((claim) => claim === 'held')).toHaveLength(SEATS);
    expect(claims.filter((claim) => claim === 'seat_limit_reached')).toHaveLength(CLAIMS - SEATS);
    const events = await leasesOf(customer);
    expect(events.map(({ type }) => type)).toEqual(Array.from({ length: SEATS }, () => 'SeatLeased'));
    const holders = new Set(events.map(({ data }) => data.userId));
    expect([...holders].sort()).toEqual(userIds.filter((_, n) => claims[n] === 'held').sort());
    expect(
      (
        await eventually(
          () => seatsOf(customer),
          ({ total }) => total === SEATS,
        )
      ).kinds.developer,
    ).toEqual({
      allocated: SEATS,
      active: CLAIMS,
      floating: { minutes: 15, leased: SEATS },
    });
  });

  it(
    'of a node that was killed become free after the minutes of the license',
    async () => {
      const customer = await newFloating(1, 1);
      const ada = await asTool(server.url, customer, 'ada');
      const connection = { connectionId: randomUUID(), userId: ada.userId, customerId: customer.id, integratorId: integrator.id };
      const script = (name: string) => fileURLToPath(new URL(`../support/${name}`, import.meta.url));
      const node = spawn(
        process.execPath,
        [script('run.js'), script('holdLease.ts'), server.stores.databaseUrl, '1', JSON.stringify(connection)],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      await Promise.race([once(node.stdout, 'data'), once(node, 'exit')]);
      node.kill('SIGKILL');
      ahead += 5 * MINUTE;
      expect((await signIn(customer, 'bob')).status).toBe(409); // the node may have been slow only
      await isGone(customer, ada.userId);
      ahead += MINUTE;
      await becomes(customer, []);
      expect((await signIn(customer, 'bob')).status).toBe(200);
    },
    SWEPT_MS * 2,
  );
});
