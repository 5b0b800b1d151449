import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { App, HttpDeps } from '../deps.ts';
import { examine, type HealthProbe } from '../health.ts';
import { HttpProblem } from '../problems/problems.ts';
import { quietLevel } from '../requests/logging.ts';
import type { Counters } from '../requests/metrics.ts';

const ALIVE = '/healthz';
const READY = '/readyz';
const METRICS = '/metrics';
const PROBES = new Set([ALIVE, READY, METRICS]);

/** Whether a request is one of those below, which are answered whatever the Host, and however much there is to do. */
export const isProbe = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean => PROBES.has(routeOptions.url ?? '');

const config = { audience: ['public'] } as const;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** Whether the request comes from this machine itself and not through a proxy on it. */
const isLocal = ({ raw }: FastifyRequest): boolean =>
  LOOPBACK.test(raw.socket.remoteAddress ?? '') &&
  raw.headers['x-forwarded-for'] === undefined &&
  raw.headers.forwarded === undefined;

/** What probes and scrapers of a machine ask. */
export const operationsRoutes = (
  app: App,
  {
    sessions,
    settings,
    essential,
    counters,
    gauges,
    isDraining,
  }: HttpDeps & {
    /** Without these the server is not ready. */
    essential: Readonly<Record<string, HealthProbe>>;
    counters: Counters;
    gauges: () => Record<string, number>;
    isDraining: () => boolean;
  },
): void => {
  const { version } = settings;
  const logLevel = quietLevel(settings.logLevel);

  app.get(
    ALIVE,
    { config, logLevel, schema: { hide: true, response: { 200: z.object({ status: z.literal('alive') }) } } },
    async () => ({
      status: 'alive' as const,
    }),
  );

  app.get(READY, { config, logLevel, schema: { hide: true } }, async (request, reply) => {
    const { checks } = await examine(essential, {
      uptime: process.uptime(),
      version,
      onError: (error) => request.log.warn({ err: error }, 'not ready'),
    });
    const missing = Object.keys(checks).filter((name) => checks[name]?.status === 'critical');
    const ready = missing.length === 0 && !isDraining();
    if (!ready) reply.code(503).header('retry-after', '1');
    return { status: ready ? 'ready' : isDraining() ? 'draining' : 'not ready', missing };
  });

  app.get(METRICS, { config, logLevel, schema: { hide: true } }, async (request, reply) => {
    if (!isLocal(request)) {
      const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
      const resolved = token === undefined ? null : await sessions.resolve(token);
      if (!resolved?.found) throw new HttpProblem('session_required');
      if (resolved.session.owner.kind !== 'admin') throw new HttpProblem('forbidden');
    }
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(counters.render(gauges()));
  });
};
