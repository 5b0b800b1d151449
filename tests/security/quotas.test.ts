import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Customer } from '../../src/contracts/customers.ts';
import type { LimitName } from '../../src/http/requests/metrics.ts';
import { boundPeers } from '../../src/http/requests/peers.ts';
import { createQuota } from '../../src/http/requests/quota.ts';
import { boundReaders } from '../../src/http/requests/timeouts.ts';
import { asAdmin, asCustomer, asTool, bearer, type Client, clientOf, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually, until } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { startThirdParty, type ThirdParty } from '../support/thirdParties.ts';
import { dialTool, openToolSocket } from '../support/toolSocket.ts';

describe('a quota', () => {
  it('grants each key its share and no more, and accepts each release once', () => {
    const quota = createQuota({ each: 2, all: 3 });
    const [first, second] = [quota.acquire('a'), quota.acquire('a')];
    expect([typeof first, typeof second, quota.acquire('a')]).toEqual(['function', 'function', null]);
    expect([typeof quota.acquire('b'), quota.acquire('c')]).toEqual(['function', null]);
    first?.();
    first?.();
    expect([typeof quota.acquire('c'), quota.acquire('a')]).toEqual(['function', null]);
  });
});

const apps: FastifyInstance[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const app of apps.splice(0)) await app.close();
});

const dial = async (app: FastifyInstance): Promise<Socket> => {
  const { port } = app.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined); // the server may close it
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
};

const appWith = (): { app: FastifyInstance; rejected: LimitName[]; onRejected: (limit: LimitName) => void } => {
  const rejected: LimitName[] = [];
  const app = Fastify();
  apps.push(app);
  return { app, rejected, onRejected: (limit) => void rejected.push(limit) };
};

describe('connections of one address', () => {
  it('above its share are closed until another one ends', async () => {
    const { app, rejected, onRejected } = appWith();
    boundPeers(app, { isShared: () => false, onRejected, quotas: { connectionsPerAddress: 2 } });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const [first, second] = [await dial(app), await dial(app)];
    await once((await dial(app)).resume(), 'close');
    expect(rejected).toEqual(['connections_per_address']);
    expect([first.destroyed, second.destroyed]).toEqual([false, false]);
    second.destroy();
    await until(async () => {
      const next = await dial(app);
      next.write('GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
      const [answer]: unknown[] = await Promise.race([once(next, 'data'), once(next, 'close')]);
      return String(answer).startsWith('HTTP/1.1 404');
    });
  });

  it('are not counted for the address of a trusted proxy', async () => {
    const { app, rejected, onRejected } = appWith();
    boundPeers(app, { isShared: () => true, onRejected, quotas: { connectionsPerAddress: 1 } });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const both = [await dial(app), await dial(app)];
    for (const socket of both) socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await Promise.all(both.map((socket) => once(socket, 'data')));
    expect(rejected).toEqual([]);
  });
});

describe('a client that stops reading a large reply', () => {
  const large = 32 * 1024 * 1024;
  const open = async (quotas: { readerIdleMs: number; readerTotalMs: number }) => {
    const made = appWith();
    boundReaders(made.app, { onRejected: made.onRejected, quotas });
    made.app.get('/stream', async (_request, reply) =>
      reply.send(Readable.from(Array.from({ length: 512 }, () => Buffer.alloc(large / 512)))),
    );
    made.app.get('/text', async () => Buffer.alloc(large));
    await made.app.listen({ host: '127.0.0.1', port: 0 });
    return made;
  };
  const ask = async (app: FastifyInstance, path: string): Promise<Socket> => {
    const socket = await dial(app);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    return socket;
  };

  it.each(['/stream', '/text'])('is disconnected: %s', async (path) => {
    const { app, rejected } = await open({ readerIdleMs: 200, readerTotalMs: 60_000 });
    (await ask(app, path)).pause();
    await until(() => rejected.length > 0);
    expect(rejected).toEqual(['slow_readers']);
  });

  it('is disconnected if it takes too long for the whole reply', async () => {
    const { app, rejected } = await open({ readerIdleMs: 60_000, readerTotalMs: 200 });
    (await ask(app, '/stream')).pause();
    await until(() => rejected.length > 0);
    expect(rejected).toEqual(['slow_readers']);
  });

  it('is distinguished from a slow one', async () => {
    const { app, rejected } = await open({ readerIdleMs: 60_000, readerTotalMs: 60_000 });
    for (const path of ['/stream', '/text']) {
      const socket = await ask(app, path);
      let bytes = 0;
      socket.on('data', ({ length }) => {
        bytes += length;
      });
      await until(() => bytes >= large);
      socket.write('GET /none HTTP/1.1\r\nhost: localhost\r\n\r\n');
      await until(() => bytes > large + 200);
    }
    expect(rejected).toEqual([]);
  });
});

describe('a server with small quotas', () => {
  let server: TestServer;
  let admin: Client;
  let customer: Customer;
  let other: Customer;
  let jira: ThirdParty;

  beforeAll(async () => {
    const env = { TRUST_PROXY: 'loopback', CREDENTIAL_TEST_ALLOW: '127.0.0.1' };
    const quotas = {
      handshakesPerAddress: 3,
      handshakes: 5,
      toolsPerTenant: 2,
      browsersPerTenant: 2,
      credentialTestsPerTenant: 2,
      credentialTests: 3,
    };
    server = await openServer(env, { quotas });
    admin = await asAdmin(server.url);
    const { id } = await newIntegrator(admin);
    [customer, other] = [await newCustomer(admin, id), await newCustomer(admin, id, { name: 'Other' })];
    jira = await startThirdParty('jira', { username: 'ada', secret: 'the-secret' });
  });

  afterAll(async () => {
    await jira.close();
    await server.close();
  });

  const rejections = async (limit: LimitName): Promise<number> => {
    const token = (admin.headers.cookie ?? '').split('=')[1] ?? '';
    const { body } = await clientOf(server.url).get('/metrics', { headers: bearer(token) });
    return Number(new RegExp(`^latchkey_limit_rejections_total\\{limit="${limit}"\\} (\\d+)$`, 'm').exec(body)?.[1]);
  };

  const LIVE = '/socket.io/?EIO=4&transport=websocket';
  /** Opens a socket without signing in; resolves to the status of the upgrade. */
  const knock = (path: string, from: string): Promise<{ status: number; ws: WebSocket }> =>
    new Promise((resolve) => {
      const ws = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, { headers: { 'x-forwarded-for': from } });
      ws.on('error', () => undefined);
      ws.on('unexpected-response', (_request, response) => resolve({ status: response.statusCode ?? 0, ws }));
      ws.on('open', () => resolve({ status: 101, ws }));
    });

  it('refuses handshakes above the share of an address and above the total until others complete', async () => {
    const opened = [];
    for (const path of [LIVE, '/api/cli/connect', LIVE]) opened.push(await knock(path, '203.0.113.1'));
    expect(opened.map(({ status }) => status)).toEqual([101, 101, 101]);
    expect((await knock(LIVE, '203.0.113.1')).status).toBe(503);
    expect((await knock('/api/cli/connect', '203.0.113.1')).status).toBe(503);
    opened.push(await knock(LIVE, '203.0.113.2'), await knock(LIVE, '2001:db8::1'));
    expect((await knock(LIVE, '203.0.113.3')).status).toBe(503);
    expect([await rejections('handshakes_per_address'), await rejections('handshakes')]).toEqual([2, 1]);
    for (const { ws } of opened) ws.terminate();
    await eventually(
      () => knock(LIVE, '203.0.113.1'),
      ({ status, ws }) => {
        ws.terminate();
        return status === 101;
      },
    );
  });

  it('counts the sockets of signed-in tools for their customer, not as handshakes', async () => {
    const { token } = await asTool(server.url, customer, 'ada');
    const [first, second] = [await openToolSocket(server.url, token), await openToolSocket(server.url, token)];
    const third = await dialTool(server.url, { type: 'hello', token, connectionId: crypto.randomUUID() });
    expect(await third.closed).toBe(1013);
    expect(await rejections('tools_per_tenant')).toBe(1);
    const others = await asTool(server.url, other, 'eve');
    const elsewhere = await openToolSocket(server.url, others.token);
    await second.close();
    await eventually(
      async () => {
        const again = await dialTool(server.url, { type: 'hello', token, connectionId: second.connectionId });
        const welcomed = await Promise.race([
          again.closed.then(() => false),
          until(() => again.frames.length > 0).then(() => true),
        ]);
        await again.close();
        return welcomed;
      },
      (welcomed) => welcomed,
    );
    await Promise.all([first.close(), elsewhere.close()]);
  });

  it('limits the browsers of one account', async () => {
    const portal = await asCustomer(server.url, customer);
    const token = portal.headers.authorization?.split(' ')[1];
    const join = async (): Promise<{ answer: string; ws: WebSocket }> => {
      const { ws } = await knock(LIVE, '203.0.113.9');
      const answer = new Promise<string>((resolve) =>
        ws.on('message', (data) => /^4[04]/.test(String(data)) && resolve(String(data).slice(0, 2))),
      );
      ws.send(`40${JSON.stringify({ token })}`);
      return { answer: await answer, ws };
    };
    const joined = [await join(), await join(), await join()];
    expect(joined.map(({ answer }) => answer)).toEqual(['40', '40', '44']);
    expect(await rejections('browsers_per_tenant')).toBe(1);
    for (const { ws } of joined) ws.terminate();
  });

  it('limits concurrent credential tests of one customer and in total', async () => {
    const given = { service: 'jira', instanceUrl: jira.url, username: 'ada', password: 'the-secret' };
    const [portal, others] = [await asCustomer(server.url, customer), await asCustomer(server.url, other)];
    const { id } = (await portal.post('/api/credentials/store', given)).body.credential;
    jira.behave('slow');
    const held = [portal.post(`/api/credentials/${id}/test`), portal.post(`/api/credentials/${id}/test`)];
    await until(() => jira.requests.length === 3);
    const refused = await portal.post('/api/credentials/store', given);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_tests' } });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await portal.get('/api/credentials/list')).body.credentials).toHaveLength(1);
    held.push(others.post('/api/credentials/store', given));
    await until(() => jira.requests.length === 4);
    expect(await others.post('/api/credentials/store', given)).toMatchObject({ status: 429 });
    expect([await rejections('credential_tests_per_tenant'), await rejections('credential_tests')]).toEqual([1, 1]);
    jira.behave('normal');
    jira.release();
    await Promise.all(held);
    expect((await portal.post(`/api/credentials/${id}/test`)).status).toBe(200);
  });
});
