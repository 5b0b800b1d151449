import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveConsole } from '../../src/http/console.ts';
import { answerProblem } from '../../src/http/requests/errors.ts';
import { protectReplies } from '../../src/http/requests/securityHeaders.ts';

let webRoot: string;
let app: FastifyInstance;

const HASH = "'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='";

beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'latchkey-web-'));
  await mkdir(join(webRoot, 'assets'));
  const files = {
    'index.html': '<title>index</title>',
    'login.html': '<title>login</title>',
    'admin.html': '<title>admin</title>',
    'admin-customers.html': '<title>customers</title>',
    'admin-customer.html': '<title>customer</title>',
    'favicon.svg': '<svg/>',
    'assets/index-abc123.js': 'export {};',
    '.csp.json': JSON.stringify({ scripts: [HASH] }),
    '.pages.json': JSON.stringify({
      '/': 'index.html',
      '/admin/login': 'login.html',
      '/portal/login': 'login.html',
      '/admin/*': 'admin.html',
      '/admin/customers': 'admin-customers.html',
      '/admin/customers/:customerId': 'admin-customer.html',
    }),
    '.built': 'now',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(webRoot, name), content);
  await writeFile(join(webRoot, 'assets/index-abc123.js.br'), brotliCompressSync('export {};'));
  app = Fastify();
  app.setErrorHandler(answerProblem);
  await protectReplies(app, { webRoot, isTls: false });
  await serveConsole(app, { webRoot });
});

afterAll(async () => {
  await app.close();
  await rm(webRoot, { recursive: true, force: true });
});

const get = (url: string, headers: Record<string, string> = { accept: 'text/html,*/*' }) =>
  app.inject({ method: 'GET', url, headers });

describe('the built console', () => {
  it.each([
    ['/', 'index'],
    ['/admin/login', 'login'],
    ['/portal/login/', 'login'],
    ['/admin/themes', 'admin'],
    ['/admin/customers', 'customers'],
    ['/admin/customers/?search=a', 'customers'],
    ['/admin/customers/42', 'customer'],
    ['/admin/customers/42/more', 'admin'],
    ['/administer', 'index'],
    ['/portal/usage', 'index'],
    ['/no/such/screen', 'index'],
    ['/index.html', 'index'],
  ])('serves at %s the page of its path, uncached', async (url, title) => {
    const reply = await get(url);
    expect([reply.statusCode, reply.body]).toEqual([200, `<title>${title}</title>`]);
    expect(reply.headers['cache-control']).toBe('no-cache');
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it.each(['GET', 'HEAD'] as const)('answers %s / with 200 whatever the client accepts', async (method) => {
    for (const accept of [undefined, '*/*', 'application/json', 'text/html', 'image/png']) {
      const reply = await app.inject({ method, url: '/', ...(accept && { headers: { accept } }) });
      expect([reply.statusCode, reply.headers['content-type']], accept).toEqual([200, 'text/html; charset=utf-8']);
      if (method === 'GET') expect(reply.body).toBe('<title>index</title>');
    }
  });

  it('serves its assets as immutable, compressed if accepted', async () => {
    const plain = await get('/assets/index-abc123.js');
    expect([plain.statusCode, plain.body]).toEqual([200, 'export {};']);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const packed = await get('/assets/index-abc123.js', { 'accept-encoding': 'gzip, br' });
    expect(packed.headers['content-encoding']).toBe('br');
    expect(packed.headers['content-type']).toMatch(/^(application|text)\/javascript/);
    expect((await get('/favicon.svg')).headers['content-type']).toMatch(/^image\/svg\+xml/);
  });

  it('allows no other script and no frame', async () => {
    const policy = String((await get('/')).headers['content-security-policy']);
    expect(policy).toContain(`script-src 'self' ${HASH};`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("'unsafe-eval'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
    expect((await get('/')).headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    '/assets/missing.js',
    '/missing.svg',
    '/.csp.json',
    '/.built',
    '/.pages.json',
    '/assets/../.csp.json',
    '/assets/%2e%2e/.csp.json',
    '/..%2f..%2fetc/passwd',
    '//etc/passwd',
    '/assets/%00',
    '/assets/',
  ])('does not serve other files: %s', async (url) => {
    const reply = await get(url, { accept: '*/*' });
    expect([404, 400]).toContain(reply.statusCode);
    expect(reply.json()).toMatchObject({ success: false });
    expect(reply.body).not.toContain('sha256');
  });

  it.each(['/api/nothing', '/monitoring/x', '/socket.io/', '/assets/x'])('serves no page at paths of programs: %s', async (url) => {
    expect((await get(url)).json()).toMatchObject({ code: 'not_found' });
  });

  it('serves no page if HTML is not accepted', async () => {
    expect((await get('/admin', { accept: 'application/json' })).statusCode).toBe(404);
    expect((await app.inject({ method: 'POST', url: '/admin', headers: { accept: 'text/html' } })).statusCode).toBe(404);
  });
});

describe('a server without a built console', () => {
  it('starts', async () => {
    const bare = Fastify();
    bare.setErrorHandler(answerProblem);
    await serveConsole(bare, { webRoot: null });
    expect((await bare.inject({ url: '/', headers: { accept: 'text/html' } })).json()).toMatchObject({ code: 'not_found' });
    await bare.close();
  });
});
