import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { customerId, integratorId, userId } from '../../src/contracts/fields.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import type { Changed, Handshake, Presence, ServerToBrowser } from '../../src/contracts/live.ts';
import type { MetricsPoint } from '../../src/contracts/monitoring.ts';
import type { OpenSession } from '../../src/contracts/sessions.ts';
import type { RoleOf } from '../../src/domain/permissions.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  newCustomer,
  newIntegrator,
  type Reply,
  type Tool,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { asIntegratorMember, invite, join } from '../support/members.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { itAtLength } from '../support/tiers.ts';
import { openToolSocket } from '../support/toolSocket.ts';

type Browser = {
  socket: Socket<ServerToBrowser>;
  changed: Changed[];
  presence: Presence[];
  metrics: MetricsPoint[];
  errors: string[];
};

let server: TestServer;
let admin: Client;
let integrator: ServiceIntegrator;
let customer: Customer;
const open: Browser[] = [];

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  customer = await newCustomer(admin, integrator.id);
});

afterEach(() => {
  for (const { socket } of open.splice(0)) socket.disconnect();
});

afterAll(() => server.close());

const tokenOf = (client: Client): string => client.headers.authorization?.split(' ')[1] ?? '';

/** A browser that listens, whether or not it is let in. */
const listen = (
  url: string,
  {
    auth = {},
    headers = {},
    transports = ['websocket'],
  }: { auth?: Handshake; headers?: Record<string, string>; transports?: string[] },
): Browser => {
  const socket: Socket<ServerToBrowser> = io(url, { transports, auth, extraHeaders: headers, reconnection: false, forceNew: true });
  const browser: Browser = { socket, changed: [], presence: [], metrics: [], errors: [] };
  socket.on('changed', (message) => browser.changed.push(message));
  socket.on('presence', (message) => browser.presence.push(message));
  socket.on('metrics', (message) => browser.metrics.push(message));
  socket.on('connect_error', (error) => browser.errors.push(error.message));
  open.push(browser);
  return browser;
};

const connected = async (browser: Browser): Promise<Browser> => {
  await eventually(() => browser.socket.connected, Boolean);
  return browser;
};
const asBrowserOf = (client: Client, url = server.url): Promise<Browser> =>
  connected(
    listen(url, client.headers.cookie ? { headers: { cookie: client.headers.cookie } } : { auth: { token: tokenOf(client) } }),
  );

const topicsOf = ({ changed }: Browser): string[] => changed.flatMap(({ topics }) => topics.map((topic) => topic.join(' ')));
const edit = (name: string) => admin.put(`/api/admin/customers/${customer.id}`, { name, contactEmail: 'it@acme.example' });

describe('the live feed', () => {
  it('notifies the tenants that may see a change, and no other', async () => {
    const outsider = await newIntegrator(admin, { companyName: 'Outsider' });
    const other = await newCustomer(admin, integrator.id, { name: 'Other' });
    const [root, partner, portal, foreign, neighbour] = [
      await asBrowserOf(admin),
      await asBrowserOf(await asIntegrator(server.url, integrator)),
      await asBrowserOf(await asCustomer(server.url, customer)),
      await asBrowserOf(await asIntegrator(server.url, outsider)),
      await asBrowserOf(await asCustomer(server.url, other)),
    ];
    const reply = await edit('Notified');
    for (const browser of [root, partner, portal]) {
      await eventually(
        () => topicsOf(browser),
        (topics) => topics.includes(`customer ${customer.id}`),
      );
      expect(BigInt(browser.changed.at(-1)?.position ?? 0)).toBeGreaterThanOrEqual(BigInt(reply.headers.get('x-position') ?? 0));
    }
    for (const browser of [foreign, neighbour])
      expect(topicsOf(browser).filter((topic) => topic.includes(customer.id))).toEqual([]);
  });

  it('notifies each role of a customer of what it sees: developers of no other user', async () => {
    const house = await newCustomer(admin, integrator.id, { name: 'House' });
    const [own, other] = [await asTool(server.url, house, 'own'), await asTool(server.url, house, 'other')];
    const owner = {
      kind: 'customer',
      customerId: customerId.parse(house.id),
      integratorId: integratorId.parse(integrator.id),
      userId: userId.parse(own.userId),
    } as const;
    const asRole = async (role: RoleOf<'customer'>): Promise<Browser> =>
      connected(listen(server.url, { auth: { token: (await server.product.sessions.open(owner, { role })).token } }));
    const [everything, stakeholder, developer] = [await asRole('admin'), await asRole('stakeholder'), await asRole('developer')];
    const seenBy = (browser: Browser, topic: string) =>
      eventually(
        () => topicsOf(browser),
        (topics) => topics.includes(topic),
      );
    const record = (tool: Tool) =>
      tool.post('/api/cli/api-calls', {
        sourceId: tool.userId,
        firstSequence: 1,
        calls: [{ service: 'jira', instanceUrl: 'https://jira.example', operation: 'GET:/issue', status: 200, durationMs: 5 }],
      });
    const deactivate = (userOf: { userId: string }) =>
      admin.put(`/api/admin/users/${userOf.userId}/status`, { status: 'inactive' });

    expect((await record(other)).status).toBe(202);
    await deactivate(other);
    for (const browser of [everything, stakeholder]) await seenBy(browser, `usage ${house.id}`);
    await seenBy(everything, 'users');
    const noted = { name: 'House', contactEmail: 'new@house.example' };
    await admin.put(`/api/admin/customers/${house.id}`, noted);
    for (const browser of [everything, stakeholder, developer]) await seenBy(browser, `customer ${house.id}`);
    expect(topicsOf(developer)).toEqual([`customer ${house.id}`]);
    expect(topicsOf(stakeholder).filter((topic) => /^(users|history|team|credentials)/.test(topic))).toEqual([]);
    expect([developer.presence, stakeholder.presence]).toEqual([[], []]);

    expect((await record(own)).status).toBe(202);
    await seenBy(developer, `usage ${house.id}`);
  });

  itAtLength('notifies browsers on every node', async () => {
    const node = await server.openNode();
    const browser = await asBrowserOf(await asAdmin(node.url), node.url);
    await edit('Notified elsewhere');
    await eventually(
      () => topicsOf(browser),
      (topics) => topics.includes(`customer ${customer.id}`),
    );
    browser.socket.disconnect();
    await node.close();
  });

  it('sends a new browser the changes since its page was requested, and no others', async () => {
    const before = await asBrowserOf(admin);
    await edit('Asked for');
    await eventually(
      () => topicsOf(before),
      (topics) => topics.includes(`customer ${customer.id}`),
    );
    const askedAt = performance.now();
    // What was done before, as the sign-in of a test before, may be recorded during a handshake.
    const sentAtFirst = async () => {
      const fresh = await connected(listen(server.url, { headers: admin.headers, auth: { ageMs: 0 } }));
      const [first] = await eventually(
        () => fresh.changed,
        ({ length }) => length > 0,
      );
      return first?.topics;
    };
    expect(await eventually(sentAtFirst, (topics) => topics?.length === 0)).toEqual([]);
    await edit('Changed since');
    const auth = { ageMs: performance.now() - askedAt };
    const late = await connected(listen(server.url, { headers: admin.headers, auth }));
    await eventually(
      () => topicsOf(late),
      (topics) => topics.includes(`customer ${customer.id}`) && !topics.includes(''),
    );
  });

  it('sends a browser that reconnects the missed changes, or that everything may have changed', async () => {
    const first = await asBrowserOf(admin);
    await edit('Before');
    await eventually(
      () => first.changed.length,
      (count) => count > 0,
    );
    const position = first.changed.at(-1)?.position ?? '';
    first.socket.disconnect();
    await edit('Missed');
    const back = await connected(listen(server.url, { headers: admin.headers, auth: { position } }));
    await eventually(
      () => topicsOf(back),
      (topics) => topics.includes(`customer ${customer.id}`) || topics.includes(''),
    );
    const lost = await connected(listen(server.url, { headers: admin.headers, auth: { position: '0' } }));
    await eventually(
      () => lost.changed.flatMap(({ topics }) => topics),
      (topics) => topics.some((topic) => topic.length === 0),
    );
  });

  it('sends presence to the tenants that may see it', async () => {
    const [root, portal] = [await asBrowserOf(admin), await asBrowserOf(await asCustomer(server.url, customer))];
    const foreign = await asBrowserOf(await asIntegrator(server.url, await newIntegrator(admin)));
    const tool = await asTool(server.url, customer, 'present');
    const socket = await openToolSocket(server.url, tool.token);
    for (const browser of [root, portal]) {
      await eventually(
        () => browser.presence,
        (seen) => seen.some(({ userId, connected: here }) => userId === tool.userId && here),
      );
    }
    const shown = await asCustomer(server.url, customer);
    expect((await shown.get('/api/users/with-connections?search=present')).body.users[0].currentlyConnected).toBe(true);
    expect((await shown.get('/api/customer/profile')).body.profile.activeConnections).toBe(1);
    await socket.close();
    for (const browser of [root, portal]) {
      await eventually(
        () => browser.presence,
        (seen) => seen.some(({ userId, connected: here }) => userId === tool.userId && !here),
      );
    }
    expect(foreign.presence).toEqual([]);
  });

  it('sends the points of the live charts every second, to administrators only', async () => {
    const [root, portal] = [await asBrowserOf(admin), await asBrowserOf(await asCustomer(server.url, customer))];
    const [first, second] = await eventually(
      () => root.metrics.filter(({ callsPerSecond }) => callsPerSecond !== null),
      (points) => points.length >= 2,
    );
    expect(first).toMatchObject({
      callsPerSecond: expect.any(Number),
      projectionLagMs: expect.any(Number),
      connectedUsers: expect.any(Number),
    });
    expect(Date.parse(second?.at ?? '') - Date.parse(first?.at ?? '')).toBeGreaterThanOrEqual(0);
    expect(portal.metrics).toEqual([]);
  });
});

describe('a handshake', () => {
  const refusalOf = async (browser: Browser): Promise<string> => {
    const [message = ''] = await eventually(
      () => browser.errors,
      (errors) => errors.length > 0,
    );
    expect(browser.socket.connected).toBe(false);
    return message;
  };

  it('without a live session is refused by its code', async () => {
    expect(await refusalOf(listen(server.url, {}))).toBe('session_required');
    expect(await refusalOf(listen(server.url, { auth: { token: 'A'.repeat(43) } }))).toBe('session_required');
    expect(await refusalOf(listen(server.url, { auth: { token: (await asTool(server.url, customer)).token } }))).toBe(
      'session_required',
    );
    const stolen = (admin.headers.cookie ?? '').split('=')[1] ?? '';
    expect(await refusalOf(listen(server.url, { auth: { token: stolen } }))).toBe('session_required');
  });

  it('from another origin, or by polling, is refused', async () => {
    await refusalOf(listen(server.url, { headers: { ...admin.headers, origin: 'https://evil.example' } }));
    await refusalOf(listen(server.url, { headers: admin.headers, transports: ['polling'] }));
    const own = await connected(listen(server.url, { headers: { ...admin.headers, origin: server.url } }));
    expect(own.errors).toEqual([]);
  });
});

describe('a session that ends', () => {
  it('disconnects its browsers', async () => {
    const owner = await newCustomer(admin, integrator.id, { name: 'Ending' });
    const portal = await asBrowserOf(await asCustomer(server.url, owner));
    const gone = new Promise((resolve) => portal.socket.on('disconnect', resolve));
    await admin.put(`/api/admin/customers/${owner.id}`, { name: 'Ending', contactEmail: 'a@b.example', status: 'suspended' });
    expect(await gone).toBe('io server disconnect');
    const partner = await asIntegrator(server.url, integrator);
    const browser = await asBrowserOf(partner);
    const signedOut = new Promise((resolve) => browser.socket.on('disconnect', resolve));
    await partner.post('/api/auth/service-integrator/logout');
    expect(await signedOut).toBe('io server disconnect');
  });

  it('disconnects the browsers of a named user on every node, with the role, by an owner, and with the removal', async () => {
    const node = await server.openNode();
    const partner = await asIntegrator(server.url, integrator);
    const joined = await join(server.url, await invite(partner, 'manager'), { secondFactor: false });
    const path = `/api/team/members/${joined.userId}`;
    const revoke = async (): Promise<Reply> => {
      const { sessions } = (await partner.get('/api/sessions')).body;
      const session = sessions.find((one: OpenSession) => one.userId === joined.userId);
      return partner.delete(`/api/sessions/${session?.sessionId}`);
    };
    for (const end of [
      () => partner.put(path, { role: 'auditor' }),
      revoke,
      () => partner.post(`${path}/revoke-sessions`),
      () => partner.delete(path),
    ]) {
      const browser = await asBrowserOf(await asIntegratorMember(server.url, joined), node.url);
      const gone = new Promise((resolve) => browser.socket.on('disconnect', resolve));
      expect((await end()).status).toBe(200);
      expect(await gone).toBe('io server disconnect');
    }
    await node.close();
  });
});
