import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { asAdmin, type Client, clientOf, newIntegrator, type Reply } from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: Client;
let nobody: Client;
let integrator: ServiceIntegrator;

const json = { 'content-type': 'application/json' };
const customer = () => ({
  name: 'Acme',
  contactEmail: 'it@acme.example',
  serviceIntegratorId: integrator.id,
  developerSeats: 10,
  stakeholderSeats: 5,
});

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  nobody = clientOf(server.url);
  integrator = await newIntegrator(admin);
});

afterAll(() => server.close());

const expectProblem = (reply: Reply, status: number, code: string): void => {
  expect([reply.status, reply.body.code]).toEqual([status, code]);
  expect(reply.body.success).toBe(false);
  expect(reply.body.error).toMatch(/^\S.+/);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(JSON.stringify(reply.body)).not.toMatch(/node_modules|\.ts:\d|at async/);
};

describe('an invalid body', () => {
  it.each([
    ['an unknown field', { unknown: 1 }, 'unknown', 'Unknown field'],
    ['-2 seats', { developerSeats: -2 }, 'developerSeats', 'Must be -1 (unlimited), 0 or more'],
    ['too many seats', { developerSeats: 1_000_001 }, 'developerSeats', 'Must be at most 1,000,000'],
    ['half a seat', { developerSeats: 1.5 }, 'developerSeats', 'Must be a whole number'],
    ['seats as text', { developerSeats: '10' }, 'developerSeats', 'Must be a whole number'],
    ['no email address', { contactEmail: 'nope' }, 'contactEmail', 'Must be an email address'],
    ['an empty name', { name: '  ' }, 'name', 'Must not be empty'],
    ['a long name', { name: 'x'.repeat(201) }, 'name', 'Must be at most 200 characters'],
    ['a name with a control character', { name: 'a\u0007b' }, 'name', 'Must not contain control characters'],
    ['a name with half a character', { name: 'a\ud800b' }, 'name', 'Must be valid Unicode text'],
    ['no name at all', { name: undefined }, 'name', 'Required'],
    ['a name that is a list', { name: ['Acme'] }, 'name', 'Must be text'],
    ['no id', { serviceIntegratorId: 'x' }, 'serviceIntegratorId', 'Must be a UUID'],
    [
      'nobody’s id',
      { serviceIntegratorId: '99999999-9999-4999-8999-999999999999' },
      'serviceIntegratorId',
      'Unknown service integrator',
    ],
    ['a theme that is not there', { theme: 'neon' }, 'theme', 'There is no such theme'],
  ])('with %s is refused with the name of the field', async (_what, change, path, message) => {
    const reply = await admin.post('/api/admin/customers', { ...customer(), ...change });
    expect(reply.status).toBe(400);
    expect(reply.body.issues).toEqual([{ path, message }]);
    if (reply.body.code === 'validation_failed') expect(reply.body.error).toBe(`${path}: ${message}`);
  });

  it('is refused with every invalid field', async () => {
    const reply = await admin.post('/api/admin/customers', { ...customer(), name: '', contactEmail: 'x', extra: 1 });
    expect(reply.body.error).toBe('name: Must not be empty (and 2 more)');
    expect(reply.body.issues.map(({ path }: { path: string }) => path)).toEqual(['name', 'contactEmail', 'extra']);
  });

  it('with very many unknown fields is refused with 20 of them and the number of others', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 95 }, (_, at) => [`field${at}${'x'.repeat(200)}`, 0]));
    const reply = await admin.post('/api/admin/customers', { ...customer(), ...unknown });
    expect(reply.body.error).toMatch(/^field0x+…: Unknown field \(and 94 more\)$/);
    expect(reply.body.issues).toHaveLength(20);
    expect(reply.body.moreIssues).toBe(75);
    expect(JSON.stringify(reply.body).length).toBeLessThan(4_000);
  });

  it('with a NUL is refused with the name of the field, and one with its escaped escape is not', async () => {
    const refused = await admin.post('/api/admin/customers', { ...customer(), name: 'a\0b' });
    expectProblem(refused, 400, 'validation_failed');
    expect(refused.body).toMatchObject({
      error: 'name: Must not contain NUL characters',
      issues: [{ path: 'name', message: 'Must not contain NUL characters' }],
    });
    const { body } = await admin.post('/api/admin/customers', { ...customer(), extra: [{ inner: 'a' }, { inner: 'a\0b' }] });
    expect(body.error).toBe('extra.1.inner: Must not contain NUL characters');
    const searched = await admin.get('/api/admin/customers?limit=1&search=a%00b');
    expect(searched.body).toMatchObject({ error: 'search: Must not contain NUL characters', issues: [{ path: 'search' }] });
    const reply = await admin.post('/api/admin/customers', { ...customer(), name: 'a\\u0000b' });
    expect(reply).toMatchObject({ status: 201, body: { customer: { name: 'a\\u0000b' } } });
  });

  it.each([
    ['half of one', '{"adminKey": "x"', 400, 'invalid_json'],
    ['nothing', '', 400, 'validation_failed'],
    ['a list', '[]', 400, 'validation_failed'],
    ['a number too many', '{"adminKey": "x"} 1', 400, 'invalid_json'],
    ['bad UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22]), 400, 'invalid_json'],
    ['a thousand brackets', '['.repeat(1_000), 400, 'body_too_complex'],
    ['16 levels deep', '['.repeat(16), 400, 'invalid_json'],
    ['17 levels deep', `{"adminKey":${'['.repeat(16)}${']'.repeat(16)}}`, 400, 'body_too_complex'],
    ['brackets in a text', JSON.stringify({ adminKey: '[{"\\'.repeat(30), more: 1 }), 400, 'validation_failed'],
    [
      'too many fields',
      JSON.stringify(Object.fromEntries(Array.from({ length: 101 }, (_, at) => [at, 0]))),
      400,
      'body_too_complex',
    ],
    ['a prototype', '{"adminKey": "x", "__proto__": {"admin": true}}', 400, 'validation_failed'],
    ['2 MiB', JSON.stringify({ adminKey: 'x'.repeat(2 * 1024 * 1024) }), 413, 'body_too_large'],
    ['one byte too long', JSON.stringify({ adminKey: 'x'.repeat(4096 - 14) }), 413, 'body_too_large'],
    ['as long as may be', JSON.stringify({ adminKey: 'x'.repeat(4096 - 15) }), 400, 'validation_failed'],
  ])('that is %s is refused', async (_what, body, status, code) => {
    expectProblem(await nobody.send('POST', '/api/auth/admin/login', { headers: json, body }), status, code);
  });

  it('of another type is refused', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', 'application/xml']) {
      const reply = await nobody.send('POST', '/api/auth/admin/login', { headers: { 'content-type': type }, body: 'adminKey=x' });
      expectProblem(reply, 415, 'unsupported_media_type');
    }
  });
});

describe('an invalid address', () => {
  it('is refused', async () => {
    expectProblem(await admin.get('/api/admin/customers?limit=0'), 400, 'validation_failed');
    expectProblem(await admin.get('/api/admin/customers?limit=501'), 400, 'validation_failed');
    expectProblem(await admin.get('/api/admin/customers?limit=ten'), 400, 'validation_failed');
    expectProblem(await admin.get('/api/admin/customers?status=asleep'), 400, 'validation_failed');
    expectProblem(await admin.get('/api/admin/customers?colour=red'), 400, 'validation_failed');
    expectProblem(await admin.get('/api/admin/customers?cursor=made-up'), 400, 'validation_failed');
    expectProblem(await admin.get('/api/admin/customers?search=%00'), 400, 'validation_failed');
    expectProblem(await admin.get('/api/admin/customers/%ff'), 400, 'invalid_request');
    expectProblem(await admin.get('/api/admin/customers/%00'), 400, 'validation_failed');
    expectProblem(await admin.get(`/api/admin/customers/${'x'.repeat(5_000)}`), 404, 'not_found');
    expectProblem(await admin.get(`/api/admin/customers?search=${'x'.repeat(8_192)}`), 414, 'address_too_long');
  });
});

describe('a request', () => {
  const withHost = (host: string, path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      const sent = rawRequest({ hostname, port, path, headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', reject);
      sent.end();
    });

  it('to another host name is refused, except for probes', async () => {
    expect(await withHost('evil.example', '/api/branding')).toBe(421);
    expect(await withHost('localhost:1234', '/api/branding')).toBe(200);
    expect(await withHost('10.1.2.3', '/healthz')).toBe(200);
    expect(await withHost('10.1.2.3', '/')).toBe(421);
  });

  it('that is not HTTP gets an error reply', async () => {
    const { hostname, port } = new URL(server.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write('NOT HTTP AT ALL\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('"code":"invalid_request"');
  });

  it('of another origin gets no CORS headers', async () => {
    const reply = await nobody.get('/api/branding', { headers: { origin: 'https://evil.example' } });
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await nobody.send('OPTIONS', '/api/branding', {
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    });
    expectProblem(preflight, 403, 'origin_refused');
  });
});
