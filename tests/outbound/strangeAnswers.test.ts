import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardedGet } from '../../src/outbound/guardedGet.ts';
import { closedAfterEach, GENEROUS_TIMEOUT_MS } from './loopback.ts';

const closedAfter = closedAfterEach();

/** A server that sends these bytes to every client and closes the connection. */
const startSending = async (bytes: () => Uint8Array) => {
  const server = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end(bytes())));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    await closed;
  };
  return closedAfter({ url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), close });
};

const statusLine = fc.constantFrom(
  'HTTP/1.1 200 OK',
  'HTTP/1.0 200',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK',
  'HTTP/1.1 101 Switching Protocols',
  'HTTP/1.1 204 No Content',
  'HTTP/1.1 304 Not Modified',
  'HTTP/1.1 999 Odd',
  'HTTP/1.1 000 None',
  'HTTP/2.0 200 OK',
  'HTTP/1.1 -1',
);
const header = fc.constantFrom(
  'content-length: 2',
  'content-length: 99999999999999999999',
  'content-length: -1',
  'content-length: 2\r\ncontent-length: 3',
  'transfer-encoding: chunked',
  'transfer-encoding: gzip, chunked',
  'connection: upgrade\r\nupgrade: websocket',
  'connection: keep-alive\r\nkeep-alive: timeout=-5',
  'location: \u0000',
  'location: a\r\nlocation: b',
  'content-type: \xff\xfe',
  ': nameless',
  'no colon',
  ' folded: once',
);
const body = fc.oneof(
  fc.constantFrom('{}', '2\r\n{}\r\n0\r\n\r\n', 'zz\r\n', '2\r\n{}', '', 'ffffffffffffffff\r\n{}'),
  fc.string({ maxLength: 40 }),
);
const answer = fc
  .tuple(statusLine, fc.array(header, { maxLength: 3 }), body)
  .map(([status, headers, text]) => Buffer.from([status, ...headers, '', text].join('\r\n'), 'latin1'));

describe('a response of any bytes', () => {
  it('results in a response or a failure, never in an exception', async () => {
    let sent: Uint8Array = Buffer.alloc(0);
    const { url } = await startSending(() => sent);
    await fc.assert(
      fc.asyncProperty(fc.oneof(answer, answer, fc.uint8Array({ maxLength: 200 })), async (bytes) => {
        sent = bytes;
        const fetched = await guardedGet(url, {}, { allow: ['127.0.0.1/32'], timeoutMs: GENEROUS_TIMEOUT_MS });
        if (fetched.ok) expect(fetched.answer.status).toBeGreaterThanOrEqual(100);
        else expect(['connection_closed', 'not_http']).toContain(fetched.failure.kind);
      }),
      { numRuns: 400 },
    );
  });
});
