import cookie from '@fastify/cookie';
import Fastify, { type FastifyHttpOptions, LogController, type RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { serveConsole } from './console.ts';
import type { App, HttpDeps } from './deps.ts';
import { databaseProbe, memoryProbe, projectionProbes, watchEventLoop } from './health.ts';
import { serveLive } from './live/live.ts';
import { describeApi } from './openapi.ts';
import { answerClientErrors, answerProblem } from './problems/errors.ts';
import { settleWith } from './replies.ts';
import { acceptJsonOnly, MAX_BODY } from './requests/body.ts';
import { guardRoutes } from './requests/guard.ts';
import { runOnce } from './requests/idempotency.ts';
import { loggerOptions, logRequests } from './requests/logging.ts';
import { stampRequests } from './requests/meta.ts';
import { countRequests } from './requests/metrics.ts';
import { allowConfiguredOrigins, checkHosts, createOrigins, type Origins } from './requests/origins.ts';
import { boundLoad } from './requests/overload.ts';
import { protectReplies } from './requests/securityHeaders.ts';
import { limitTime, REQUEST_MS } from './requests/timeLimit.ts';
import { checkRequests } from './requests/validation.ts';
import { monitoringRoutes } from './routes/monitoring.ts';
import { operationsRoutes } from './routes/operations.ts';
import { apiRoutes } from './routes.ts';
import { replySerializer } from './serializer.ts';
import { mayNotReturn } from './tool.ts';

/** How often it is looked for requests that have not. */
const CHECK_MS = 2_000;

const originsOf = ({ settings, queries, now }: HttpDeps): Origins =>
  createOrigins({
    publicOrigins: settings.publicOrigins,
    hosts: [...settings.hosts, settings.portalHost],
    isCustomDomain: async (host) => (await queries.integrators.byDomain(host))?.verified ?? false,
    now,
  });

const serverOptions = ({ settings, newId, log }: HttpDeps): FastifyHttpOptions<RawServerDefault> => ({
  logger: { ...loggerOptions(settings.logLevel), ...(log && { stream: log }) },
  logController: new LogController({ disableRequestLogging: true }),
  genReqId: () => newId(),
  requestIdHeader: false,
  trustProxy: settings.trustProxy === false ? false : [...settings.trustProxy],
  bodyLimit: MAX_BODY,
  requestTimeout: REQUEST_MS,
  http: { connectionsCheckingInterval: CHECK_MS },
  return503OnClosing: false,
  clientErrorHandler: answerClientErrors,
  frameworkErrors: answerProblem,
});

/**
 * The whole edge: REST, the live feed, the sockets of command-line tools and the built console. Nothing listens before
 * `app.listen`. Throws when a route does not say who may call it.
 */
export const createApp = async (deps: HttpDeps): Promise<App> => {
  const { settings, sessions, waitUntil, queries, db, now } = deps;
  const app: App = Fastify(serverOptions(deps)).withTypeProvider<ZodTypeProvider>();
  const origins = originsOf(deps);
  const settle = settleWith(waitUntil);

  app.setValidatorCompiler(checkRequests);
  app.setSerializerCompiler(replySerializer);
  app.setErrorHandler(answerProblem);
  acceptJsonOnly(app);

  const load = boundLoad(app);
  limitTime(app);
  const counters = countRequests(app);
  logRequests(app);
  stampRequests(app, deps);
  await protectReplies(app, {
    webRoot: settings.webRoot,
    isTls: settings.publicOrigins.some((origin) => origin.startsWith('https:')),
  });
  await app.register(cookie);
  checkHosts(app, origins);
  await describeApi(app, { title: settings.productName, version: settings.version });
  guardRoutes(app, { sessions, origins, mayNotReturn: (ended) => mayNotReturn(deps, ended) });
  allowConfiguredOrigins(app, origins);
  runOnce(app, { db, secret: deps.replySecret, now, newId: deps.newId });
  app.addHook('onSend', (_request, reply, _payload, next) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    next();
  });

  const live = await serveLive(app, { ...deps, origins });
  const eventLoop = watchEventLoop();
  app.addHook('onClose', async () => eventLoop.stop());
  const essential = { database: databaseProbe(db), ...(deps.probes.eventStore && { eventStore: deps.probes.eventStore }) };
  const probes = {
    ...essential,
    ...projectionProbes(queries, now),
    ...live.probes,
    ...deps.probes,
    memory: memoryProbe,
    eventLoop: eventLoop.probe,
  };
  apiRoutes(app, { ...deps, settle, origins, counters });
  monitoringRoutes(app, { ...deps, probes });
  operationsRoutes(app, {
    ...deps,
    essential,
    counters,
    isDraining: load.isDraining,
    gauges: () => ({
      latchkey_http_requests_in_flight: load.inFlight(),
      latchkey_event_loop_p99_seconds: eventLoop.p99() / 1000,
      latchkey_resident_bytes: process.memoryUsage.rss(),
      latchkey_uptime_seconds: process.uptime(),
      ...live.gauges(),
    }),
  });
  await serveConsole(app, settings);
  await app.ready();
  return app;
};
