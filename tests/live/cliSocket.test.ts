import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { ACTOR_ADDRESS } from '../../src/eventstore/port.ts';
import {
  asAdmin,
  asIntegrator,
  asTool,
  bearer,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
  type Reply,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { asSuperuser } from '../support/stores.ts';
import { itAtLength } from '../support/tiers.ts';
import { dialTool, openToolSocket } from '../support/toolSocket.ts';

let server: TestServer;
let admin: Client;
let integrator: ServiceIntegrator;
let customer: Customer;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  customer = await newCustomer(admin, integrator.id);
});

afterAll(() => server.close());

const set = (id: string, changes: Record<string, unknown>) =>
  admin.put(`/api/admin/customers/${id}`, { name: 'Acme', contactEmail: 'it@acme.example', ...changes });
const isConnected = async (userId: string): Promise<boolean> => {
  const { users } = (await admin.get(`/api/admin/users?limit=500`)).body;
  return users.find(({ id }: { id: string }) => id === userId).currentlyConnected;
};

describe('the socket of a command-line tool', () => {
  it('is accepted, and its user is connected as long as one is open', async () => {
    const tool = await asTool(server.url, customer, 'ada');
    const [one, two] = [await openToolSocket(server.url, tool.token), await openToolSocket(server.url, tool.token)];
    expect(one.frames[0]).toMatchObject({
      type: 'welcome',
      user: { id: tool.userId, username: 'ada', currentlyConnected: true },
      customer: { id: customer.id, name: 'Acme', status: 'active' },
      theme: { name: 'plain' },
    });
    expect(await isConnected(tool.userId)).toBe(true);
    await one.close();
    expect((await admin.get(`/api/admin/customers/${customer.id}`)).body.customer.activeConnections).toBeGreaterThanOrEqual(1);
    expect(await isConnected(tool.userId)).toBe(true);
    await two.close();
    await eventually(
      () => isConnected(tool.userId),
      (connected) => !connected,
    );
  });

  it('does not count as a request in flight, so thousands of them do not block requests', async () => {
    const scraper = clientOf(server.url, bearer((admin.headers.cookie ?? '').split('=')[1] ?? ''));
    const inFlight = async (): Promise<string | undefined> =>
      /^latchkey_http_requests_in_flight (\d+)/m.exec((await scraper.get('/metrics')).body)?.[1];
    const before = await inFlight();
    expect(before).toBeDefined();
    const tool = await asTool(server.url, customer, 'grace');
    const sockets = await Promise.all([1, 2, 3].map(() => openToolSocket(server.url, tool.token)));
    expect(await inFlight()).toBe(before);
    for (const socket of sockets) await socket.close();
  });

  it('is closed if it vanishes without a close frame', async () => {
    const tool = await asTool(server.url, customer, 'bob');
    const socket = await openToolSocket(server.url, tool.token);
    socket.ws.terminate();
    await eventually(
      () => isConnected(tool.userId),
      (connected) => !connected,
    );
    const stream = `userActivity-${tool.userId}` as const;
    const seen = async () => {
      const types: string[] = [];
      for await (const { event, meta, sealed } of server.product.events.read(stream)) {
        if (event.type !== 'UserAuthenticated') {
          expect(meta.actor).toMatchObject({ kind: 'user', id: tool.userId, sessionId: expect.any(String), method: 'key' });
          expect(sealed, 'the address of the socket').toHaveProperty([ACTOR_ADDRESS]);
        }
        types.push(event.type === 'UserDisconnected' ? `${event.type} ${event.data.reason}` : event.type);
      }
      return types;
    };
    await eventually(seen, (types) => types.join() === 'UserAuthenticated,UserConnected,UserDisconnected lost');
  });

  it('replaces the former one with its connection id on any node, and none of another user', async () => {
    const node = await server.openNode();
    const [tool, outsider] = [await asTool(server.url, customer, 'cid'), await asTool(server.url, customer, 'dan')];
    const first = await openToolSocket(server.url, tool.token);
    const second = await openToolSocket(server.url, tool.token, { connectionId: first.connectionId });
    expect(await first.closed).toBe(4000);
    const third = await openToolSocket(node.url, tool.token, { connectionId: first.connectionId });
    expect(await second.closed).toBe(4000);
    const thief = await dialTool(server.url, { type: 'hello', token: outsider.token, connectionId: first.connectionId });
    expect(await thief.closed).toBe(4403);
    expect(await isConnected(tool.userId)).toBe(true);
    await third.close();
    await eventually(
      () => isConnected(tool.userId),
      (connected) => !connected,
    );
    await node.close();
  });

  itAtLength('gets changes later if they could not be queried at first', async () => {
    const { db } = server.product;
    const owner = await newCustomer(admin, integrator.id);
    const partner = await asIntegrator(server.url, integrator);
    const late = { themeName: 'late', displayName: 'Late', primaryColor: '#778899' };
    const { id } = (await partner.post('/api/service-integrator/themes', late)).body.theme;
    const socket = await openToolSocket(server.url, (await asTool(server.url, owner, 'late')).token);
    await db.transaction().execute(async (tx) => {
      await sql`lock table read.theme_catalogue in access exclusive mode`.execute(tx);
      await set(owner.id, { theme: id });
      const endAsking = `select pg_terminate_backend(pid) as ended from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like 'select % from "read"."theme" as "t"%'`;
      await eventually(
        () => asSuperuser(db, endAsking),
        ([result]) => result?.rows.some(({ ended }) => ended) === true,
      );
    });
    await eventually(
      () => socket.frames.at(-1),
      (frame) => frame?.type === 'theme' && frame.theme.displayName === 'Late',
    );
    await socket.close();
  });

  it('gets a changed theme and changed seats', async () => {
    const owner = await newCustomer(admin, integrator.id);
    const tool = await asTool(server.url, owner, 'eve');
    const socket = await openToolSocket(server.url, tool.token);
    await set(owner.id, { theme: 'aurora', developerSeats: 42 });
    const frames = await eventually(
      () => socket.frames,
      (seen) => seen.some(({ type }) => type === 'theme') && seen.some(({ type }) => type === 'seat'),
    );
    expect(frames.find(({ type }) => type === 'theme')).toMatchObject({ theme: { name: 'aurora', displayName: 'Aurora' } });
    expect(frames.findLast(({ type }) => type === 'seat')).toEqual({
      type: 'seat',
      seat: { kind: 'developer', allocated: 42, active: 1 },
    });
    const included = [{ code: 'jira', startsAt: null, endsAt: null }];
    await set(owner.id, { entitlements: [{ code: 'jira' }] });
    await eventually(
      () => socket.frames.findLast(({ type }) => type === 'entitlements'),
      (frame) => frame?.type === 'entitlements' && JSON.stringify(frame.entitlements) === JSON.stringify(included),
    );
    const later = await openToolSocket(server.url, tool.token);
    expect(later.frames[0]).toMatchObject({ type: 'welcome', entitlements: included });
    await later.close();
    expect((await tool.get('/api/cli/session')).body.entitlements).toEqual(included);
    const partner = await asIntegrator(server.url, integrator);
    const theme = { themeName: 'brand', displayName: 'Brand', primaryColor: '#112233' };
    const { id } = (await partner.post('/api/service-integrator/themes', theme)).body.theme;
    await set(owner.id, { theme: id });
    await eventually(
      () => socket.frames.at(-1),
      (frame) => frame?.type === 'theme' && frame.theme.colors.primary === '#112233',
    );
    const { themeName: _fixed, ...revised } = theme;
    await partner.put(`/api/service-integrator/themes/${id}`, { ...revised, primaryColor: '#445566' });
    await eventually(
      () => socket.frames.at(-1),
      (frame) => frame?.type === 'theme' && frame.theme.colors.primary === '#445566',
    );
    await socket.close();
  });

  it('gets the term of the license when it is set, extended, renewed and removed', async () => {
    const owner = await newCustomer(admin, integrator.id);
    const path = `/api/admin/customers/${owner.id}/term`;
    const socket = await openToolSocket(server.url, (await asTool(server.url, owner, 'fay')).token);
    expect(socket.frames[0]).toMatchObject({ type: 'welcome', term: null });
    const next = async (change: () => Promise<Reply>) => {
      const before = socket.frames.filter(({ type }) => type === 'term').length;
      expect((await change()).status).toBe(200);
      const terms = await eventually(
        () => socket.frames.flatMap((frame) => (frame.type === 'term' ? [frame.term] : [])),
        ({ length }) => length > before,
      );
      expect(terms).toHaveLength(before + 1);
      return terms.at(-1);
    };
    const expiresAt = '2035-01-31T00:00:00.000Z';
    expect(await next(() => admin.put(path, { expiresAt, graceDays: 14, isTrial: true }))).toMatchObject({
      expiresAt,
      endsAt: '2035-02-14T00:00:00.000Z',
      isTrial: true,
      state: 'active',
    });
    expect(await next(() => admin.post(`${path}/extend`, { days: 1 }))).toMatchObject({ expiresAt: '2035-02-01T00:00:00.000Z' });
    expect(await next(() => admin.post(`${path}/renew`, { months: 1 }))).toMatchObject({
      expiresAt: '2035-03-01T00:00:00.000Z',
      isTrial: false,
    });
    expect(await next(() => admin.delete(path))).toBeNull();
    await socket.close();
  });

  it('is closed with a reason when its user or its customer loses access', async () => {
    const owner = await newCustomer(admin, integrator.id);
    const [ann, ben] = [await asTool(server.url, owner, 'ann'), await asTool(server.url, owner, 'ben')];
    const [one, two] = [await openToolSocket(server.url, ann.token), await openToolSocket(server.url, ben.token)];
    await admin.put(`/api/admin/users/${ann.userId}/status`, { status: 'suspended' });
    expect(await one.closed).toBe(4403);
    expect(one.frames.at(-1)).toEqual({ type: 'revoked', reason: 'Your user was suspended' });
    expect(two.ws.readyState).toBe(two.ws.OPEN);
    await set(owner.id, { status: 'suspended' });
    expect(await two.closed).toBe(4403);
    expect(two.frames.at(-1)).toEqual({ type: 'revoked', reason: 'This license is suspended' });
    await eventually(
      () => isConnected(ben.userId),
      (connected) => !connected,
    );
    const back = await dialTool(server.url, { type: 'hello', token: ben.token, connectionId: two.connectionId });
    expect(await back.closed).toBe(4403);
  });

  it.each([
    ['no token that lives', { type: 'hello', token: 'A'.repeat(43), connectionId: '00000000-0000-4000-8000-000000000001' }, 4401],
    ['something that is no hello', { type: 'hi' }, 4400],
    ['something that is no JSON', 'hello', 4400],
    ['a novel', JSON.stringify({ type: 'hello', token: 'x'.repeat(10_000) }), 1009],
  ])('that starts with %s is closed', async (_what, hello, code) => {
    expect(await (await dialTool(server.url, hello)).closed).toBe(code);
  });

  itAtLength('is asked to reconnect when its node restarts', async () => {
    const node = await server.openNode();
    const tool = await asTool(node.url, customer, 'fay');
    const socket = await openToolSocket(node.url, tool.token);
    await node.close();
    expect(await socket.closed).toBe(1012);
    await eventually(
      () => isConnected(tool.userId),
      (connected) => !connected,
    );
  });
});
