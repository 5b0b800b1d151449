import { join, resolve } from 'node:path';
import { type Logger, pino } from 'pino';
import { holdsSealedData } from '../database/prepare.ts';
import { systemUrlOf } from '../database/roles.ts';
import type { createEventStore } from '../eventstore/adapter.ts';
import type { Quotas } from '../http/limits.ts';
import { listenForMetrics } from '../http/metricsListener.ts';
import { loggerOptions } from '../http/requests/logging.ts';
import { type ResolveTxt, txtResolver } from '../outbound/domainVerification.ts';
import { domainVerifier } from '../outbound/verifyDomain.ts';
import { startAuditRunner } from '../projections/auditLog/runner.ts';
import { createReadPosition } from '../projections/engine/readPosition.ts';
import { type Projector, startProjector } from '../projections/projector.ts';
import type { PasswordCost } from '../security/passwords.ts';
import { VaultMismatch } from '../security/vault.ts';
import { createApi } from './api.ts';
import type { Config } from './config.ts';
import { tightenDataDir } from './dataDir.ts';
import { startEmbeddedStores } from './embeddedStores.ts';
import { describeNodeStores, storeListenersOf } from './nodeStores.ts';
import { operationsLog } from './operations.ts';
import { startPolicies } from './policies.ts';
import { openProduct, type Product } from './product.ts';
import { loadMasterSecret, removeOldSecrets, SecretError, waitingSecret } from './secrets.ts';
import { checkGivenStores } from './storeChecks.ts';
import { startTracing } from './tracing.ts';
import { VERSION } from './version.ts';

/** The listen backlog: a thousand tools that reconnect at the same time are accepted. */
const BACKLOG = 4_096;
/** Read models that take longer do not hold up the start. */
const PREPARED_MS = 10_000;
const BROKEN_OFF =
  'A rotation of the master secret was interrupted. Run latchkey-admin rotate-master-secret again, then start the servers.';

export type RunningServer = {
  /** Where it answers; null when this process does not run the api. */
  url: string | null;
  /** Where Prometheus reads; null without `METRICS_PORT`. */
  metricsUrl: string | null;
  product: Product;
  /** Finishes work in progress, and stops every part after those that need it. */
  stop: () => Promise<void>;
};

/** Stops in the reverse of the order in which things were started, and all of it even where one fails. */
const stopping = (log: Logger) => {
  const parts: { name: string; stop: () => Promise<unknown> }[] = [];
  return {
    add: (name: string, stop: () => Promise<unknown>) => void parts.push({ name, stop }),
    stop: async (): Promise<void> => {
      for (const { name, stop } of parts.splice(0).reverse()) {
        await stop().catch((err: unknown) => log.error({ err, part: name }, 'A component did not stop cleanly'));
      }
    },
  };
};

/**
 * Starts the parts for `config.roles` in order: stores, database, projections, policies, HTTP. `say` gets lines for the operator;
 * `onFatal` is called if a part cannot be kept running; `prepare` runs before requests are accepted, and resolves to the position that
 * the read models must reach first; `resolveTxt` queries the name servers; `quotas` replaces those of `QUOTAS`; `logoRoots` (PEM) replaces
 * the roots for the hosts of logos; `openEvents` replaces the adapter of the event store, `passwordCost` what a hash costs, `now` the
 * clock. If a part does not start, all started parts are stopped, and it throws.
 */
export const startServer = async (
  given: Config,
  {
    say,
    onFatal,
    prepare,
    resolveTxt = txtResolver(),
    quotas = {},
    logoRoots,
    openEvents,
    passwordCost,
    now,
  }: {
    say: (line: string) => void;
    onFatal: (reason: string) => void;
    prepare?: (product: Product) => Promise<bigint | null>;
    resolveTxt?: ResolveTxt;
    quotas?: Partial<Quotas>;
    logoRoots?: string | undefined;
    openEvents?: typeof createEventStore;
    passwordCost?: PasswordCost;
    now?: (() => number) | undefined;
  },
): Promise<RunningServer> => {
  const config = { ...given, dataDir: resolve(given.dataDir) };
  const log = pino(loggerOptions(config.logLevel));
  const parts = stopping(log);
  try {
    if (config.tracesTo) {
      const onError = (message: string): void => log.warn({ message }, 'Traces could not be exported');
      parts.add('the export of traces', await startTracing({ endpoint: config.tracesTo, onError }));
    }
    const tightened = await tightenDataDir(config.dataDir);
    if (tightened) say(tightened);
    await checkGivenStores(config, { appends: true });
    const stores = await startEmbeddedStores({
      dataDir: config.dataDir,
      wanted: {
        postgres: config.roles.has('embedded') && config.databaseUrl === null,
        eventStore: config.roles.has('embedded') && config.eventStoreUrl === null,
      },
      listeners: config.storesNetwork && (await storeListenersOf(config.dataDir, config.storesNetwork)),
      log,
      onGivenUp: onFatal,
    });
    parts.add('the embedded stores', stores.stop);
    if (stores.nodeUrls) say(await describeNodeStores(config.dataDir, stores.nodeUrls));
    const databaseUrl = config.databaseUrl ?? stores.databaseUrl;
    const eventStoreUrl = config.eventStoreUrl ?? stores.eventStoreUrl;
    if (!databaseUrl || !eventStoreUrl) throw new Error('No stores are configured for this process');
    say(
      `${config.productName} ${VERSION} on ${config.databaseUrl ? 'external PostgreSQL' : 'embedded PostgreSQL'} and ${
        config.eventStoreUrl ? 'external event store' : 'embedded event store'
      }, data in ${join(config.dataDir)}`,
    );
    const masterSecret = await loadMasterSecret({
      dataDir: config.dataDir,
      given: config.masterSecret,
      dataExists: async () => holdsSealedData(await systemUrlOf(databaseUrl)),
    });
    const ownerUrl = config.databaseUrl ? config.databaseOwnerUrl : stores.ownerUrl;
    const product = await openProduct({
      databaseUrl,
      ownerUrl,
      eventStoreUrl,
      masterSecret,
      signInRetentionDays: config.signInRetentionDays,
      ...(openEvents && { openEvents }),
      passwordCost,
      ...(now && { now }),
      log,
    }).catch(async (error: unknown) => {
      const isRotating = error instanceof VaultMismatch && (await waitingSecret(config.dataDir)) !== null;
      throw isRotating ? new SecretError(BROKEN_OFF) : error;
    });
    parts.add('the store connections', product.close);
    // Appends it once, so that a missing right is reported now and not by the first command.
    await product.events.identity();
    // Every data key is wrapped by the current secret, as opening the product has checked.
    const old = (await holdsSealedData(product.databaseUrl)) ? await removeOldSecrets(config.dataDir) : [];
    if (old.length > 0) say(`Removed master secrets that were replaced by a rotation: ${old.join(', ')}`);
    const verifyDomain = domainVerifier({ integrators: product.queries.integrators, resolveTxt, now: product.now });

    const operations = operationsLog(product, log);
    if (config.roles.has('projector')) {
      const projector: Projector = startProjector({ ...product, log, onRebuilt: (group) => void operations.rebuilt(group) });
      parts.add('the projector', () => projector.stop());
      const auditRunner = startAuditRunner({
        ...product,
        signCheckpoint: product.auditLog.sign,
        onError: (err) => log.warn({ err }, 'The audit log could not be written; retrying'),
      });
      parts.add('the audit log', auditRunner.stop);
      const policies = await startPolicies(product, { config, verifyDomain, log });
      parts.add('the policies', () => policies.stop());
    }
    // A node with the embedded stores only writes nothing, so that events can be copied into its store.
    if (config.roles.has('api') || config.roles.has('projector'))
      await operations.started({ version: VERSION, roles: [...config.roles] });
    if (!config.roles.has('api')) return { url: null, metricsUrl: null, product, stop: parts.stop };

    const readPosition = createReadPosition(product.notices, product.db);
    parts.add('waiting requests', async () => readPosition.close());
    const { app, renderMetrics } = await createApi(config, product, {
      stores,
      waitUntil: readPosition.waitUntil,
      verifyDomain,
      resolveTxt,
      quotas,
      logoRoots,
      say,
    });
    parts.add('the API', () => app.close());
    const prepared = await prepare?.(product);
    if (prepared) await readPosition.waitUntil(prepared, PREPARED_MS);
    await app.listen({ host: config.host, port: config.port, backlog: BACKLOG });
    const scraped = config.metrics && { ...config.metrics, token: config.metricsToken };
    const metrics = scraped && (await listenForMetrics(scraped, renderMetrics));
    if (metrics) parts.add('the metrics', metrics.close);
    const [address] = app.addresses();
    const port = typeof address === 'object' ? address.port : config.port;
    return {
      metricsUrl: metrics?.url ?? null,
      url: `http://${config.host === '127.0.0.1' ? 'localhost' : config.host}:${port}`,
      product,
      stop: parts.stop,
    };
  } catch (error) {
    await parts.stop();
    throw error;
  }
};
