import { EventEmitter, once } from 'node:events';
import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { guardedGet, MAX_BODY_BYTES, OVERALL_TIMEOUT_MS } from '../../src/outbound/guardedGet.ts';
import { startDnsServer } from '../support/dnsServer.ts';
import { type Behaviour, startThirdParty } from '../support/thirdParties.ts';
import { closedAfterEach, GENEROUS_TIMEOUT_MS, startAnswering } from './loopback.ts';

const allow = ['127.0.0.1/32'];
const reach = { allow, timeoutMs: GENEROUS_TIMEOUT_MS };
const soon = { allow, timeoutMs: 150 };

const closedAfter = closedAfterEach();
const behaving = async (behaviour: Behaviour) => {
  const server = closedAfter(await startThirdParty('jira', { username: 'ada', secret: 'lovelace' }));
  server.behave(behaviour);
  return { ...server, at: new URL(server.url) };
};
const answering = async (listener: RequestListener): Promise<URL> => new URL(closedAfter(await startAnswering(listener)).url);

/** A resolver's answer that comes when the test says so. */
const answersLate = () => {
  const answered = new EventEmitter();
  const late = once(answered, 'answer').then((addresses: string[]) => addresses);
  return { late, resolve: (...addresses: readonly string[]) => answered.emit('answer', ...addresses) };
};

describe('the limits', () => {
  it('are 5 s and 64 KiB', () => expect([OVERALL_TIMEOUT_MS, MAX_BODY_BYTES]).toEqual([5000, 65_536]));

  it.each([
    [MAX_BODY_BYTES, true],
    [MAX_BODY_BYTES + 1, false],
  ])('accept a body of %i bytes: %s', async (bytes, ok) => {
    const url = await answering((_, response) => response.end('x'.repeat(bytes)));
    expect((await guardedGet(url, {}, reach)).ok).toBe(ok);
  });

  it('end an infinite response and its connection', async () => {
    const url = await answering((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', more);
      more();
    });
    expect(await guardedGet(url, {}, reach)).toEqual({ ok: false, failure: { kind: 'too_large', maxBytes: MAX_BODY_BYTES } });
  });

  it('count compressed bytes, not decompressed ones', async () => {
    const url = await answering((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'));
    expect(await guardedGet(url, {}, reach)).toMatchObject({ ok: true, answer: { body: 'no gzip' } });
  });

  it.each(['slow', 'drip'] as const)('end a %s response and close its connection', async (behaviour) => {
    const server = await behaving(behaviour);
    expect(await guardedGet(server.at, {}, soon)).toEqual({ ok: false, failure: { kind: 'timed_out', afterMs: 150 } });
    await server.idle();
    expect(server.connections()).toBe(1);
  });

  it('leave no connection open after a complete response', async () => {
    const closed: Promise<unknown>[] = [];
    const url = await answering((request, response) => {
      closed.push(once(request.socket, 'close'));
      response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=600' }).end();
    });
    expect(await guardedGet(url, {}, reach)).toMatchObject({ ok: true });
    expect(closed).toHaveLength(1);
    await Promise.all(closed);
  });

  it('end a name resolution without a response', async () => {
    const dns = closedAfter(await startDnsServer({ 'jira.example.test': { A: ['silence'], AAAA: ['silence'] } }));
    const fetched = await guardedGet(new URL('https://jira.example.test/'), {}, { ...soon, resolver: dns.resolve });
    expect(fetched).toEqual({ ok: false, failure: { kind: 'timed_out', afterMs: 150 } });
  });

  it('keep a connection from being opened once the time is over', async () => {
    const server = await behaving('normal');
    const { late, resolve } = answersLate();
    const url = new URL(`http://jira.example.test:${server.port}/`);
    expect(await guardedGet(url, {}, { ...soon, resolver: () => late })).toMatchObject({ failure: { kind: 'timed_out' } });
    resolve('127.0.0.1');
    expect(await guardedGet(server.at, {}, reach)).toMatchObject({ ok: true });
    expect(server.connections()).toBe(1);
  });
});

describe('a request', () => {
  it('follows no redirect', async () => {
    const visited: (string | undefined)[] = [];
    const url = await answering((request, response) => {
      visited.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const fetched = await guardedGet(url, {}, reach);
    expect(fetched).toMatchObject({ ok: true, answer: { status: 302 } });
    expect(fetched.ok && fetched.answer.header('location')).toBe('/elsewhere');
    expect(visited).toEqual(['/']);
  });

  it('keeps neither cookies nor connections for the next one', async () => {
    const cookies: (string | undefined)[] = [];
    const sockets = new Set<object>();
    const url = await answering((request, response) => {
      cookies.push(request.headers.cookie);
      sockets.add(request.socket);
      response.writeHead(200, { 'set-cookie': 'a=b', connection: 'keep-alive' }).end();
    });
    await guardedGet(url, {}, reach);
    await guardedGet(url, {}, reach);
    expect(cookies).toEqual([undefined, undefined]);
    expect(sockets.size).toBe(2);
  });

  it('ignores proxy settings', async () => {
    const proxy = await behaving('normal');
    const server = await behaving('normal');
    const before = { ...process.env };
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy']) process.env[name] = proxy.url;
    process.env.NODE_USE_ENV_PROXY = '1';
    try {
      await guardedGet(server.at, {}, reach);
    } finally {
      process.env = before;
    }
    expect([proxy.connections(), server.connections()]).toEqual([0, 1]);
  });

  it('does not send a header with a line break', async () => {
    const server = await behaving('normal');
    await expect(guardedGet(server.at, { 'x-name': 'a\r\nx-admin: true' }, reach)).rejects.toThrow(/invalid x-name header/);
    expect(server.requests).toEqual([]);
  });

  it.each(['ftp://example.test/', 'file:///etc/passwd', 'data:,x', 'https://ada:secret@example.test/', 'https://example.test:0/'])(
    'is not made to %s',
    async (url) => expect(await guardedGet(new URL(url), {}, reach)).toEqual({ ok: false, failure: { kind: 'unsupported_url' } }),
  );

  it.each([
    ['reset', { kind: 'connection_closed' }],
    ['truncated', { kind: 'connection_closed' }],
    ['noHttp', { kind: 'not_http' }],
    ['hugeHeaders', { kind: 'too_large', maxBytes: 16_384 }],
    ['huge', { kind: 'too_large', maxBytes: 65_536 }],
  ] as const)('that meets a server of the kind "%s" fails as %o', async (behaviour, failure) => {
    const server = await behaving(behaviour);
    expect(await guardedGet(server.at, {}, reach)).toEqual({ ok: false, failure });
  });

  it('to a port without a listener is refused, for any of several addresses', async () => {
    const server = await startAnswering(() => undefined);
    await server.close();
    const url = new URL(`http://jira.example.test:${new URL(server.url).port}/`);
    const both = { ...reach, allow: ['127.0.0.1/32', '::1/128'], resolver: () => Promise.resolve(['::1', '127.0.0.1']) };
    expect(await guardedGet(new URL(server.url), {}, reach)).toEqual({ ok: false, failure: { kind: 'connection_refused' } });
    expect(await guardedGet(url, {}, both)).toEqual({ ok: false, failure: { kind: 'connection_refused' } });
  });

  it('tries the next address of a name if the first fails', async () => {
    const server = await behaving('page');
    const url = new URL(`http://jira.example.test:${server.port}/`);
    const resolver = () => Promise.resolve(['::1', '127.0.0.1']);
    expect(
      await guardedGet(url, {}, { allow: ['127.0.0.1/32', '::1/128'], resolver, timeoutMs: GENEROUS_TIMEOUT_MS }),
    ).toMatchObject({
      ok: true,
    });
  });
});
