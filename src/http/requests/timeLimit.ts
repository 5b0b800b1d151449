import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from '../problems/problems.ts';

/** A request has to have arrived by then, and a handler to have answered. */
export const REQUEST_MS = 30_000;

/** Answers past the hooks, for what holds up the handler may hold up a hook as well. */
const answerInPlace = ({ raw: { complete } }: FastifyRequest, reply: FastifyReply): void => {
  const { status, retryAfter, body } = new HttpProblem(complete ? 'unavailable' : 'request_timeout');
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

/** Answers every request in time, though its handler may go on. A reply that has begun is left to its end. */
export const limitTime = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, next) => {
    const timer = setTimeout(() => {
      if (!reply.sent && !reply.raw.headersSent) answerInPlace(request, reply);
    }, REQUEST_MS);
    reply.raw.once('close', () => clearTimeout(timer));
    next();
  });
};
