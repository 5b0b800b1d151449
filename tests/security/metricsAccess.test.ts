import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, asCustomer, bearer, clientOf, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';

const TOKEN = 'a-token-of-the-scraper';

/** Asks as a browser does that a page led to this address by its own domain. */
const statusWith = (url: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });

describe('metrics without a token', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await openServer({ METRICS_PORT: '0' });
  });
  afterAll(() => server.close());

  const metricsUrl = (): string => server.metricsUrl ?? '';

  it('are not public on the port of the API, since a local reverse proxy connects from loopback too', async () => {
    const nobody = clientOf(server.url);
    expect(await nobody.get('/metrics')).toMatchObject({ status: 401, body: { code: 'session_required' } });
    expect(await nobody.get('/metrics', { headers: bearer(TOKEN) })).toMatchObject({ status: 401 });
    const admin = await asAdmin(server.url);
    const portal = await asCustomer(server.url, await newCustomer(admin, (await newIntegrator(admin)).id));
    expect(await portal.get('/metrics')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  it('are served on their own port, which serves nothing else', async () => {
    const own = clientOf(new URL(metricsUrl()).origin);
    expect((await own.get('/metrics')).body).toContain('latchkey_uptime_seconds');
    expect(await own.get('/api/branding')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await own.post('/metrics')).toMatchObject({ status: 404 });
  });

  it('are not readable by a page whose domain resolves to this machine', async () => {
    for (const host of ['evil.example', 'evil.example:9464', '127.0.0.1.evil.example', 'localhost.evil.example']) {
      expect([host, await statusWith(metricsUrl(), { host })]).toEqual([host, 421]);
    }
    for (const host of ['localhost', 'localhost:9464', '127.0.0.1', '[::1]:9464']) {
      expect([host, await statusWith(metricsUrl(), { host })]).toEqual([host, 200]);
    }
  });
});

describe('metrics with a token', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await openServer({ METRICS_PORT: '0', METRICS_TOKEN: TOKEN });
  });
  afterAll(() => server.close());

  it('are served with it on both ports by any host name, and not without', async () => {
    for (const url of [server.metricsUrl ?? '', `${server.url}/metrics`]) {
      for (const authorization of ['', 'Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`]) {
        expect([url, authorization, await statusWith(url, { authorization })]).toEqual([url, authorization, 401]);
      }
      expect(await statusWith(url, { authorization: `Bearer ${TOKEN}`, host: 'latchkey' })).toBe(200);
    }
  });
});
