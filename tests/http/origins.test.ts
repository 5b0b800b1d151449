import { describe, expect, it } from 'vitest';
import { createOrigins, hostNameOf } from '../../src/http/requests/origins.ts';

let asked: string[] = [];
const clock = { at: 0 };
const origins = createOrigins({
  publicOrigins: ['https://licenses.example.com', 'http://intranet:8080'],
  hosts: ['0.0.0.0', 'portal.latchkey.example'],
  isCustomDomain: async (host) => {
    asked.push(host);
    return host === 'cli.contoso.example';
  },
  now: () => clock.at,
});

describe('the hosts of the server', () => {
  it.each([
    'localhost',
    'localhost:3000',
    'LOCALHOST',
    'app.localhost:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
    'licenses.example.com',
    'Licenses.Example.com:443',
    'intranet:8080',
    'portal.latchkey.example',
    'cli.contoso.example',
    'cli.contoso.example.',
  ])('are known: %s', async (host) => {
    expect(await origins.knowsHost(host)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'a b',
    'x/y',
    'user@localhost',
    '10.0.0.7',
  ])('are unknown: %s', async (host) => {
    expect(await origins.knowsHost(host)).toBe(false);
  });

  it('are its own, without a query, or custom domains', () => {
    asked = [];
    for (const time of [1, 2]) {
      expect(origins.isOwnHost('localhost:3000'), `${time}`).toBe(true);
      expect(origins.isOwnHost('Licenses.Example.com:443'), `${time}`).toBe(true);
      for (const other of [undefined, 'cli.contoso.example', 'evil.example', 'a b', '10.0.0.7'])
        expect(origins.isOwnHost(other), `${other}`).toBe(false);
    }
    for (let index = 0; index < 1_000; index++) expect(origins.isOwnHost(`app-${index}.localhost`)).toBe(true);
    expect(origins.isOwnHost('app-1.localhost.evil.example')).toBe(false);
    expect(asked).toEqual([]);
  });

  it('are queried for a custom domain at intervals', async () => {
    asked = [];
    clock.at += 60_000;
    await origins.knowsHost('cli.contoso.example');
    await origins.knowsHost('cli.contoso.example:8443');
    expect(asked).toEqual(['cli.contoso.example']);
    clock.at += 60_000;
    await origins.knowsHost('cli.contoso.example');
    expect(asked).toHaveLength(2);
  });

  it('are compared by name, without the port', () => {
    expect(hostNameOf('EXAMPLE.com.:80')).toBe('example.com');
    expect(hostNameOf('[::1]:80')).toBe('[::1]');
    expect(hostNameOf('exa mple')).toBeNull();
  });
});

describe('trusted origins', () => {
  it.each([
    [{ origin: 'http://localhost:3000' }, 'localhost:3000', true],
    [{ origin: 'https://licenses.example.com' }, 'licenses.example.com', true],
    [{ origin: 'https://licenses.example.com' }, 'localhost:3000', true],
    [{ origin: 'https://evil.example' }, 'localhost:3000', false],
    [{ origin: 'http://localhost:3001' }, 'localhost:3000', false],
    [{ origin: 'https://localhost:3000' }, 'localhost:3000', false],
    [{ origin: 'http://licenses.example.com' }, 'licenses.example.com', false],
    [{ origin: 'https://licenses.example.com' }, 'licenses.example.com:443', true],
    [{ origin: 'http://cli.contoso.example' }, 'cli.contoso.example:80', true],
    [{ origin: 'null' }, 'localhost:3000', false],
    [{ 'sec-fetch-site': 'cross-site' }, 'localhost:3000', false],
    [{ 'sec-fetch-site': 'same-origin' }, 'localhost:3000', true],
    [{}, 'localhost:3000', true],
  ] as const)('%o at %s: %s', (headers, host, trusted) => {
    expect(origins.trusts(headers, { protocol: 'http', host })).toBe(trusted);
  });

  it('have the scheme of the browser', () => {
    const overTls = { protocol: 'https', host: 'cli.contoso.example' };
    expect(origins.trusts({ origin: 'https://cli.contoso.example' }, overTls)).toBe(true);
    expect(origins.trusts({ origin: 'http://cli.contoso.example' }, overTls)).toBe(false);
    expect(origins.trusts({ origin: 'https://cli.contoso.example' }, { ...overTls, protocol: 'http' })).toBe(false);
  });

  it('are foreign if they are configured for another host', () => {
    expect(origins.isForeign('https://licenses.example.com', { protocol: 'http', host: 'localhost:3000' })).toBe(true);
    expect(origins.isForeign('https://licenses.example.com', { protocol: 'http', host: 'licenses.example.com' })).toBe(false);
    expect(origins.isForeign('https://evil.example', { protocol: 'http', host: 'localhost:3000' })).toBe(false);
  });

  it('use TLS, directly or through a proxy', () => {
    expect(origins.isTls({ protocol: 'https', host: 'anything' })).toBe(true);
    expect(origins.isTls({ protocol: 'http', host: 'licenses.example.com' })).toBe(true);
    expect(origins.isTls({ protocol: 'http', host: 'intranet:8080' })).toBe(false);
  });
});
