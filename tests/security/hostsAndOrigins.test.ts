import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
  type Reply,
} from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: Client;
let host: string;

beforeAll(async () => {
  // Only proxies of another network are trusted, and every client of these tests is on loopback.
  server = await openServer({ TRUST_PROXY: '10.0.0.0/8', PUBLIC_ORIGINS: 'https://licenses.example.com' });
  admin = await asAdmin(server.url);
  host = new URL(server.url).host;
});

afterAll(() => server.close());

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** The first line of the answer to a request that is written as it stands. */
const statusOf = async (path: string, headers: readonly (readonly [string, string])[]): Promise<string> => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.end(`GET ${path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  return (await text(socket)).split('\r\n')[0] ?? '';
};

/** 'open', or the status that the handshake was answered with. */
const handshake = (path: string, headers: Record<string, string>): Promise<string | number> =>
  new Promise((resolve, reject) => {
    const ws = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, { headers });
    ws.once('open', () => {
      ws.terminate();
      resolve('open');
    });
    ws.once('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    ws.once('error', (error) => reject(error));
  });

const LIVE = '/socket.io/?EIO=4&transport=websocket';
const TOOL = '/api/cli/connect';
/** How Socket.IO answers a handshake that it does not accept. */
const REJECTED = 400;

describe('a page of another origin', () => {
  const ORIGIN = 'https://licenses.example.com';
  const sharingOf = ({ headers }: Reply): Record<string, string> =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
  const shared = {
    'access-control-allow-origin': ORIGIN,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'etag, retry-after, x-position',
  };

  it('reads replies if the origin is configured', async () => {
    const nobody = clientOf(server.url);
    const reply = await nobody.get('/api/branding', { headers: { origin: ORIGIN } });
    expect(sharingOf(reply)).toEqual(shared);
    expect(reply.headers.get('vary')).toBe('Origin');
    const problem = await nobody.get('/api/admin/customers', { headers: { origin: ORIGIN } });
    expect([problem.status, sharingOf(problem)]).toEqual([401, shared]);
  });

  it('reads nothing if the origin is its own or not configured', async () => {
    for (const origin of [server.url, 'https://evil.example', 'null', 'http://licenses.example.com']) {
      const reply = await clientOf(server.url).get('/api/branding', { headers: { origin } });
      expect([origin, reply.status, sharingOf(reply)]).toEqual([origin, 200, {}]);
    }
  });

  it('gets an answer to a preflight if the origin is configured', async () => {
    for (const path of ['/api/branding', '/api/admin/customers']) {
      const preflight = await clientOf(server.url).send('OPTIONS', path, {
        headers: { origin: ORIGIN, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'if-match' },
      });
      expect([preflight.status, preflight.body]).toEqual([204, '']);
      expect(sharingOf(preflight)).toEqual({
        ...shared,
        'access-control-allow-methods': 'GET, POST, PUT, DELETE',
        'access-control-allow-headers': 'authorization, bulk-id, content-type, idempotency-key, if-match',
        'access-control-max-age': '600',
      });
      expect(preflight.headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('a request with two Host headers', () => {
  it.each(['/api/branding', '/healthz', '/', LIVE, TOOL])('is rejected: %s', async (path) => {
    const upgrade = path === LIVE || path === TOOL ? Object.entries(UPGRADE) : [['Connection', 'close'] as const];
    const one = [['Host', host] as const, ...upgrade];
    for (const second of ['evil.example', host]) {
      for (const name of ['Host', 'hOST']) {
        expect(await statusOf(path, [...one, [name, second]])).toBe('HTTP/1.1 400 Bad Request');
        expect(await statusOf(path, [[name, second], ...one])).toBe('HTTP/1.1 400 Bad Request');
      }
    }
    expect(await statusOf(path, one)).not.toContain('400');
  });
});

describe('a peer that is not a trusted proxy', () => {
  it('cannot name the host of a live socket', async () => {
    const rebound = { host: 'evil.example', origin: 'http://evil.example' };
    const headers = { ...admin.headers, ...rebound };
    expect(await handshake(LIVE, headers)).toBe(REJECTED);
    expect(await handshake(LIVE, { ...headers, 'x-forwarded-host': host })).toBe(REJECTED);
    expect(await handshake(LIVE, { ...headers, 'x-forwarded-host': 'licenses.example.com' })).toBe(REJECTED);
    const cross = { ...admin.headers, origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' };
    expect(await handshake(LIVE, cross)).toBe(REJECTED);
    expect(await handshake(LIVE, { ...admin.headers, origin: server.url, 'x-forwarded-host': 'evil.example' })).toBe('open');
  });

  it('cannot claim to use TLS', async () => {
    const headers = { origin: server.url.replace('http:', 'https:'), 'x-forwarded-proto': 'https' };
    expect(await handshake(LIVE, { ...admin.headers, ...headers })).toBe(REJECTED);
    expect((await admin.post('/api/auth/admin/logout', undefined, { headers })).status).toBe(403);
  });
});

describe('a trusted proxy', () => {
  it('sets the host and the scheme by the last value of its headers', async () => {
    const behind = await server.openNode({ TRUST_PROXY: 'loopback' });
    const at = (headers: Record<string, string>) =>
      new Promise((resolve) => {
        const ws = new WebSocket(`${behind.url.replace('http', 'ws')}${LIVE}`, { headers: { ...admin.headers, ...headers } });
        ws.once('open', () => resolve('open'));
        ws.once('unexpected-response', (_request, response) => resolve(response.statusCode));
        ws.once('error', () => undefined);
      });
    const names = { 'x-forwarded-host': 'evil.example, licenses.example.com', 'x-forwarded-proto': 'http, https' };
    expect(await at({ ...names, origin: 'https://licenses.example.com' })).toBe('open');
    expect(await at({ ...names, 'x-forwarded-host': 'licenses.example.com, evil.example' })).toBe(REJECTED);
    await behind.close();
  });
});

describe('a page of another origin', () => {
  it('cannot change anything with an administrator’s cookie', async () => {
    const { hostname, port } = new URL(server.url);
    for (const origin of [`https://${host}`, `http://${hostname}:${Number(port) + 1}`, `http://${hostname}`, 'null', '']) {
      const reply = await admin.post('/api/admin/service-integrators', {}, { headers: { origin } });
      expect([origin, reply.status, reply.body.code]).toEqual([origin, 403, 'origin_refused']);
    }
    expect((await admin.post('/api/admin/service-integrators', {}, { headers: { origin: server.url } })).status).toBe(400);
  });

  it('cannot open the socket of a command-line tool', async () => {
    for (const origin of ['https://evil.example', 'null', `https://${host}`]) {
      expect([origin, await handshake(TOOL, { origin })]).toEqual([origin, 403]);
    }
    expect(await handshake(TOOL, {})).toBe('open');
    expect(await handshake(TOOL, { origin: server.url })).toBe('open');
  });
});

describe('a browser after signing out', () => {
  it('is instructed to clear the data of the site', async () => {
    const integrator = await newIntegrator(admin);
    const sessions: [string, Client][] = [
      ['customer', await asCustomer(server.url, await newCustomer(admin, integrator.id))],
      ['service-integrator', await asIntegrator(server.url, integrator)],
      ['admin', await asAdmin(server.url)],
    ];
    for (const [audience, client] of sessions) {
      const reply = await client.post(`/api/auth/${audience}/logout`);
      expect([audience, reply.status, reply.headers.get('clear-site-data')]).toEqual([audience, 200, '"cache", "storage"']);
    }
  });
});

describe('a host below one that uses TLS', () => {
  it('uses TLS too', async () => {
    const reply = await admin.get('/api/branding');
    expect(reply.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  });
});
