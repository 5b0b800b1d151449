import type { FastifyReply } from 'fastify';
import type { HttpProblem } from '../problems/problems.ts';

/** Sends a problem past the hooks, for what holds up the handler may hold up a hook as well, and closes the connection. */
export const answerInPlace = (reply: FastifyReply, { status, retryAfter, body }: HttpProblem): void => {
  if (reply.sent || reply.raw.headersSent) return;
  const { raw } = reply.hijack();
  const text = JSON.stringify(body);
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      connection: 'close',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    })
    .end(text);
};
