import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import { recordAdminActivity, recordUserActivity } from '../commands/activity.ts';
import { customerAsOf } from '../commands/asOf.ts';
import { createApp } from '../http/app.ts';
import { type ProveDomain, proveDomains } from '../http/customDomains/proof.ts';
import type { App } from '../http/deps.ts';
import { diskProbe, roundTrip } from '../http/health.ts';
import { createConnections } from '../http/live/connections.ts';
import { loggerOptions } from '../http/requests/logging.ts';
import { probeCredential } from '../outbound/credentialProbe.ts';
import { type ResolveTxt, txtResolver } from '../outbound/domainVerification.ts';
import { listenForChanges } from '../projections/changes.ts';
import { type Projector, startProjector } from '../projections/projector.ts';
import { createReadPosition, type ReadPosition } from '../projections/readPosition.ts';
import { adminKeyOf } from '../security/adminKey.ts';
import { newLicenseKey, newMasterLicenseKey } from '../security/keys.ts';
import { createSignInBudget } from '../security/signInBudget.ts';
import type { Config } from './config.ts';
import { type EmbeddedStores, startEmbeddedStores } from './embeddedStores.ts';
import { startPolicies } from './policies.ts';
import { holdsSealedData, openProduct, type Product } from './product.ts';
import { retireAdminKey } from './retireAdminKey.ts';
import { loadMasterSecret } from './secrets.ts';
import { VERSION } from './version.ts';

/** Connections that may wait to be taken: a thousand tools that come back at once are not turned away. */
const BACKLOG = 4_096;
const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url));

export type RunningServer = {
  /** Where it answers; null when this process does not run the api. */
  url: string | null;
  product: Product;
  /** Finishes what was begun, and stops every part after those that need it. */
  stop: () => Promise<void>;
};

/** Stops in the reverse of the order in which things were started, and all of it even where one fails. */
const stopping = (log: Logger) => {
  const parts: { name: string; stop: () => Promise<unknown> }[] = [];
  return {
    add: (name: string, stop: () => Promise<unknown>) => void parts.push({ name, stop }),
    stop: async (): Promise<void> => {
      for (const { name, stop } of parts.splice(0).reverse()) {
        await stop().catch((err: unknown) => log.error({ err, part: name }, 'A part did not stop cleanly'));
      }
    },
  };
};

const startApi = async (
  config: Config,
  product: Product,
  {
    stores,
    waitUntil,
    proveDomain,
    say,
  }: { stores: EmbeddedStores; waitUntil: ReadPosition['waitUntil']; proveDomain: ProveDomain; say: (line: string) => void },
): Promise<App> => {
  const { db, notices, passwords, events, node, now, newId } = product;
  const onError = (error: unknown): void => app?.log.error({ err: error }, 'background');
  const adminKey = adminKeyOf({ db, passwords, prefix: config.keyPrefix, given: config.adminKey });
  const generated = await adminKey.ensure(() => retireAdminKey(product));
  if (generated) say(`Admin key (shown this once, keep it safe): ${generated}`);
  const app: App = await createApp({
    settings: {
      productName: config.productName,
      keyPrefix: config.keyPrefix,
      portalHost: config.portalHost,
      adminEmail: config.adminEmail,
      publicOrigins: config.publicOrigins,
      hosts: [config.host],
      trustProxy: config.trustProxy,
      version: VERSION,
      webRoot: WEB_ROOT,
      logLevel: config.logLevel,
    },
    ...product,
    waitUntil,
    listenForChanges: (onChanges) => listenForChanges(notices, onChanges),
    customerAsOf: (customerId, at) => customerAsOf(events, customerId, at),
    recordUserActivity: (...rest) => recordUserActivity(events, ...rest),
    recordAdminActivity: (...rest) => recordAdminActivity(events, ...rest),
    connections: createConnections({ db, notices, node, onError }),
    budget: createSignInBudget({ db, now }),
    verifyAdminKey: adminKey.verify,
    testCredential: (credential) =>
      probeCredential(credential, {
        allow: config.credentialTestAllow.map(([address, bits]) => `${address}/${bits}`),
        clock: () => performance.now(),
      }),
    proveDomain,
    keys: {
      newLicense: () => newLicenseKey(config.keyPrefix),
      newMasterLicense: () => newMasterLicenseKey(config.keyPrefix),
      digest: product.digest,
    },
    replySecret: product.secretFor('idempotency replies v1'),
    probes: {
      eventStore: roundTrip('The event store', () => events.head()),
      vault: roundTrip('The vault', () => product.vault.check()),
      ...(stores.names.length > 0 && { disk: diskProbe(config.dataDir) }),
    },
    newId,
  });
  return app;
};

/**
 * Starts what `config.roles` names, in order: stores, database, read side, write side's policies, HTTP. `say` gets lines for the
 * person who started it; `onFatal` is told when a part cannot be kept running; `resolveTxt` asks the name servers. Throws when a part does not start, with everything
 * that was started stopped again.
 */
export const startServer = async (
  given: Config,
  {
    say,
    onFatal,
    resolveTxt = txtResolver(),
  }: { say: (line: string) => void; onFatal: (reason: string) => void; resolveTxt?: ResolveTxt },
): Promise<RunningServer> => {
  const config = { ...given, dataDir: resolve(given.dataDir) };
  const log = pino(loggerOptions(config.logLevel));
  const parts = stopping(log);
  try {
    const stores = await startEmbeddedStores({
      dataDir: config.dataDir,
      wanted: {
        postgres: config.roles.has('embedded') && config.databaseUrl === null,
        eventStore: config.roles.has('embedded') && config.eventStoreUrl === null,
      },
      log,
      onGivenUp: onFatal,
    });
    parts.add('the embedded stores', stores.stop);
    const databaseUrl = config.databaseUrl ?? stores.databaseUrl;
    const eventStoreUrl = config.eventStoreUrl ?? stores.eventStoreUrl;
    if (!databaseUrl || !eventStoreUrl) throw new Error('This process has no stores to work with');
    say(
      `${config.productName} ${VERSION} on ${config.databaseUrl ? 'the given PostgreSQL' : 'an embedded PostgreSQL'} and ${
        config.eventStoreUrl ? 'the given event store' : 'an embedded event store'
      }, data in ${join(config.dataDir)}`,
    );
    const masterSecret = await loadMasterSecret({
      dataDir: config.dataDir,
      given: config.masterSecret,
      dataExists: () => holdsSealedData(databaseUrl),
    });
    const product = await openProduct({ databaseUrl, eventStoreUrl, masterSecret, log });
    parts.add('the stores’ connections', product.close);
    const proveDomain = proveDomains({ integrators: product.queries.integrators, resolveTxt, now: product.now });

    if (config.roles.has('projector')) {
      const projector: Projector = startProjector({ ...product, log });
      parts.add('the projector', () => projector.stop());
      const policies = startPolicies(product, { proveDomain, log });
      parts.add('the policies', () => policies.stop());
    }
    if (!config.roles.has('api')) return { url: null, product, stop: parts.stop };

    const readPosition = createReadPosition(product.notices, product.db);
    parts.add('waiting requests', async () => readPosition.close());
    const app = await startApi(config, product, { stores, waitUntil: readPosition.waitUntil, proveDomain, say });
    parts.add('the api', () => app.close());
    await app.listen({ host: config.host, port: config.port, backlog: BACKLOG });
    const [address] = app.addresses();
    const port = typeof address === 'object' ? address.port : config.port;
    return { url: `http://${config.host === '127.0.0.1' ? 'localhost' : config.host}:${port}`, product, stop: parts.stop };
  } catch (error) {
    await parts.stop();
    throw error;
  }
};
