import type { FastifyInstance } from 'fastify';
import { type Quotas, READER_BYTES } from '../limits.ts';
import { HttpProblem } from '../problems/problems.ts';
import { answerInPlace } from './answerInPlace.ts';
import type { CountLimit } from './metrics.ts';

/** A request has to have arrived by then, and a handler to have answered. */
export const REQUEST_MS = 30_000;

/** Answers every request in time, though its handler may go on. A reply that has begun is left to its end. */
export const limitTime = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, next) => {
    const timer = setTimeout(() => {
      answerInPlace(reply, new HttpProblem(request.raw.complete ? 'unavailable' : 'request_timeout'));
    }, REQUEST_MS);
    reply.raw.once('close', () => clearTimeout(timer));
    next();
  });
};

const sizeOf = (payload: unknown): number =>
  typeof payload === 'string' || payload instanceof Uint8Array ? payload.length : Number.POSITIVE_INFINITY;

/** Closes the connection of a client that has stopped reading a large reply, for what it does not read stays in memory. */
export const boundReaders = (
  app: FastifyInstance,
  { onRejected, quotas }: { onRejected: CountLimit; quotas: Pick<Quotas, 'readerIdleMs' | 'readerTotalMs'> },
): void => {
  app.addHook('onSend', (request, reply, payload, next) => {
    next();
    if (payload === null || payload === undefined || sizeOf(payload) <= READER_BYTES) return;
    const { socket } = request.raw;
    const close = (): void => {
      if (reply.raw.writableFinished) return;
      onRejected('slow_readers');
      socket.destroy();
    };
    const late = setTimeout(close, quotas.readerTotalMs);
    // The timeout of a socket starts again whenever its client takes something.
    socket.setTimeout(quotas.readerIdleMs);
    socket.on('timeout', close);
    const settle = (): void => {
      clearTimeout(late);
      socket.off('timeout', close);
    };
    reply.raw.once('finish', settle);
    reply.raw.once('close', settle);
  });
};
