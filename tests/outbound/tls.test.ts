import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/domain/time.ts';
import { probeCredential } from '../../src/outbound/credentialProbe.ts';
import { tlsReasonOf } from '../../src/outbound/tlsReasons.ts';
import { type Certified, createAuthority } from '../support/certificates.ts';
import { startThirdParty } from '../support/thirdParties.ts';
import { closedAfterEach, GENEROUS_TIMEOUT_MS } from './loopback.ts';

const HOST = 'jira.example.test';
const authority = createAuthority();
const otherAuthority = createAuthority('Another authority');
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

const closedAfter = closedAfterEach();
const serving = async (certified: Certified) =>
  closedAfter(await startThirdParty('jira', { username: 'ada', secret: 'lovelace' }, certified));

const listening = async (server: Server) => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closedAfter({
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  });
  return { port: (server.address() as AddressInfo).port };
};

const probe = (port: number, { host = HOST, ca = authority.cert }: { host?: string; ca?: string } = {}) =>
  probeCredential(
    { service: 'jira', instanceUrl: `https://${host}:${port}`, username: 'ada', password: 'lovelace', apiToken: null },
    {
      allow: ['127.0.0.1/32'],
      resolver: () => Promise.resolve(['127.0.0.1']),
      clock: () => 0,
      timeoutMs: GENEROUS_TIMEOUT_MS,
      ca,
    },
  );

describe('over TLS', () => {
  it('a certificate is verified by host name, although the connection uses the address', async () => {
    const server = await serving(authority.issue([HOST]));
    expect(await probe(server.port)).toMatchObject({ ok: true });
    expect(server.requests).toMatchObject([{ headers: { host: `${HOST}:${server.port}` } }]);
  });

  it('the server receives the host name (SNI)', async () => {
    const named: (string | false)[] = [];
    const server = createTlsServer(authority.issue([HOST]), (socket) => {
      named.push(socket.servername ?? false);
      socket.resume().end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n');
    });
    const { port } = await listening(server);
    expect((await probe(port)).detail).toMatch(/\(401\)/);
    expect(named).toEqual([HOST]);
  });

  it('a certificate is verified by IP address', async () => {
    const server = await serving(authority.issue(['127.0.0.1']));
    expect(await probe(server.port, { host: '127.0.0.1' })).toMatchObject({ ok: true });
    expect((await probe(server.port)).detail).toMatch(/issued for another host name\.$/);
  });

  it.each([
    ['for another host', () => authority.issue(['confluence.example.test', '127.0.0.1']), /issued for another host name\.$/],
    ['of yesterday', () => authority.issue([HOST], { from: ago(9), to: ago(1) }), /has expired\.$/],
    ['of tomorrow', () => authority.issue([HOST], { from: ago(-1), to: ago(-9) }), /is not valid yet\.$/],
    [
      'of an unknown authority',
      () => otherAuthority.issue([HOST]),
      /unknown authority, or an intermediate certificate is missing\.$/,
    ],
    ['of itself', () => ({ key: otherAuthority.key, cert: otherAuthority.cert }), /is self-signed\.$/],
  ])('a certificate %s is rejected, and no login is sent', async (_, certified, detail) => {
    const server = await serving(certified());
    const result = await probe(server.port);
    expect(result.detail).toMatch(new RegExp(`^No secure connection to ${HOST}:\\d+: `));
    expect(result.detail).toMatch(detail);
    expect(server.requests).toEqual([]);
  });

  it('a certificate is verified even if NODE_TLS_REJECT_UNAUTHORIZED disables it', async () => {
    const server = await serving(otherAuthority.issue([HOST]));
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect(await probe(server.port)).toMatchObject({ ok: false });
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
    expect(server.requests).toEqual([]);
  });

  it('a server that speaks plain HTTP has its own failure', async () => {
    const server = closedAfter(await startThirdParty('jira', { username: 'ada', secret: 'lovelace' }));
    expect((await probe(server.port)).detail).toMatch(/it does not speak TLS on this port\.$/);
  });

  it('a server that requires a client certificate has its own failure', async () => {
    const wanting = { ca: authority.cert, requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' } as const;
    const server = createTlsServer({ ...authority.issue([HOST]), ...wanting }).on('tlsClientError', () => undefined);
    const { port } = await listening(server);
    expect((await probe(port)).detail).toMatch(/requires a client certificate\.$/);
  });

  it('a server that hangs up in the handshake has closed the connection', async () => {
    const { port } = await listening(createTcpServer((socket) => socket.resume().once('data', () => socket.destroy())));
    expect((await probe(port)).detail).toMatch(/closed the connection before it replied\.$/);
  });

  it('a server that is silent in the handshake times out', async () => {
    const server = createTcpServer((socket) => socket.resume().once('end', () => socket.end()));
    const { port } = await listening(server);
    const credential = { service: 'jira', username: 'ada', password: 'lovelace', apiToken: null } as const;
    const { detail } = await probeCredential(
      { ...credential, instanceUrl: `https://127.0.0.1:${port}` },
      { allow: ['127.0.0.1/32'], clock: () => 0, timeoutMs: 150 },
    );
    expect(detail).toBe(`127.0.0.1:${port} did not reply within 0.15 s.`);
  });
});

describe('a code of OpenSSL', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'its certificate has expired'],
    ['ERR_SSL_SOME_NEW_REASON', 'ERR_SSL_SOME_NEW_REASON'],
    ['CERT_CHAIN_TOO_LONG', 'CERT_CHAIN_TOO_LONG'],
    ['CRL_HAS_EXPIRED', 'CRL_HAS_EXPIRED'],
    ['ECONNRESET', null],
    ['', null],
    ['CERT: injected text', null],
  ])('"%s" reads "%s"', (code, reason) => expect(tlsReasonOf(code)).toBe(reason));
});
