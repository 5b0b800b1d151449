import { connect } from 'node:net';

/** Sends bytes on a new connection, and resolves to the reply (as Latin-1) once the server has closed it. */
export const sendBytes = (url: string, ...parts: readonly (string | Buffer)[]): Promise<string> => {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const answer: Buffer[] = [];
    socket.on('data', (bytes) => answer.push(bytes));
    socket.on('error', () => undefined); // the server may close before it read everything
    socket.on('close', () => resolve(Buffer.concat(answer).toString('latin1')));
    socket.on('connect', () => {
      for (const part of parts) socket.write(part);
    });
  });
};

/** A request as bytes, which asks to close the connection. */
export const requestBytes = (
  start: string,
  { headers = [], body = '' }: { headers?: readonly string[]; body?: string } = {},
): string => {
  const lines = [`${start} HTTP/1.1`, 'host: 127.0.0.1', 'connection: close', ...headers];
  if (body !== '') lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
};

/** The status of an answer. */
export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
