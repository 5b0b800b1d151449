import { Server as NetServer, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { boundConnections, openFilesLimit } from './openFiles.ts';
import { HttpProblem } from './problems.ts';

/** Requests at work at once. Beyond them a queue would only make all of them late. */
const MAX_IN_FLIGHT = 4_000;
/** A connection that asked something this recently will ask again. */
const BUSY_MS = 2_000;
/** How long a closing server lets busy connections end by themselves. */
const DRAIN_MS = 1_000;
const DRAIN_STEP_MS = 20;

const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

export type Load = Readonly<{ inFlight: () => number; isDraining: () => boolean }>;

/**
 * Refuses what is too much with 503, and closes without losing a request: first nobody new is let in, then each reply asks its
 * connection to end, and only who asks nothing any more is hung up on.
 */
export const boundLoad = (app: FastifyInstance): Load => {
  const lastAsked = new Map<Socket, number>();
  let inFlight = 0;
  let draining = false;

  boundConnections(app, openFilesLimit());

  app.addHook('onRequest', (request, reply, next) => {
    const { socket, headers } = request.raw;
    if (headers.upgrade === undefined) {
      if (!lastAsked.has(socket)) socket.once('close', () => lastAsked.delete(socket));
      lastAsked.set(socket, performance.now());
    }
    if (draining) reply.header('connection', 'close');
    if (inFlight >= MAX_IN_FLIGHT && !PROBES.has(request.routeOptions.url ?? '')) return next(new HttpProblem('overloaded'));
    inFlight += 1;
    reply.raw.once('close', () => {
      inFlight -= 1;
    });
    next();
  });

  app.addHook('preClose', async () => {
    draining = true;
    // An HTTP server would hang up on idle connections as it stops listening; this is the plain half of it.
    NetServer.prototype.close.call(app.server);
    const startedAt = performance.now();
    const isBusy = (): boolean => [...lastAsked.values()].some((askedAt) => startedAt - askedAt < BUSY_MS);
    while (isBusy() && performance.now() - startedAt < DRAIN_MS) await new Promise((resolve) => setTimeout(resolve, DRAIN_STEP_MS));
  });

  return { inFlight: () => inFlight, isDraining: () => draining };
};
