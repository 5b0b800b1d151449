import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** `retryAfter` in seconds; NaN where the answer does not say. */
type Answer = { status: number; retryAfter: number; body: string };

/** A connection to an HTTP server that asks one thing at a time, with next to no work for who asks. It is opened again when it was closed. */
export type Connection = { ask: (request: Buffer) => Promise<Answer>; close: () => void };

const HEAD_END = '\r\n\r\n';

/** A whole request, head and body. */
export const requestOf = (
  url: string,
  { path, headers, body }: { path: string; headers: Readonly<Record<string, string>>; body: Buffer },
): Buffer => {
  const lines = Object.entries({ host: new URL(url).host, ...headers, 'content-length': body.length }).map((pair) =>
    pair.join(': '),
  );
  return Buffer.concat([Buffer.from([`POST ${path} HTTP/1.1`, ...lines].join('\r\n') + HEAD_END), body]);
};

type Complete = Answer & { isLast: boolean };

/** The answer that the bytes begin with; null when it is not complete. It has to say how long it is. */
const answerIn = (bytes: Buffer): Complete | null => {
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

/** Sends a request and resolves to its answer; rejects when the server hangs up before. */
const askOver = (socket: Socket, request: Buffer): Promise<Complete> =>
  new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const settle = (outcome: Complete | Error): void => {
      socket.off('data', hear).off('error', settle).off('close', hangUp);
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    const hangUp = (): void => settle(new Error('The server hung up'));
    const hear = (chunk: Buffer): void => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const answer = answerIn(received);
      if (answer) settle(answer);
    };
    socket.on('data', hear).on('error', settle).on('close', hangUp);
    socket.write(request);
  });

/** Connects when it is first asked. */
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
    ask: async (request) => {
      const { isLast, ...answer } = await askOver(socket && !socket.destroyed ? socket : await open(), request);
      if (isLast) socket?.destroy();
      return answer;
    },
    close: () => void socket?.destroy(),
  };
};
