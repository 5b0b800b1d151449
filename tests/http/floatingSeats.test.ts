import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import type { SeatsReply } from '../../src/contracts/seats.ts';
import { connectDatabase } from '../../src/database/database.ts';
import type { CustomerId, UserId } from '../../src/domain/ids.ts';
import { DAY_MS, MINUTE_MS } from '../../src/domain/time.ts';
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
import { eventually } from '../support/eventually.ts';
import { claimAtOnce, heldAfter, leaseEventsOf, registerDevelopers } from '../support/floatingClaims.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { dialTool, openToolSocket } from '../support/toolSocket.ts';

const SEATS = 10;
const CLAIMS = 60;

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
/** The end of a connection is noted before it is seen, with the clock of that moment, so the clock must not move before. */
const isGone = async ({ id }: Customer, userId: string): Promise<void> => {
  const look = async () => (await server.product.seatUses.of(id)).get(userId as UserId);
  await eventually(look, (use) => use?.isConnected === false);
};
/** The policy that ends leases has looked at those of the customer, and knows when to look again. */
const becomesExamined = async ({ id }: Customer): Promise<void> => {
  const { db } = connectDatabase(server.stores.databaseUrl, { max: 1, onError: () => undefined });
  onTestFinished(() => db.destroy());
  const due = () =>
    db
      .selectFrom('policy.note')
      .select('due_at')
      .where('policy', '=', 'endSeatLeases')
      .where('key', '=', streams.seatLeases(id as CustomerId))
      .executeTakeFirst();
  await eventually(due, (note) => (note?.due_at?.getTime() ?? 0) > now() + MINUTE_MS);
};
const signIn = (customer: Customer, username: string, url = server.url) =>
  clientOf(url).post('/api/cli/login', toolLoginOf(customer, username));
const leasesOf = ({ id }: Customer) => leaseEventsOf(server.product, id);
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
    expect(Date.parse(first.body.lease.until) - now()).toBeGreaterThan(14 * MINUTE_MS);
    const [seat] = (await seatsOf(customer)).seats;
    expect(seat).toMatchObject({ username: 'ada', currentlyConnected: false, freeAt: first.body.lease.until });

    const refused = await signIn(customer, 'bob', second.url);
    expect(refused).toMatchObject({ status: 409, body: { code: 'seat_limit_reached' } });
    expect(refused.body.error).toMatch(
      /^Every floating developer seat is in use \(1 of 1\)\. The next one becomes free at \d\d:\d\d UTC/,
    );
    // Waiting needs a session, which a refused sign-in does not open.
    expect(refused.body.error).toMatch(/ Sign in again when one is free, or ask the person who manages your license/);
    const { denials } = await eventually(
      () => seatsOf(customer),
      (reply) => reply.denials.length > 0,
    );
    expect(denials).toMatchObject([{ kind: 'developer', reason: 'seat_limit_reached', persons: 1 }]);
    // Nobody is registered without a seat.
    expect((await admin.get(`/api/admin/users?customerId=${customer.id}`)).body.total).toBe(1);

    ahead += 15 * MINUTE_MS;
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

    const path = `/api/admin/customers/${customer.id}`;
    const asked = new Date(now()).toISOString();
    expect((await admin.get(`${path}/as-of?at=${asked}`)).body.customer).toMatchObject({
      ...{ activeDeveloperSeats: 2, floatingDeveloperMinutes: 15, leasedDeveloperSeats: 1 },
    });
    const { utilization } = (await admin.get(`${path}/seats/utilization?days=7`)).body;
    expect(utilization.developer.days.at(-1)).toMatchObject({ peak: 1, limit: 1, hoursAboveLimit: 0 });
    expect(utilization.developer.forecast).toMatchObject({ outlook: 'atLimit', held: 1, limit: 1 });
  });

  it('are held by offline licenses until these expire, which cannot be released', async () => {
    const customer = await newFloating(1);
    const bob = await asTool(server.url, customer, 'bob');
    expect((await bob.post('/api/cli/logout')).status).toBe(200);
    const ada = await asTool(server.url, customer, 'ada');
    const license = { fingerprint: '0123456789abcdef0123456789abcdef' };
    const { expiresAt } = (await ada.post('/api/cli/offline-licenses', license)).body;
    expect((await ada.get('/api/cli/session')).body.lease).toEqual({ until: expiresAt });
    expect((await seatsOf(customer)).seats).toMatchObject([{ username: 'ada', freeAt: expiresAt }]);
    const release = await partner.post(`/api/users/${ada.userId}/seat/release`);
    expect([release.status, release.body.code]).toEqual([409, 'seat_held_offline']);
    expect((await ada.post('/api/cli/seat/release')).body.code).toBe('seat_held_offline');
    expect((await ada.post('/api/cli/logout')).status).toBe(200);
    const { history } = (await partner.get(`/api/service-integrator/customers/${customer.id}/history?type=SeatHeldOffline`)).body;
    expect(history[0].summary).toBe(
      `An offline license of user ada holds the floating developer seat until ${expiresAt.slice(0, 10)}`,
    );

    ahead += 2 * DAY_MS;
    admin = await asAdmin(server.url);
    partner = await asIntegrator(server.url, integrator);
    const refused = await signIn(customer, 'bob');
    expect([refused.status, refused.body.code]).toEqual([409, 'seat_limit_reached']);
    expect(refused.body.error).toContain(`becomes free at ${expiresAt.slice(0, 16).replace('T', ' ')} UTC at the earliest`);
    const offline = await partner.post(`/api/users/${bob.userId}/offline-licenses`, license);
    expect([offline.status, offline.body.code]).toEqual([409, 'seat_limit_reached']);
    ahead = Date.parse(expiresAt) - Date.now();
    expect((await signIn(customer, 'bob')).status).toBe(200);
  });

  it('become free beside one that an offline license holds', async () => {
    const customer = await newFloating(2);
    const ada = await asTool(server.url, customer, 'ada');
    expect((await ada.post('/api/cli/offline-licenses', { fingerprint: '0123456789abcdef0123456789abcdef' })).status).toBe(200);
    expect((await ada.post('/api/cli/logout')).status).toBe(200);
    await becomesExamined(customer);
    await signIn(customer, 'bob');
    await becomes(customer, ['ada', 'bob']);
    ahead += 30 * MINUTE_MS;
    admin = await asAdmin(server.url);
    await becomes(customer, ['ada']);
  });

  it('are not idle: only named seats are released automatically', async () => {
    const customer = await newFloating(2);
    await asTool(server.url, customer, 'ada');
    ahead += 2 * DAY_MS;
    admin = await asAdmin(server.url);
    const path = `/api/admin/customers/${customer.id}`;
    expect((await admin.get(`${path}/seats/idle?days=1`)).body).toMatchObject({ seats: [], total: 0 });
    const { name, contactEmail } = customer;
    await admin.put(path, { name, contactEmail, floatingDeveloperMinutes: null });
    expect((await admin.get(`${path}/seats/idle?days=1`)).body).toMatchObject({ seats: [{ username: 'ada' }], total: 1 });
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

    ahead += 10 * MINUTE_MS;
    expect((await ada.post('/api/cli/api-calls', batchOf(2))).status).toBe(202);
    ahead += 10 * MINUTE_MS;
    expect((await signIn(customer, 'bob')).status).toBe(409);
    ahead += 5 * MINUTE_MS;
    await becomes(customer, []);
  });

  it('are held while the tool is connected, and can be released', async () => {
    const customer = await newFloating(1, 1);
    const ada = await asTool(server.url, customer, 'ada');
    const socket = await openToolSocket(second.url, ada.token);
    for (const _ of [1, 2]) {
      ahead += 5 * MINUTE_MS;
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
    ahead += MINUTE_MS;
    await becomes(customer, []);
    const reasonsOf = async () => (await leasesOf(customer)).flatMap(({ data }) => ('reason' in data ? data.reason : []));
    // The list knows by the clock that a seat is free; the event follows.
    await eventually(reasonsOf, (reasons) => reasons.join() === 'released,released,unused');
  });

  it('are used until the moment in which nobody sees the connection any more', async () => {
    const ada = await asTool(server.url, await newFloating(1), 'ada');
    const socket = await openToolSocket(server.url, ada.token);
    const { db } = connectDatabase(server.stores.databaseUrl, { max: 2, onError: () => undefined });
    onTestFinished(() => db.destroy());
    const rowsOf = async (query: RawBuilder<unknown>): Promise<number> => (await query.execute(db)).rows.length;
    const connected = sql`select from live.connection where user_id = ${ada.userId}`;
    const noting = sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%update live.seat_use set%'`;
    await db.transaction().execute(async (transaction) => {
      await sql`select from live.seat_use where user_id = ${ada.userId} for update`.execute(transaction);
      await socket.close();
      await eventually(
        () => rowsOf(noting),
        (count) => count === 1,
      );
      expect(await rowsOf(connected)).toBe(1);
    });
    await eventually(
      () => rowsOf(connected),
      (count) => count === 0,
    );
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
    const taken = async () => (await admin.get(`/api/admin/customers/${id}/history?search=took a floating`)).body.history;
    const [lease] = await eventually(taken, (entries) => entries.length === 1);
    const actor = { kind: 'user', method: 'key', address: '127.0.0.1', sessionId: expect.any(String) };
    expect(lease, 'the address is that of the socket').toMatchObject({ summary: 'User ada took a floating developer seat', actor });
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
    const { id } = await newFloating(SEATS);
    const at = new Date(now()).toISOString();
    const { customer, userIds } = await registerDevelopers(server.product, id, CLAIMS, at);
    const claims = await claimAtOnce([server.product, second.product], customer, userIds, at);
    expect(claims.filter((claim) => claim === 'seat_limit_reached')).toHaveLength(CLAIMS - SEATS);
    const events = await leaseEventsOf(server.product, id);
    expect(events.map(({ type }) => type)).toEqual(Array.from({ length: SEATS }, () => 'SeatLeased'));
    expect([...heldAfter(events).holders].sort()).toEqual(userIds.filter((_, n) => claims[n] === 'held').sort());
    const { kinds, denials } = await eventually(
      () => seatsOf({ id } as Customer),
      ({ total, kinds: { developer }, denials: [denied] }) =>
        total === SEATS &&
        developer.floating?.leased === SEATS &&
        denied?.attempts === CLAIMS - SEATS &&
        denied.persons === CLAIMS - SEATS,
    );
    expect(kinds.developer).toEqual({ allocated: SEATS, active: CLAIMS, floating: { minutes: 15, leased: SEATS } });
    expect(denials).toMatchObject([{ reason: 'seat_limit_reached', persons: CLAIMS - SEATS }]);
  });
});
