import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** `retryAfter` in seconds; NaN without the header. */
type HttpResponse = { status: number; retryAfter: number; body: string };

/** A keep-alive HTTP connection for one request at a time, with minimal CPU cost for the client. It reconnects after a close. */
export type Connection = { send: (request: Buffer) => Promise<HttpResponse>; close: () => void };

const HEAD_END = '\r\n\r\n';

/** The bytes of a POST request. */
export const requestOf = (
  url: string,
  { path, headers, body }: { path: string; headers: Readonly<Record<string, string>>; body: Buffer },
): Buffer => {
  const lines = Object.entries({ host: new URL(url).host, ...headers, 'content-length': body.length }).map((pair) =>
    pair.join(': '),
  );
  return Buffer.concat([Buffer.from([`POST ${path} HTTP/1.1`, ...lines].join('\r\n') + HEAD_END), body]);
};

type ParsedResponse = HttpResponse & { isLast: boolean };

/** Parses the response at the start of `bytes`; null if it is incomplete. Throws without a Content-Length. */
const parseResponse = (bytes: Buffer): ParsedResponse | null => {
  const end = bytes.indexOf(HEAD_END);
  if (end === -1) return null;
  const head = bytes.toString('latin1', 0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`An answer of unknown length: ${head}`);
  const from = end + HEAD_END.length;
  const to = from + Number(length);
  if (bytes.length < to) return null;
  return {
    status: Number(head.slice(9, 12)),
    retryAfter: Number(/\r\nretry-after: (\d+)/i.exec(head)?.[1]),
    body: bytes.toString('utf8', from, to),
    isLast: /\r\nconnection: close/i.test(head),
  };
};

/** Sends a request and resolves to its response. Rejects if the server closes the connection first. */
const sendOver = (socket: Socket, request: Buffer): Promise<ParsedResponse> =>
  new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const settle = (outcome: ParsedResponse | Error): void => {
      socket.off('data', onData).off('error', settle).off('close', onClose);
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    const onClose = (): void => settle(new Error('The server closed the connection'));
    const onData = (chunk: Buffer): void => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const response = parseResponse(received);
      if (response) settle(response);
    };
    socket.on('data', onData).on('error', settle).on('close', onClose);
    socket.write(request);
  });

/** Connects at the first request. */
export const createConnection = (url: string): Connection => {
  const { hostname, port } = new URL(url);
  let socket: Socket | null = null;
  const open = async (): Promise<Socket> => {
    const opened = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(opened, 'connect');
    opened.on('error', () => undefined);
    socket = opened;
    return opened;
  };
  return {
    send: async (request) => {
      const { isLast, ...response } = await sendOver(socket && !socket.destroyed ? socket : await open(), request);
      if (isLast) socket?.destroy();
      return response;
    },
    close: () => void socket?.destroy(),
  };
};
