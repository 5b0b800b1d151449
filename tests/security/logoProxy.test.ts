import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { createLogos } from '../../src/http/logos.ts';
import { fetchLogo, type Logo, logoTypeOf, MAX_LOGO_BYTES } from '../../src/outbound/logo.ts';
import { asAdmin, asIntegrator, type Client, clientOf, newIntegrator } from '../support/apiClient.ts';
import { createAuthority } from '../support/certificates.ts';
import { openServer, type TestServer } from '../support/server.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const SVG = '<?xml version="1.0"?>\n<!-- a mark -->\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

let host: Server;
let origin: string;
let server: TestServer;
let admin: Client;
let integrator: ServiceIntegrator;
let partner: Client;
/** Paths that the host of the logos was asked for. */
const asked: string[] = [];

const answer: RequestListener = (request, response) => {
  const path = request.url ?? '';
  asked.push(path);
  const send = (type: string, body: string | Buffer) => response.writeHead(200, { 'content-type': type }).end(body);
  const redirect = (to: string) => response.writeHead(302, { location: to }).end();
  if (path.startsWith('/logo.png')) return send('image/png', PNG);
  if (path === '/logo.svg') return send('image/svg+xml', SVG);
  if (path === '/mislabeled.png') return send('text/html', PNG);
  if (path === '/page.png') return send('image/png', '<!doctype html><html><script>alert(1)</script></html>');
  if (path === '/html.svg') return send('image/svg+xml', '<html><svg></svg></html>');
  if (path === '/large.png') return send('image/png', Buffer.concat([PNG, Buffer.alloc(MAX_LOGO_BYTES)]));
  if (path === '/moved.png') return redirect('/logo.png?moved');
  if (path === '/loop.png') return redirect('/loop.png');
  if (path === '/private.png') return redirect('https://10.0.0.1/logo.png');
  if (path === '/plain.png') return redirect(`http://127.0.0.1:${(host.address() as AddressInfo).port}/logo.png`);
  return response.writeHead(404).end();
};

beforeAll(async () => {
  const authority = createAuthority();
  host = createServer(authority.issue(['127.0.0.1']), answer);
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  origin = `https://127.0.0.1:${(host.address() as AddressInfo).port}`;
  server = await openServer({ CREDENTIAL_TEST_ALLOW: '127.0.0.1/32' }, { logoRoots: authority.cert });
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  partner = await asIntegrator(server.url, integrator);
});

afterAll(async () => {
  await server.close();
  await new Promise((resolve) => host.close(resolve));
});

const preview = (path: string) => partner.get(`/api/service-integrator/logo?url=${encodeURIComponent(origin + path)}`);

describe('a logo', () => {
  it('is served by this server, which requests it once', async () => {
    asked.length = 0;
    const replies = [await preview('/logo.png'), await preview('/logo.png'), await preview('/logo.png')];
    expect(replies.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual(Array(3).fill([200, 'image/png']));
    expect(asked).toEqual(['/logo.png']);
    expect(replies[0]?.headers.get('cache-control')).toBe('private, max-age=300');
  });

  it('runs no script, even if it is opened as a page', async () => {
    const { status, headers } = await preview('/logo.svg');
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('has the type of its content, whatever its host declares', async () => {
    expect((await preview('/mislabeled.png')).headers.get('content-type')).toBe('image/png');
    for (const path of ['/page.png', '/html.svg', '/large.png', '/missing.png', '/loop.png', '/private.png', '/plain.png']) {
      const { status, body } = await preview(path);
      expect([path, status, body.code]).toEqual([path, 404, 'logo_unavailable']);
    }
    expect((await preview('/moved.png')).status).toBe(200);
  });

  it('is shown by the domain of its integrator only, and not to other audiences', async () => {
    const domain = 'licenses.logo.example';
    const brand = { whiteLabelEnabled: true, customDomain: domain, logoUrl: `${origin}/logo.png` };
    await partner.put('/api/service-integrator/white-label', brand);
    const behind = await server.openNode({ TRUST_PROXY: 'loopback' });
    const atDomain = () => clientOf(behind.url).get('/api/branding/logo', { headers: { 'x-forwarded-host': domain } });
    expect((await atDomain()).status).toBe(421);
    await server.product.queries.integrators.markDomain(integrator.id, domain, new Date());
    await behind.close();
    const fresh = await server.openNode({ TRUST_PROXY: 'loopback' });
    const shown = await clientOf(fresh.url).get('/api/branding/logo', { headers: { 'x-forwarded-host': domain } });
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect((await clientOf(fresh.url).get('/api/branding/logo')).status).toBe(404);
    await fresh.close();
    expect((await clientOf(server.url).get(`/api/service-integrator/logo?url=${origin}/logo.png`)).status).toBe(401);
    expect((await partner.get('/api/service-integrator/logo?url=http://logos.example/logo.png')).status).toBe(400);
  });

  it('is never requested by a browser from another host', async () => {
    const policy = String((await clientOf(server.url).get('/api/branding')).headers.get('content-security-policy'));
    expect(policy).toContain("img-src 'self' data:;");
  });

  it('is not fetched from a private address that the operator did not allow', async () => {
    asked.length = 0;
    expect(await fetchLogo(`${origin}/logo.png`, { allow: [] })).toBeNull();
    expect(asked).toEqual([]);
  });
});

describe('the types of pictures', () => {
  it.each([
    [PNG, 'image/png'],
    [Buffer.from('ffd8ffe000104a46', 'hex'), 'image/jpeg'],
    [Buffer.from('GIF89a'), 'image/gif'],
    [Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'image/webp'],
    [Buffer.from('\0\0\0\x20ftypavif'), 'image/avif'],
    [Buffer.from(SVG), 'image/svg+xml'],
    [Buffer.from('\uFEFF<svg/>'), 'image/svg+xml'],
    [Buffer.from('<!doctype html>'), null],
    [Buffer.from('alert(1)'), null],
    [Buffer.alloc(0), null],
  ])('are recognized by content', (body, type) => {
    expect(logoTypeOf(body)).toBe(type);
  });
});

describe('the cache of logos', () => {
  const logoOf = (bytes: number): Logo => ({ type: 'image/png', body: Buffer.alloc(bytes) });

  it('is bounded, and evicts the least recently used', async () => {
    const fetched: string[] = [];
    const logos = createLogos({
      now: () => 0,
      fetch: async (url) => {
        fetched.push(url);
        return logoOf(MAX_LOGO_BYTES);
      },
    });
    for (let index = 0; index < 64; index++) await logos.get(`https://${index}.example`);
    await logos.get('https://0.example');
    expect(fetched).toHaveLength(64);
    await logos.get('https://64.example');
    await logos.get('https://0.example');
    expect(fetched).toHaveLength(65);
    await logos.get('https://1.example');
    expect(fetched).toHaveLength(66);
  });

  it('fetches a logo once for concurrent requests, and few at the same time', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let fetches = 0;
    const logos = createLogos({
      now: () => 0,
      fetch: async () => {
        fetches += 1;
        await held;
        return logoOf(1);
      },
    });
    const same = Array.from({ length: 50 }, () => logos.get('https://same.example'));
    const others = Array.from({ length: 50 }, (_, index) => logos.get(`https://${index}.example`));
    release();
    expect((await Promise.all(same)).every((logo) => logo !== null)).toBe(true);
    expect((await Promise.all(others)).filter((logo) => logo !== null)).toHaveLength(15);
    expect([fetches, logos.refused()]).toEqual([16, 35]);
  });
});
