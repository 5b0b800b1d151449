import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import type { Seat, SeatsReply } from '../../src/contracts/seats.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
  type Tool,
  toolLoginOf,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { openToolSocket } from '../support/toolSocket.ts';

const CALLED_AT = new Date(Date.now() - 3_600_000).toISOString();

let server: TestServer;
let admin: Client;
let partner: Client;
let portal: Client;
let integrator: ServiceIntegrator;
let customer: Customer;
let ada: Tool;
let bob: Tool;
let cyd: Tool;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  partner = await asIntegrator(server.url, integrator);
  customer = await newCustomer(admin, integrator.id, { name: 'Acme', developerSeats: 3, stakeholderSeats: 2 });
  portal = await asCustomer(server.url, customer);
  [ada, bob, cyd] = [
    await asTool(server.url, customer, 'ada'),
    await asTool(server.url, customer, 'bob'),
    await asTool(server.url, customer, 'cyd'),
  ];
  await bob.post('/api/cli/api-calls', {
    sourceId: 'laptop',
    firstSequence: 1,
    calls: [{ service: 'jira', instanceUrl: 'https://a.example', operation: 'GET:/', status: 200, durationMs: 4, at: CALLED_AT }],
  });
});
afterAll(() => server.close());

/** The read models as after 40 days. */
const onDatabase = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: server.stores.databaseUrl });
  await client.connect();
  await client.query(statement).finally(() => client.end());
};

const seatsAt = async (client: Client, path: string): Promise<SeatsReply> => (await client.get(path)).body;
const names = ({ seats }: SeatsReply): string[] => seats.map(({ username }) => username);
const ofPortal = (query = ''): Promise<SeatsReply> => seatsAt(portal, `/api/customer/seats${query}`);

describe('the seats of a customer', () => {
  it('are listed with their users for the customer, its integrator and administrators', async () => {
    const path = `customers/${customer.id}/seats?search=bob`;
    const [shown] = (
      await eventually(
        () => ofPortal('?search=bob'),
        ({ seats }) => seats[0]?.lastCall === CALLED_AT,
      )
    ).seats as [Seat];
    expect(shown).toMatchObject({
      id: bob.userId,
      username: 'bob',
      kind: 'developer',
      status: 'active',
      currentlyConnected: false,
      lastCall: CALLED_AT,
    });
    expect(shown.since).toBe(shown.createdAt);
    // The sign-in is later than the call.
    expect(shown.idleSince).toBe(shown.lastLogin);
    for (const [client, prefix] of [
      [admin, '/api/admin'],
      [partner, '/api/service-integrator'],
    ] as const) {
      expect(await seatsAt(client, `${prefix}/${path}`)).toEqual({
        success: true,
        customerName: 'Acme',
        seats: [shown],
        total: 1,
        nextCursor: null,
        kinds: { developer: { allocated: 3, active: 3 }, stakeholder: { allocated: 2, active: 0 } },
        limitsEnforced: true,
        denials: [],
      });
    }
    const outsider = await asIntegrator(server.url, await newIntegrator(admin));
    expect((await outsider.get(`/api/service-integrator/customers/${customer.id}/seats`)).status).toBe(404);
  });

  it('are sorted by time of use, where connected users are last, filtered, paged and exported', async () => {
    const socket = await openToolSocket(server.url, ada.token);
    const connected = await eventually(
      () => ofPortal(),
      (reply) => names(reply).at(-1) === 'ada',
    );
    expect(names(connected)).toEqual(['bob', 'cyd', 'ada']);
    expect(connected.seats.at(-1)).toMatchObject({ currentlyConnected: true, idleSince: null, machineId: expect.any(String) });
    expect(names(await ofPortal('?sort=-idleSince'))).toEqual(['ada', 'cyd', 'bob']);
    expect(names(await ofPortal('?sort=-lastCall')).at(0)).toBe('bob');
    const first = await ofPortal('?sort=-since&limit=2');
    expect([names(first), first.total]).toEqual([['cyd', 'bob'], 3]);
    expect(names(await ofPortal(`?sort=-since&limit=2&cursor=${first.nextCursor}`))).toEqual(['ada']);
    for (const sort of ['username', 'lastCall', 'idleSince']) {
      const page = await ofPortal(`?sort=${sort}&limit=1`);
      const rest = await ofPortal(`?sort=${sort}&cursor=${page.nextCursor}`);
      expect([...names(page), ...names(rest)].sort()).toEqual(['ada', 'bob', 'cyd']);
    }
    expect(await ofPortal('?idleDays=1')).toMatchObject({ seats: [], total: 0 });
    expect((await portal.get('/api/customer/seats?idleDays=0')).body.code).toBe('validation_failed');
    await onDatabase("update read.portal_user set last_login = null, seat_since = now() - interval '40 days'");
    expect(names(await ofPortal('?idleDays=30'))).toEqual(['cyd']); // bob made a call
    const csv = await portal.get('/api/customer/seats?sort=username', { headers: { accept: 'text/csv' } });
    expect(csv.headers.get('content-disposition')).toMatch(/"seats-acme-\d{4}-\d{2}-\d{2}\.csv"/);
    const lines = String(csv.body).trim().split('\r\n');
    expect(lines[0]).toMatch(/^user_id,username,email,role,kind,since,connected,last_call,idle_since/);
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(['ada', 'bob', 'cyd']);
    await socket.close();
  });

  it('are released with the user, and taken again with a new role', async () => {
    await portal.put(`/api/users/${cyd.userId}/status`, { status: 'inactive' });
    expect(await ofPortal('?sort=username')).toMatchObject({ total: 2, kinds: { developer: { active: 2 } } });
    await partner.put(`/api/users/${bob.userId}`, { username: 'bob', email: 'bob@example.com', role: 'stakeholder' });
    const moved = await ofPortal('?kind=stakeholder');
    expect(moved).toMatchObject({
      seats: [{ username: 'bob', kind: 'stakeholder' }],
      total: 1,
      kinds: { developer: { active: 1 }, stakeholder: { active: 1 } },
    });
    expect(Date.parse(moved.seats[0]?.since ?? '')).toBeGreaterThan(Date.now() - 60_000);
    await admin.delete(`/api/admin/users/${bob.userId}`);
    expect(names(await ofPortal())).toEqual(['ada']);
  });
});

describe('a refused seat', () => {
  it('is shown on the board and in the history, also of a person who is no user, and not of a wrong key', async () => {
    const full = await newCustomer(admin, integrator.id, { name: 'Full', developerSeats: 1, stakeholderSeats: 0 });
    const holder = await asTool(server.url, full, 'holder');
    const owner = await asCustomer(server.url, full);
    const signIn = (name: string, licenseKey = full.licenseKey) =>
      clientOf(server.url).post('/api/cli/login', { ...toolLoginOf(full, name, `machine-of-${name}`), licenseKey });
    const denialsOf = async () => (await seatsAt(owner, '/api/customer/seats')).denials;
    expect((await signIn('eve', `${full.licenseKey.slice(0, -1)}?`)).status).toBe(401);
    expect((await signIn('eve')).body.code).toBe('seat_limit_reached');
    expect((await signIn('EVE')).body.code).toBe('seat_limit_reached');
    await admin.put(`/api/admin/users/${holder.userId}/status`, { status: 'suspended' });
    expect((await signIn('holder')).body.code).toBe('user_suspended');
    const denials = await eventually(denialsOf, (found) => found.length === 2);
    const once = { kind: 'developer', persons: 1, attempts: 1, lastAt: expect.any(String) };
    expect(denials).toEqual([
      { ...once, reason: 'seat_limit_reached' }, // the second attempt of the minute is counted when it ends
      { ...once, reason: 'user_suspended' },
    ]);
    const { history } = (await partner.get(`/api/service-integrator/customers/${full.id}/history?type=SeatDenied`)).body;
    expect(history.map(({ summary }: { summary: string }) => summary).sort()).toEqual([
      'User eve got no developer seat: no seat was free',
      'User holder got no developer seat: the user is suspended',
    ]);
    await admin.delete(`/api/admin/customers/${full.id}`);
    await eventually(
      () => admin.get(`/api/admin/customers/${full.id}/history?type=SeatDenied`),
      ({ body }) => body.total === 0,
    );
  });
});
