import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { networkFailure } from '../../src/cli/api/networkErrors.ts';
import { createAuthority } from '../support/certificates.ts';
import { type CliServer, KEY, startCliServer } from '../support/cliServer.ts';
import { type CliUser, createCliUser } from '../support/cliUser.ts';
import { type ConnectProxy, startConnectProxy } from '../support/connectProxy.ts';
import { until } from '../support/eventually.ts';
import { itAtLength } from '../support/tiers.ts';

let cliUser: CliUser;
let closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  cliUser = await createCliUser();
  closing = [cliUser.leave];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
});

const started = async (...tls: Parameters<typeof startCliServer>): Promise<CliServer> => {
  const server = await startCliServer(...tls);
  closing.push(server.close);
  return server;
};
const proxied = async (): Promise<ConnectProxy> => {
  const proxy = await startConnectProxy();
  closing.push(proxy.close);
  return proxy;
};

const login = (server: string, env: Readonly<Record<string, string>> = {}) =>
  cliUser.run(['login', '--server', server, '--key', KEY, '--username', 'ada', '--email', 'ada@example.com'], { env });

describe('a wrong address', () => {
  it('is reported with the kind of the response', async () => {
    const server = await started();
    const cases = [
      [
        { status: 200, body: '<!doctype html><h1>Welcome</h1>' },
        'is not a Latchkey server: it replied with a web page (status 200)',
      ],
      [{ status: 404, body: '<h1>Not found</h1>' }, 'is not a Latchkey server: it replied with a web page (status 404)'],
      [{ status: 200, body: { hello: 'world' } }, 'is not a Latchkey server: it replied with an unexpected response'],
      [{ status: 200, body: { success: true, token: 7 } }, 'are not compatible'],
      [{ status: 404, body: { success: false, error: 'Not found', code: 'not_found' } }, 'are not compatible'],
      [{ status: 302, headers: { location: 'https://new.example/login' }, body: '' }, 'redirects to https://new.example/login'],
      [{ status: 502, body: '<h1>Bad gateway</h1>' }, 'replied with status 502'],
    ] as const;
    for (const [answer, message] of cases) {
      server.override(() => answer);
      const ran = await login(server.url);
      expect([ran.code === 5 || ran.code === 1, ran.err]).toEqual([true, expect.stringContaining(message)]);
    }
    server.override(() => ({ status: 302, headers: { location: 'https://new.example/login' }, body: '' }));
    expect((await login(server.url)).err).toContain('latchkey login --server https://new.example');
  });

  it('is reported without a response, and for a response that is not HTTP', async () => {
    const server = await started();
    await server.close();
    closing.pop();
    expect(await login(server.url)).toMatchObject({ code: 5, err: expect.stringContaining('connection refused') });
    const nameless = Object.assign(new Error('getaddrinfo ENOTFOUND nowhere'), { code: 'ENOTFOUND' });
    expect(networkFailure(new TypeError('fetch failed', { cause: nameless }), 'https://nowhere')).toMatchObject({
      exit: 5,
      message: 'https://nowhere is unreachable: unknown host name',
    });

    const other = createServer((socket) => void socket.on('error', () => {}).end('220 mail ready\r\n'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    closing.push(async () => other.close());
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await login(`127.0.0.1:${port}`)).toMatchObject({ code: 5, err: expect.stringContaining('does not reply with HTTP') });
  });

  it('is reported when only one side uses TLS', async () => {
    const plain = await started();
    const overTls = await login(plain.url.replace('http:', 'https:'));
    expect([overTls.code, overTls.err]).toEqual([5, expect.stringContaining('Should the address start with http:// ?')]);
  });

  it('is normalized without a scheme and with a trailing slash', async () => {
    const server = await started();
    expect((await login(`${server.url.slice('http://'.length)}/`)).code).toBe(0);
    expect((await cliUser.run(['status', '--json'])).json[0]).toMatchObject({ server: server.url });
  });
});

describe('TLS', () => {
  it('rejects an untrusted certificate, with a hint', async () => {
    const authority = createAuthority();
    const server = await started(authority.issue(['127.0.0.1']));
    const ran = await login(server.url);
    expect(ran.code).toBe(5);
    expect(ran.err).toMatch(/is not trusted: .*\n {2}For a private certificate authority, set NODE_EXTRA_CA_CERTS/);
    expect(server.logins).toEqual([]);
  });

  it('trusts NODE_EXTRA_CA_CERTS for requests, WebSockets and through a proxy', async () => {
    const authority = createAuthority();
    const server = await started(authority.issue(['127.0.0.1']));
    const proxy = await proxied();
    const file = join(cliUser.home, 'authority.pem');
    await writeFile(file, authority.cert);
    const env = { ...process.env, LATCHKEY_HOME: cliUser.home, NODE_EXTRA_CA_CERTS: file, HTTPS_PROXY: proxy.url, NO_PROXY: '' };
    const spawned = async (...argv: string[]) => {
      const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/latchkey.js'), ...argv], { env });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      child.stdout.on('data', () => text.includes('Connected to') && child.kill('SIGINT'));
      const [code] = await once(child, 'close');
      return { code, text };
    };
    expect(
      await spawned('login', '--server', server.url, '--key', KEY, '--username', 'ada', '--email', 'a@example.com'),
    ).toMatchObject({ code: 0 });
    expect(await spawned('connect')).toMatchObject({ code: 0, text: expect.stringContaining('Connected to Acme') });
    const { host } = new URL(server.url);
    expect(proxy.requests).toEqual([`CONNECT ${host}`, `CONNECT ${host}`]);
  });

  it('warns that a key is sent unencrypted', async () => {
    const ran = await login('http://latchkey.example', { HTTP_PROXY: 'http://127.0.0.1:1' });
    expect(ran.err).toContain('The license key is sent unencrypted');
  });
});

describe('a proxy', () => {
  it('is used if the environment contains one', async () => {
    const server = await started();
    const proxy = await proxied();
    expect((await login(server.url, { HTTP_PROXY: proxy.url })).code).toBe(0);
    expect(proxy.requests).toEqual([`POST ${server.url}/api/cli/login`]);
    expect((await cliUser.run(['status'], { env: { http_proxy: proxy.url, HTTP_PROXY: 'http://127.0.0.1:1' } })).code).toBe(0);
    expect(proxy.requests.length).toBeGreaterThan(1);
    expect(proxy.requests.filter((request) => !request.includes(` ${server.url}/api/`))).toEqual([]);
  });

  it('is bypassed for hosts in NO_PROXY', async () => {
    const server = await started();
    const proxy = await proxied();
    for (const NO_PROXY of ['127.0.0.1', '*', 'example.com, 127.0.0.1', new URL(server.url).host]) {
      expect((await login(server.url, { HTTP_PROXY: proxy.url, NO_PROXY })).code).toBe(0);
    }
    expect(proxy.requests).toEqual([]);
  });

  it('receives its credentials, and a refusal is reported', async () => {
    const server = await started();
    const proxy = await proxied();
    proxy.demand('me:secret');
    const refused = await login(server.url, { HTTP_PROXY: proxy.url });
    expect([refused.code, refused.err]).toEqual([5, expect.stringMatching(/proxy/i)]);
    expect((await login(server.url, { HTTP_PROXY: proxy.url.replace('//', '//me:secret@') })).code).toBe(0);
  });

  it('tunnels the WebSocket', async () => {
    const server = await started();
    const proxy = await proxied();
    proxy.demand('me:secret');
    await login(server.url);
    const connect = (env: Readonly<Record<string, string>>) => {
      const interrupt = new AbortController();
      const onOut = (text: string) => void (text.includes('Connected to') && interrupt.abort());
      return cliUser.run(['connect', '--give-up-after', '0'], { env, interrupted: interrupt.signal, onOut });
    };
    expect((await connect({ HTTP_PROXY: proxy.url.replace('//', '//me:secret@') })).code).toBe(0);
    expect(proxy.requests).toEqual([`CONNECT ${new URL(server.url).host}`]);
    expect((await connect({ HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' })).code).toBe(0);
    expect(proxy.requests).toHaveLength(1);
    const refused = await connect({ HTTP_PROXY: proxy.url });
    expect([refused.code, refused.err]).toEqual([5, expect.stringContaining('the proxy refused')]);
  });

  describe('whose tunnel stays silent', () => {
    /** Signs in, and changes the address of the server to one with TLS. */
    const useTls = async () => {
      const { url } = await started();
      await login(url);
      const file = join(cliUser.home, 'profiles/default.json');
      await writeFile(file, (await readFile(file, 'utf8')).replace(url, url.replace('http:', 'https:')));
    };
    const connecting = async (interrupted?: AbortSignal) => {
      await useTls();
      const proxy = await proxied();
      proxy.silence();
      const env = { HTTP_PROXY: proxy.url };
      const ran = cliUser.run(['connect', '--give-up-after', '0'], { env, ...(interrupted && { interrupted }) });
      await until(() => proxy.requests.length > 0);
      await sleep(200); // the handshake inside the tunnel has begun
      return { proxy, ran };
    };

    it('is left by Ctrl-C', async () => {
      const interrupt = new AbortController();
      const { proxy, ran } = await connecting(interrupt.signal);
      interrupt.abort();
      expect(await ran).toMatchObject({ code: 0 });
      await until(() => proxy.connections() === 0);
    });

    itAtLength('counts as offline after a timeout', async () => {
      const { proxy, ran } = await connecting();
      expect(await ran).toMatchObject({ code: 5, err: expect.stringContaining('does not reply through the proxy') });
      await until(() => proxy.connections() === 0);
    });
  });

  it('that is unreachable counts as offline', async () => {
    const server = await started();
    expect(await login(server.url, { HTTP_PROXY: 'http://127.0.0.1:1' })).toMatchObject({ code: 5 });
  });
});
