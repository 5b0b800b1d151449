import { Server as NetServer, type Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { HttpProblem } from '../problems/problems.ts';
import { boundConnections, openFilesLimit } from './openFiles.ts';
import { isProbe } from './probes.ts';

/** Concurrent requests that are always accepted, so that a thousand tools may reconnect together; and the most that are accepted. */
const FEWEST = 1_000;
const MOST = 4_000;
/** Between both limits: as many as were answered in this time, so that an accepted request waits about as long. */
const WAIT_MS = 2_000;
const STEPS = 8;
/** Rejected clients retry after 1 to so many seconds, spread over time. */
const SPREAD_S = 10;
/** A connection that asked something this recently will ask again. */
const BUSY_MS = 2_000;
/** How long a closing server lets busy connections end by themselves. */
const DRAIN_MS = 1_000;
const DRAIN_STEP_MS = 20;

export type Load = Readonly<{ inFlight: () => number; isDraining: () => boolean }>;

/** Counts events of the last `WAIT_MS`, to the precision of its steps. */
const countRecent = (now: () => number) => {
  const counts = new Uint32Array(STEPS);
  let current = 0;
  const moveOn = (): void => {
    const step = Math.floor((now() / WAIT_MS) * STEPS);
    for (let passed = Math.max(current + 1, step - STEPS + 1); passed <= step; passed++) counts[passed % STEPS] = 0;
    current = step;
  };
  return {
    add: (): void => {
      moveOn();
      counts[current % STEPS] = (counts[current % STEPS] ?? 0) + 1;
    },
    sum: (): number => {
      moveOn();
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
};

const { status: REFUSED, body } = new HttpProblem('overloaded');
const REFUSAL = JSON.stringify(body);

/** Answers past everything else, for a refusal must cost next to nothing. */
const refuse = (reply: FastifyReply, retryAfter: number): void => {
  reply
    .hijack()
    .raw.writeHead(REFUSED, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(REFUSAL),
      'cache-control': 'no-store',
      'retry-after': String(retryAfter),
    })
    .end(REFUSAL);
};

/**
 * Rejects excess requests with 503, and closes without losing a request: it accepts no new connections, then each reply ends its
 * connection, and only idle connections are closed. `now` is a clock in ms.
 */
export const boundLoad = (
  app: FastifyInstance,
  { now = () => performance.now(), fewest = FEWEST }: { now?: () => number; fewest?: number } = {},
): Load => {
  const lastAsked = new Map<Socket, number>();
  const answered = countRecent(now);
  let inFlight = 0;
  let refused = 0;
  let draining = false;
  const isTooMuch = (): boolean => inFlight >= fewest && (inFlight >= MOST || inFlight >= answered.sum());

  boundConnections(app, openFilesLimit());

  app.addHook('onRequest', (request, reply, next) => {
    const { socket, headers } = request.raw;
    if (headers.upgrade === undefined) {
      if (!lastAsked.has(socket)) socket.once('close', () => lastAsked.delete(socket));
      lastAsked.set(socket, performance.now());
    }
    if (isTooMuch() && !isProbe(request)) return refuse(reply, 1 + (refused++ % SPREAD_S));
    if (draining) reply.header('connection', 'close');
    inFlight += 1;
    reply.raw.once('close', () => {
      inFlight -= 1;
      answered.add();
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
