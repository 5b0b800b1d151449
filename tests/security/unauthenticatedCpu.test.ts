import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestBytes, sendBytes, statusOf } from '../support/rawRequest.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';
import { openStores, type TestStores } from '../support/stores.ts';

/** CPU time that a request without a session may take of the server, with its connection. */
const MOST_MS = 10;
/** The first ones are slower, as the code is not compiled yet, and other work on the machine adds to a cost. */
const ATTEMPTS = 23;

let stores: TestStores;
let dataDir: string;
let server: ServerProcess;

beforeAll(async () => {
  stores = await openStores();
  dataDir = await mkdtemp(join(tmpdir(), 'latchkey-cpu-'));
  const env = {
    DATABASE_URL: stores.databaseUrl,
    EVENTSTORE_URL: stores.eventStoreUrl,
    MASTER_SECRET: Buffer.alloc(32, 7).toString('base64'),
    ROLES: 'api',
    TRUST_PROXY: 'loopback',
  };
  server = await startServerProcess(dataDir, env, 'bootstrap/main.js', { measured: true });
});

afterAll(async () => {
  await server.stop();
  await stores.close();
  await rm(dataDir, { recursive: true, force: true });
});

type Request = readonly (string | Buffer)[];

/** The least CPU time in ms, of attempts until one is cheap, and the last answer that arrived. */
const costOf = async (make: () => Request): Promise<{ ms: number; answer: string }> => {
  let ms = Number.POSITIVE_INFINITY;
  let answer = '';
  for (let sent = 0; sent < ATTEMPTS && ms >= MOST_MS; sent++) {
    const request = make();
    const before = await server.cpuTime();
    // The kernel drops an answer that was not read when the server closes a connection with unread bytes.
    answer = (await sendBytes(server.url, ...request)) || answer;
    ms = Math.min(ms, ((await server.cpuTime()) - before) / 1000);
  }
  return { ms, answer };
};

const expectCheap = async (make: () => Request, status: number): Promise<void> => {
  const { ms, answer } = await costOf(make);
  expect(statusOf(answer)).toBe(status);
  expect(ms).toBeLessThan(MOST_MS);
};

let address = 0;
/** Every request comes from another client, so that none is rejected for how many there were. */
const fromElsewhere = (): string => `x-forwarded-for: 2001:db8:${(address++).toString(16)}::1`;

const LOGIN = '/api/auth/customer/login';
const login = (body: string) => (): Request => [requestBytes(`POST ${LOGIN}`, { headers: [fromElsewhere()], body })];
const fields = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 0])));

describe('a body that is expensive to parse', () => {
  it.each<[string, string, number]>([
    ['100,000 unknown fields', fields(100_000), 413],
    ['as many unknown fields as fit', fields(400), 400],
    ['as many unknown fields as an object may have', fields(100), 400],
    ['brackets only', '['.repeat(900_000), 413],
    ['as many brackets as fit', '['.repeat(2_000) + ']'.repeat(2_000), 400],
    ['as many nested objects as fit', `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`, 400],
    ['one field, again and again', `{${'"licenseKey":"x",'.repeat(200)}"licenseKey":"x"}`, 400],
    ['a long number', `{"licenseKey":${'9'.repeat(4_000)}}`, 400],
    ['a long fraction', `{"licenseKey":0.${'0'.repeat(3_900)}1e999999}`, 400],
    ['a long text', `{"licenseKey":"${' '.repeat(4_000)}"}`, 400],
    ['escapes only', `{"licenseKey":"${'\\u0001'.repeat(600)}"}`, 400],
    ['NUL characters', `{"licenseKey":["${'\\u0000'.repeat(600)}"]}`, 400],
  ])('costs little: %s', (_what, body, status) => expectCheap(login(body), status));

  it('costs little: the longest sign-in of a tool', async () => {
    const body = JSON.stringify({
      licenseKey: 'LK-ENT-0000-00000',
      username: 'u'.repeat(100),
      email: `${'a.'.repeat(60)}a@${'a-'.repeat(30)}a.${'b.'.repeat(30)}com`,
      machineId: 'm'.repeat(200),
    });
    await expectCheap(() => [requestBytes('POST /api/cli/login', { headers: [fromElsewhere()], body })], 401);
  });

  it('costs little: one-byte chunks', async () => {
    const headers = [fromElsewhere(), 'content-type: application/json', 'transfer-encoding: chunked'];
    const chunks = `${'1\r\n \r\n'.repeat(1_000)}0\r\n\r\n`;
    await expectCheap(() => [requestBytes(`POST ${LOGIN}`, { headers }) + chunks], 400);
    await expectCheap(() => [requestBytes('POST /api/admin/customers', { headers }) + chunks], 401);
  });

  it('costs little if no route reads it', async () => {
    await expectCheap(() => [requestBytes('POST /api/nothing', { body: fields(100_000) })], 413);
    await expectCheap(() => [requestBytes('POST /api/admin/customers', { body: fields(60_000) })], 401);
    await expectCheap(() => [requestBytes('POST /api/cli/api-calls', { body: '['.repeat(1_000_000) })], 401);
  });
});

describe('an address that is expensive to parse', () => {
  it.each<[string, string, number]>([
    ['as many parameters as fit', `/api/branding?${Array.from({ length: 1_800 }, (_, at) => at.toString(36)).join('&')}`, 200],
    ['more parameters', `/api/branding?${'a&'.repeat(7_000)}`, 414],
    ['one parameter, again and again', `/api/branding?${'a=1&'.repeat(2_000)}`, 200],
    ['an escaped parameter', `/api/branding?a=${'%41'.repeat(2_700)}`, 200],
    ['escapes that are none', `/api/branding?a=${'%ff'.repeat(2_700)}`, 200],
    ['a deep path', `/${'a/'.repeat(4_000)}`, 404],
    ['a deep path of files', `/assets/${'a/'.repeat(4_000)}`, 404],
    ['a path out of the folder', `/assets/${'../'.repeat(2_700)}`, 404],
    ['an escaped path', `/${'%41'.repeat(2_700)}`, 404],
  ])('costs little: %s', (_what, path, status) => expectCheap(() => [requestBytes(`GET ${path}`)], status));
});

describe('headers that are expensive to parse', () => {
  it.each<[string, string, readonly string[], number]>([
    ['cookies', '/api/admin/customers', [`cookie: ${Array.from({ length: 2_000 }, (_, at) => `k${at}=`).join(';')}`], 401],
    ['escaped cookies', '/api/admin/customers', [`cookie: ${'a=%41%41;'.repeat(1_600)}`], 401],
    ['very many headers', '/api/branding', Array.from({ length: 1_900 }, (_, at) => `a${at}:`), 400],
    ['a long token', '/api/admin/customers', [`authorization: Bearer ${'a'.repeat(15_000)}`], 401],
    ['blanks for a token', '/api/admin/customers', [`authorization: Bearer ${' '.repeat(7_000)}a${' '.repeat(7_000)}b`], 401],
    ['types', '/', [`accept: ${'text/html,'.repeat(1_400)}`], 200],
    ['encodings', '/assets/none.js', [`accept-encoding: ${'gzip;q=0.1,'.repeat(1_300)}`], 404],
    ['ranges', '/', ['accept: text/html', `range: bytes=${'0-1,'.repeat(3_500)}`], 206],
    ['tags', '/', ['accept: text/html', `if-none-match: ${'"a",'.repeat(3_500)}`], 200],
    ['proxies', '/api/branding', [`x-forwarded-for: ${'127.0.0.1,'.repeat(1_400)}127.0.0.1`], 200],
    ['hosts of proxies', '/api/branding', [`x-forwarded-host: ${'localhost,'.repeat(1_400)}localhost`], 200],
    ['an origin', '/api/branding', [`origin: https://${'xn--mnchen-3ya.'.repeat(900)}de`], 200],
    ['an idempotency key', '/api/branding', [`idempotency-key: ${'a'.repeat(15_000)}`], 400],
  ])('cost little: %s', (_what, path, headers, status) => expectCheap(() => [requestBytes(`GET ${path}`, { headers })], status));

  it('cost little: a host of international names', async () => {
    const host = (name: string): Request => [`GET /api/branding HTTP/1.1\r\nhost: ${name}\r\nconnection: close\r\n\r\n`];
    await expectCheap(() => host(`${'xn--mnchen-3ya.'.repeat(900)}de`), 421);
    await expectCheap(() => host(`xn--${'a'.repeat(14_000)}`), 421);
    await expectCheap(() => host(`${address++}.example.com`), 421);
  });
});

describe('a public route', () => {
  it.each([
    '/healthz',
    '/readyz',
    '/api/branding',
    '/api/openapi.json',
    '/api/docs',
    '/api/docs/static/swagger-ui-bundle.js',
    '/admin/login',
  ])('costs little: %s', (path) => expectCheap(() => [requestBytes(`GET ${path}`, { headers: ['accept: text/html'] })], 200));

  it('costs little: a wrong key', async () => {
    await expectCheap(login('{"licenseKey":"LK-ENT-0000-00000"}'), 401);
    const admin = () => [requestBytes('POST /api/auth/admin/login', { headers: [fromElsewhere()], body: '{"adminKey":"wrong"}' })];
    await expectCheap(admin, 401);
  });
});

describe('a socket', () => {
  const upgrade = (path: string, ...headers: readonly string[]): string =>
    `${[
      `GET ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    ].join('\r\n')}\r\n\r\n`;
  /** A frame of a client, masked with zeros. */
  const frame = (opcode: number, text: string): Buffer => {
    const body = Buffer.from(text);
    const head = Buffer.alloc(8);
    head[0] = 0x80 | opcode;
    head[1] = 0x80 | 126;
    head.writeUInt16BE(body.length, 2);
    return Buffer.concat([head, body]);
  };
  const close = frame(8, '');
  const CLI = '/api/cli/connect';
  const LIVE = '/socket.io/?EIO=4&transport=websocket';

  it.each<[string, () => Request, number]>([
    ['where there is none', () => [upgrade('/api/branding')], 404],
    [
      'with extensions',
      () => [upgrade(CLI, `sec-websocket-extensions: ${'permessage-deflate;a=1,'.repeat(600)}x`), frame(1, '{}'), close],
      101,
    ],
    [
      'with protocols',
      () => [
        upgrade(CLI, `sec-websocket-protocol: ${Array.from({ length: 2_500 }, (_, at) => at).join(',')}`),
        frame(1, '{}'),
        close,
      ],
      101,
    ],
    ['whose first frame is brackets', () => [upgrade(CLI), frame(1, '['.repeat(4_000)), close], 101],
    ['whose first frame has unknown fields', () => [upgrade(CLI), frame(1, fields(380)), close], 101],
    [
      'with a token that is none',
      () => [
        upgrade(CLI),
        frame(1, `{"type":"hello","token":"${address++}","connectionId":"9b2d7f0e-0000-4000-8000-000000000000"}`),
        close,
      ],
      101,
    ],
    ['of a browser with parameters', () => [upgrade(`${LIVE}&${'a&'.repeat(4_000)}`), frame(1, '41'), close], 101],
    [
      'of a browser whose handshake is brackets',
      () => [upgrade(LIVE), frame(1, `40{"a":${'['.repeat(7_000)}${']'.repeat(7_000)}}`), close],
      101,
    ],
    ['of a browser whose handshake has fields', () => [upgrade(LIVE), frame(1, `40${fields(1_300)}`), close], 101],
    [
      'of a browser that joins again and again',
      () => [upgrade(LIVE), ...Array.from({ length: 1_000 }, () => frame(1, '40{"token":"x"}')), close],
      101,
    ],
    [
      'of a browser that joins what is not there',
      () => [upgrade(LIVE), ...Array.from({ length: 1_000 }, (_, at) => frame(1, `40/${at},`)), close],
      101,
    ],
    [
      'of a browser that announces attachments',
      () => [upgrade(LIVE), frame(1, '40{"token":"x"}'), frame(1, '459999999-["a"]'), close],
      101,
    ],
  ])('costs little: %s', (_what, make, status) => expectCheap(make, status));
});
