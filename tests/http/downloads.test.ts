import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { createDownloads, downloadCookie } from '../../src/http/requests/downloads.ts';
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

let server: TestServer;
let admin: Client;
let customer: Customer;
let portal: Client;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  customer = await newCustomer(admin, (await newIntegrator(admin)).id, { name: 'Northwind Traders' });
  portal = await asCustomer(server.url, customer);
  await asTool(server.url, customer, 'ada');
});

afterAll(() => server.close());

const LIST = { path: '/api/users/with-connections?search=ada', type: 'text/csv' };

/** What a browser has after a download was prepared: its address, and the cookies that it sends there. */
const prepare = async (client: Client, asked: object = LIST) => {
  const reply = await client.post('/api/downloads', asked);
  const set = reply.headers.getSetCookie()[0] ?? '';
  return { reply, set, cookie: set.split(';')[0] ?? '', url: String(reply.body.url) };
};

const get = (url: string, ...cookies: string[]) =>
  clientOf(server.url, cookies.length > 0 ? { cookie: cookies.join('; ') } : {}).get(url);

describe('a prepared download', () => {
  it('is the exported list of the session, for the browser with the cookie, which is used up', async () => {
    const { reply, set, cookie, url } = await prepare(portal);
    expect(reply).toMatchObject({ status: 200, body: { success: true } });
    expect(set).toMatch(new RegExp(`^latchkey_download=[\\w-]+; Max-Age=60; Path=${url}; HttpOnly; SameSite=Strict$`));
    expect(Buffer.from(cookie.split('=')[1] ?? '', 'base64url').toString('latin1')).not.toContain('with-connections');
    const file = await get(url, 'other=1', cookie);
    expect(String(file.body)).toMatch(/^id,username,.*\r\n[-0-9a-f]+,ada,/);
    const name = /filename="(users-northwind-traders-.+\.csv)"/.exec(file.headers.get('content-disposition') ?? '')?.[1];
    expect([file.status, file.headers.get('x-frame-options')]).toEqual([200, 'SAMEORIGIN']);
    expect(file.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'self'");
    const [started, cleared] = file.headers.getSetCookie();
    expect(started).toBe(`${reply.body.startedCookie}=${name}; Max-Age=60; Path=/; SameSite=Strict`);
    expect(cleared).toMatch(
      new RegExp(`^latchkey_download=; Max-Age=0; Path=${url}; Expires=Thu, 01 Jan 1970 .*HttpOnly; SameSite=Strict$`),
    );
  });

  it('is not found without its own cookie, and says so in a frame', async () => {
    const [one, other] = [await prepare(portal), await prepare(portal)];
    for (const [url, ...cookies] of [[one.url], [one.url, other.cookie], [one.url, 'latchkey_download=AAAA']] as const) {
      const reply = await get(url, ...cookies);
      expect([reply.status, reply.headers.get('x-frame-options'), reply.headers.getSetCookie()]).toEqual([404, 'SAMEORIGIN', []]);
      expect(reply.body).toMatchObject({ code: 'download_not_found' });
    }
    expect((await get(`/api/downloads/${randomUUID()}`, one.cookie)).status).toBe(404);
    expect((await clientOf(server.url, { cookie: one.cookie }).post(one.url)).status).toBe(404);
  });

  it('ends with the session, and does no more than the session may', async () => {
    const guest = await asCustomer(server.url, customer);
    const { url, cookie } = await prepare(guest);
    await guest.post('/api/auth/customer/logout');
    expect(await get(url, cookie)).toMatchObject({ status: 401, body: { error: 'Please sign in' } });
    const foreign = await prepare(portal, { ...LIST, path: '/api/admin/customers' });
    expect(await get(foreign.url, foreign.cookie)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const invalid = await prepare(portal, { ...LIST, path: '/api/users/with-connections?status=unknown' });
    expect(await get(invalid.url, invalid.cookie)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    const again = await prepare(portal, { ...LIST, path: url });
    expect((await get(again.url, again.cookie, cookie)).status).toBe(404);
  });

  it('needs the session of the administrator beside its own cookie', async () => {
    const { url, cookie } = await prepare(admin, { path: '/api/admin/customers', type: 'application/x-ndjson' });
    expect((await get(url, cookie)).status).toBe(401);
    const file = await get(url, cookie, admin.headers.cookie ?? '');
    expect(file.body).toMatchObject({ name: 'Northwind Traders' });
    const elsewhere = await admin.post('/api/downloads', LIST, { headers: { origin: 'https://evil.example' } });
    expect(elsewhere).toMatchObject({ status: 403, body: { code: 'origin_refused' } });
  });

  it('is of a call of the API, as a file', async () => {
    for (const [change, field] of [
      [{ path: 'https://evil.example/api/' }, 'path'],
      [{ path: '/admin/customers' }, 'path'],
      [{ path: '/api/users HTTP/1.1\r\nx: y' }, 'path'],
      [{ path: `/api/${'x'.repeat(2_600)}` }, 'path'],
      [{ type: 'text/html' }, 'type'],
    ] as const) {
      const { status, body } = (await prepare(portal, { ...LIST, ...change })).reply;
      expect([status, body.issues?.[0].path]).toEqual([400, field]);
    }
    const longest = await prepare(portal, { ...LIST, path: `${LIST.path}&cursor=${'x'.repeat(2_500)}` });
    expect(longest.cookie.length).toBeLessThan(4_096);
    const reseller = await asIntegrator(server.url, await newIntegrator(admin));
    expect((await prepare(reseller)).reply.status).toBe(200);
  });

  it('expires after a minute, and opens with its own secret only', () => {
    let now = 0;
    const [secret, id] = [randomBytes(32), randomUUID()];
    const downloads = createDownloads({ secret, now: () => now });
    const { url, sealed } = downloads.prepare(id, { path: LIST.path, type: 'text/csv', token: 'secret token' });
    const request = () => ({ method: 'GET', url, headers: { cookie: `latchkey_download=${sealed}` } as Record<string, string> });
    const first = request();
    expect(downloads.addressOf(first)).toBe(LIST.path);
    expect(first.headers).toMatchObject({ accept: 'text/csv', authorization: 'Bearer secret token' });
    expect(createDownloads({ secret: randomBytes(32), now: () => 0 }).addressOf(request())).toBe(url);
    const [name, value, { secure }] = downloadCookie(sealed, url, true);
    expect([name, secure]).toEqual(['__Secure-latchkey_download', true]);
    expect(downloads.addressOf({ ...request(), headers: { cookie: `any=1; ${name}=${value}` } })).toBe(LIST.path);
    now = 60_000;
    const late = request();
    expect([downloads.addressOf(late), late.headers.authorization]).toEqual([url, undefined]);
  });
});
