import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { versionReply } from '../../contracts/replies.ts';
import { isApiToken } from '../../security/apiTokenFormat.ts';
import type { Session } from '../../security/session.ts';
import { resolveApiToken } from '../apiTokens.ts';
import type { App, HttpDeps } from '../deps.ts';
import { examine, examineSeldom, type HealthProbe } from '../health.ts';
import { HttpProblem } from '../problems/problems.ts';
import { quietLevel } from '../requests/logging.ts';
import { METRICS_TYPE } from '../requests/metrics.ts';
import { bearerFits } from '../requests/metricsToken.ts';
import { probePaths } from '../requests/probes.ts';

/** How long the result of the stores' checks is cached, since the request is public and each check queries every store. */
const READY_MS = 500;

const config = { audience: ['public'] } as const;
/** What probes, scrapers of a machine and clients of another version ask. */
export const operationsRoutes = (
  app: App,
  deps: HttpDeps & {
    /** Without these the server is not ready. */
    essential: Readonly<Record<string, HealthProbe>>;
    renderMetrics: () => Promise<string>;
    isDraining: () => boolean;
  },
): void => {
  const { sessions, settings, essential, renderMetrics, isDraining } = deps;
  const { version } = settings;
  const logLevel = quietLevel(settings.logLevel);
  const examineStores = examineSeldom(
    () =>
      examine(essential, {
        uptime: process.uptime(),
        version,
        onError: (error) => app.log.warn({ err: error }, 'not ready'),
      }),
    READY_MS,
  );

  app.get(
    probePaths.alive,
    { config, logLevel, schema: { hide: true, response: { 200: z.object({ status: z.literal('alive') }) } } },
    async () => ({
      status: 'alive' as const,
    }),
  );

  app.get(probePaths.ready, { config, logLevel, schema: { hide: true } }, async (_request, reply) => {
    const { checks } = await examineStores();
    const missing = Object.keys(checks).filter((name) => checks[name]?.status === 'critical');
    const ready = missing.length === 0 && !isDraining();
    if (!ready) reply.code(503).header('retry-after', '1');
    return { status: ready ? 'ready' : isDraining() ? 'draining' : 'not ready', missing };
  });

  const published = settings.apiDocs ? version : null;
  app.get('/api/version', { config, schema: { response: { 200: versionReply } } }, async () => ({
    success: true as const,
    version: published,
  }));

  const sessionOf = async (request: FastifyRequest, token: string | undefined): Promise<Session> => {
    if (token !== undefined && isApiToken(token)) {
      const resolved = await resolveApiToken(deps, request, token);
      if (resolved.problem !== null) throw new HttpProblem(resolved.problem);
      return resolved.session;
    }
    const resolved = token === undefined ? null : await sessions.resolve(token);
    if (!resolved?.found) throw new HttpProblem('session_required');
    return resolved.session;
  };

  /** A scraper has the token of the configuration, an administrator's, or an API token of the administration. */
  const mayScrape = async (request: FastifyRequest): Promise<void> => {
    const { authorization } = request.headers;
    if (settings.metricsToken !== null && bearerFits(authorization, settings.metricsToken)) return;
    const { owner, permissions } = await sessionOf(request, /^Bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1]);
    if (owner.kind !== 'admin' || !permissions.has('monitoring:read')) throw new HttpProblem('forbidden');
  };

  app.get(probePaths.metrics, { config, logLevel, schema: { hide: true } }, async (request, reply) => {
    await mayScrape(request);
    return reply.type(METRICS_TYPE).send(await renderMetrics());
  });
};
