import type { FastifyInstance } from 'fastify';
import { HttpProblem } from './problems.ts';

/** Requests at work at once. Beyond them a queue would only make all of them late. */
const MAX_IN_FLIGHT = 4_000;
/** How long a closing server lets busy connections end by themselves. */
const DRAIN_MS = 400;
const DRAIN_STEP_MS = 20;

const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

export type Load = Readonly<{ inFlight: () => number; isDraining: () => boolean }>;

/**
 * Refuses what is too much with 503, and lets a closing server drain: replies ask their connections to close while it still
 * listens, so that no request is lost on a connection that was about to be closed.
 */
export const boundLoad = (app: FastifyInstance): Load => {
  let inFlight = 0;
  let draining = false;

  app.addHook('onRequest', (request, reply, next) => {
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
    for (let waited = 0; waited < DRAIN_MS; waited += DRAIN_STEP_MS) {
      const open = await new Promise<number>((resolve) => app.server.getConnections((error, count) => resolve(error ? 0 : count)));
      if (open === 0) return;
      await new Promise((resolve) => setTimeout(resolve, DRAIN_STEP_MS));
    }
  });

  return { inFlight: () => inFlight, isDraining: () => draining };
};
