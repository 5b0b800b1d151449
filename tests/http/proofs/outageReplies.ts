import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import type { Reply } from '../../support/apiClient.ts';
import type { Outage } from './situation.ts';

const outages: Record<Outage, { status: number; error: RegExp; retryAfter: string | null }> = {
  overloaded: { status: 503, error: /^The server is busy\. Try again in a moment\.$/, retryAfter: '1' },
  unavailable: { status: 503, error: /^The server cannot reach its stores\. Try again in a moment\.$/, retryAfter: '2' },
  request_timeout: { status: 408, error: /^The request took too long to arrive$/, retryAfter: null },
  internal_error: { status: 500, error: /^Something went wrong on the server \(reference [0-9a-f-]{36}\)$/, retryAfter: null },
  idempotency_in_progress: {
    status: 503,
    error: /^The first request with this Idempotency-Key is still in progress\. Try again\.$/,
    retryAfter: '1',
  },
};

/** Checks status, text and `Retry-After` of a reply to a temporary problem. */
export const expectOutage = (code: Outage, reply: Pick<Reply, 'status' | 'body'> & { retryAfter: string | null }): void => {
  const { status, error, retryAfter } = outages[code];
  expect(reply).toMatchObject({ status, body: { success: false, code, error: expect.stringMatching(error) }, retryAfter });
};

export const asOutage = ({ status, body, headers }: Reply) => ({ status, body, retryAfter: headers.get('retry-after') });

/** A request whose body never arrives, and its reply. */
export const openRequest = (url: string, head: string): { socket: Socket; answer: Promise<string> } => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(`${head}\r\nHost: localhost\r\n\r\n`));
  const answer = new Promise<string>((resolve, reject) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.endsWith('}')) resolve(text);
    });
    socket.on('error', reject);
  });
  return { socket, answer };
};

/** The parts of a reply as it was received. */
export const answered = (text: string) => {
  const [statusLine = '', ...lines] = text.split('\r\n');
  const retryAfter = lines.find((line) => /^retry-after:/i.test(line))?.replace(/^[^:]+: */, '') ?? null;
  return { status: Number(statusLine.split(' ')[1]), body: JSON.parse(lines.at(-1) ?? ''), retryAfter };
};
