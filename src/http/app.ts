import cookie from '@fastify/cookie';
import Fastify, { type FastifyHttpOptions, LogController, type RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { serveApiDocs } from './apiDocs.ts';
import { resolveApiToken } from './apiTokens.ts';
import { serveConsole } from './console.ts';
import type { App, HttpDeps, MountLive } from './deps.ts';
import { databaseProbe, lagMsOf, memoryProbe, projectionProbes, signInProbe, watchEventLoop } from './health.ts';
import { BODY_LIMIT, QUOTAS } from './limits.ts';
import { createLogos } from './logos.ts';
import { describeApi } from './openapi.ts';
import { settleWith } from './replies.ts';
import { boundAddresses } from './requests/address.ts';
import { acceptDeclaredBodies, boundBodies } from './requests/body.ts';
import { answerDownloads, createDownloads, type Downloads } from './requests/downloads.ts';
import { answerClientErrors, answerProblem } from './requests/errors.ts';
import { guardRoutes } from './requests/guard.ts';
import { runOnce } from './requests/idempotency.ts';
import { loggerOptions, logRequests } from './requests/logging.ts';
import { maskKeys } from './requests/maskedKeys.ts';
import { stampRequests } from './requests/meta.ts';
import { countRequests } from './requests/metrics.ts';
import { allowConfiguredOrigins, checkHosts, createOrigins, type Origins } from './requests/origins.ts';
import { boundLoad } from './requests/overload.ts';
import { bindQueries } from './requests/ownQueries.ts';
import { boundPeers, sharedBy } from './requests/peers.ts';
import { remembered } from './requests/remembered.ts';
import { protectReplies } from './requests/securityHeaders.ts';
import { recordSignIns } from './requests/signIns.ts';
import { boundReaders, limitTime, REQUEST_MS } from './requests/timeouts.ts';
import { traceRequests } from './requests/tracing.ts';
import { checkRequests, replySerializer } from './requests/validation.ts';
import { monitoringRoutes } from './routes/monitoring.ts';
import { operationsRoutes } from './routes/operations.ts';
import { apiRoutes } from './routes.ts';
import { refusalAfter } from './tool.ts';

/** The interval of the check for requests that have not arrived in time. */
const CHECK_MS = 2_000;
/** How often a scrape counts customers that called too many instances, and emails. */
const COUNTED_MS = 15_000;
/** Shorter than the interval of a scrape, so that each one begins a measurement for the next. */
const LAG_MS = 1_000;

const originsOf = ({ settings, systemQueries, now }: HttpDeps): Origins =>
  createOrigins({
    publicOrigins: settings.publicOrigins,
    hosts: [...settings.hosts, settings.portalHost],
    isCustomDomain: async (host) => (await systemQueries.integrators.byDomain(host))?.verified ?? false,
    now,
  });

const serverOptions = ({ settings, newId, log }: HttpDeps, { addressOf }: Downloads): FastifyHttpOptions<RawServerDefault> => ({
  logger: { ...loggerOptions(settings.logLevel), ...(log && { stream: log }) },
  logController: new LogController({ disableRequestLogging: true }),
  genReqId: () => newId(),
  requestIdHeader: false,
  trustProxy: settings.trustProxy === false ? false : [...settings.trustProxy],
  bodyLimit: BODY_LIMIT.short,
  rewriteUrl: addressOf,
  requestTimeout: REQUEST_MS,
  http: { connectionsCheckingInterval: CHECK_MS },
  return503OnClosing: false,
  clientErrorHandler: answerClientErrors,
  frameworkErrors: answerProblem,
});

/**
 * The whole edge: REST, what `mountLive` pushes to browsers and command-line tools, and the built console. Nothing listens
 * before `app.listen`. `renderMetrics` gives what Prometheus reads. Throws when a route does not say who may call it.
 */
export const createApp = async (
  deps: HttpDeps,
  mountLive: MountLive,
): Promise<{ app: App; renderMetrics: () => Promise<string> }> => {
  const { settings, sessions, waitUntil, systemQueries, db, now } = deps;
  const downloads = createDownloads({ secret: deps.downloadSecret, now });
  const app: App = Fastify(serverOptions(deps, downloads)).withTypeProvider<ZodTypeProvider>();
  const origins = originsOf(deps);

  app.setValidatorCompiler(checkRequests);
  app.setSerializerCompiler(replySerializer);
  app.setErrorHandler(answerProblem);
  acceptDeclaredBodies(app);

  traceRequests(app);
  const load = boundLoad(app);
  limitTime(app);
  boundAddresses(app);
  boundBodies(app);
  const counters = countRequests(app);
  const quotas = { ...QUOTAS, ...deps.quotas };
  const settle = settleWith(waitUntil, quotas);
  const onRejected = counters.countLimit;
  boundPeers(app, { isShared: sharedBy(settings.trustProxy), onRejected, quotas });
  boundReaders(app, { onRejected, quotas });
  logRequests(app);
  recordSignIns(app, counters, deps);
  stampRequests(app, deps);
  await protectReplies(app, {
    webRoot: settings.webRoot,
    isTls: settings.publicOrigins.some((origin) => origin.startsWith('https:')),
  });
  await app.register(cookie);
  answerDownloads(app, origins);
  checkHosts(app, origins);
  allowConfiguredOrigins(app, origins);
  bindQueries(app, deps);
  if (settings.apiDocs) await describeApi(app, { title: settings.productName, version: settings.version });
  guardRoutes(app, {
    sessions,
    origins,
    now,
    resolveApiToken: (request, token) => resolveApiToken(deps, request, token),
    refusalAfter: (ended) => refusalAfter(deps, ended),
  });
  maskKeys(app);
  runOnce(app, { db, vault: deps.vault, secret: deps.replySecret, now, newId: deps.newId });
  app.addHook('onSend', (_request, reply, payload, next) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    next(null, payload);
  });

  const live = await mountLive(app, { ...deps, origins, onRejected, quotas });
  const eventLoop = watchEventLoop();
  app.addHook('onClose', async () => eventLoop.stop());
  const essential = { database: databaseProbe(db), ...(deps.probes.eventStore && { eventStore: deps.probes.eventStore }) };
  const probes = {
    ...essential,
    ...projectionProbes(systemQueries, now),
    ...live.probes,
    signIns: signInProbe(deps.tiers),
    ...deps.probes,
    memory: memoryProbe,
    eventLoop: eventLoop.probe,
  };
  const logos = createLogos({ fetch: deps.fetchLogo, now });
  apiRoutes(app, { ...deps, settle, origins, counters, quotas, logos, downloads });
  monitoringRoutes(app, { ...deps, probes });
  const seldom = { ms: COUNTED_MS, onError: (error: unknown) => app.log.error({ err: error }, 'metrics') };
  const customersWithOtherInstances = remembered(systemQueries.usage.customersWithOtherInstances, { initial: 0, ...seldom });
  const callsNotIncluded = remembered(systemQueries.usage.totalNotIncluded, { initial: 0, ...seldom });
  const emails = remembered(deps.outboxCounts, {
    initial: { pending: 0, retried: 0, sent: 0, failed: 0, reason: null },
    ...seldom,
  });
  const parked = remembered(systemQueries.monitoring.parked, { initial: [], ...seldom });
  const lag = remembered(() => lagMsOf(systemQueries, now), { initial: 0, ...seldom, ms: LAG_MS });
  counters.addGauges({
    latchkey_projection_lag_seconds: { help: 'How far the read models are behind the events', read: () => lag() / 1000 },
    latchkey_parked_streams: { help: 'Streams whose events could not be applied', read: () => parked().length },
    latchkey_http_requests_in_flight: { help: 'HTTP requests without a reply yet', read: load.inFlight },
    latchkey_event_loop_p99_seconds: { help: 'How late timers fire, 99th percentile', read: () => eventLoop.p99() / 1000 },
    latchkey_resident_bytes: { help: 'Resident memory of the process', read: () => process.memoryUsage.rss() },
    latchkey_uptime_seconds: { help: 'Seconds since the process started', read: () => process.uptime() },
    latchkey_customers_with_other_instances: {
      help: 'Customers whose calls of further instances are counted together',
      read: customersWithOtherInstances,
    },
    latchkey_api_calls_not_included: {
      help: 'Counted API calls to services that the license did not include',
      read: callsNotIncluded,
    },
    latchkey_logo_fetches_refused: { help: 'Logo fetches rejected because too many were running', read: logos.refused },
    latchkey_emails_pending: { help: 'Emails to be sent', read: () => emails().pending },
    latchkey_emails_retried: { help: 'Emails to be sent that failed at least once', read: () => emails().retried },
    latchkey_emails_sent_7_days: { help: 'Emails sent in the last 7 days', read: () => emails().sent },
    latchkey_emails_failed_7_days: { help: 'Emails given up in the last 7 days', read: () => emails().failed },
    latchkey_sign_ins_unrecorded: { help: 'Sign-ins that could not be recorded', read: deps.signIns.lost },
    latchkey_sign_ins_waiting: {
      help: 'Sign-ins waiting for a permit or a turn of their address',
      read: () => deps.permits.waiting() + deps.turns.waiting(),
    },
    latchkey_sign_ins_delayed: { help: 'Sign-ins delayed by a network limit', read: deps.tiers.delayed },
    latchkey_sign_in_tiers_over_limit: { help: 'Networks, and their total, beyond their limits', read: deps.tiers.overLimit },
    ...live.gauges,
  });
  const renderMetrics = counters.render;
  operationsRoutes(app, { ...deps, essential, renderMetrics, isDraining: load.isDraining });
  if (settings.apiDocs) await serveApiDocs(app, { title: settings.productName });
  await serveConsole(app, settings);
  await app.ready();
  eventLoop.start();
  return { app, renderMetrics };
};
