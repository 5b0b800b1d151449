import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Logger, pino } from 'pino';
import type { Config } from '../bootstrap/config.ts';
import { DATABASES, eventStoreUrlOf, startEmbeddedStores } from '../bootstrap/embeddedStores.ts';
import { openProduct, type Product } from '../bootstrap/product.ts';
import { loadMasterSecret, masterSecretFile, waitingSecret } from '../bootstrap/secrets.ts';
import { checkGivenStores } from '../bootstrap/storeChecks.ts';
import { holdsProduct, holdsSealedData } from '../database/prepare.ts';
import { systemUrlOf } from '../database/roles.ts';
import { findPostgres } from '../embedded/postgres/findPostgres.ts';
import { type ScavengeOutcome, scavengeStore } from '../eventstore/scavenge.ts';
import { loggerOptions } from '../http/requests/logging.ts';
import { type AdminKey, adminKeyOf } from '../security/adminKey.ts';

export type Operator = Readonly<{
  product: Product;
  adminKey: AdminKey;
  masterSecret: Buffer;
  /** Whether a server runs on the embedded stores right now; null for external stores, where this is unknown. */
  serverRuns: boolean | null;
  /** See `scavengeStore`. */
  scavenge: (signal: AbortSignal) => Promise<ScavengeOutcome>;
  close: () => Promise<void>;
}>;

/** There is nothing to operate on: DATA_DIR or a variable names another place than the server's. One line. */
export class StoreMissing extends Error {
  override readonly name = 'StoreMissing';
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Throws `StoreMissing` if the embedded stores would be created. */
const requireEmbeddedStores = async ({ databaseUrl, eventStoreUrl, dataDir }: Config): Promise<void> => {
  if ((databaseUrl === null || eventStoreUrl === null) && !(await exists(join(dataDir, 'postgres', 'cluster', 'PG_VERSION')))) {
    throw new StoreMissing(
      `There is no data in ${dataDir}. Set DATA_DIR to the data directory of the server, or set DATABASE_URL and EVENTSTORE_URL.`,
    );
  }
};

/** Throws `StoreMissing` where a server would make a new store or a new master secret: an operator's command never does. */
const requireStores = async (config: Config): Promise<void> => {
  const { databaseUrl, masterSecret, dataDir } = config;
  await requireEmbeddedStores(config);
  if (masterSecret === null && !(await exists(masterSecretFile(dataDir)))) {
    throw new StoreMissing(
      `There is no master secret in ${dataDir}. Set DATA_DIR to the data directory of the server, or set MASTER_SECRET.`,
    );
  }
  if (databaseUrl !== null && !(await holdsProduct(databaseUrl))) {
    throw new StoreMissing(
      'The database in DATABASE_URL contains no Latchkey data. Set DATABASE_URL to the database of the server.',
    );
  }
};

type Stores = {
  databaseUrl: string;
  ownerUrl: string | null;
  eventStoreUrl: string;
  serverRuns: boolean | null;
  stop: () => Promise<void>;
};

/** The stores that the configuration names: a running server's own, where one runs on DATA_DIR, else started for us. */
const reachStores = async (config: Config, log: Logger): Promise<Stores> => {
  const { databaseUrl, databaseOwnerUrl, eventStoreUrl, dataDir } = config;
  if (databaseUrl && eventStoreUrl)
    return { databaseUrl, ownerUrl: databaseOwnerUrl, eventStoreUrl, serverRuns: null, stop: async () => undefined };
  const running = await findPostgres(join(dataDir, 'postgres'));
  if (running) {
    return {
      databaseUrl: databaseUrl ?? running.url(DATABASES.product, 'application'),
      ownerUrl: databaseUrl ? databaseOwnerUrl : running.url(DATABASES.product, 'owner'),
      eventStoreUrl: eventStoreUrl ?? eventStoreUrlOf(dataDir, running.owner),
      serverRuns: true,
      stop: async () => undefined,
    };
  }
  const wanted = { postgres: databaseUrl === null, eventStore: eventStoreUrl === null };
  const stores = await startEmbeddedStores({
    dataDir,
    wanted,
    log,
    onGivenUp: (reason) => {
      throw new Error(reason);
    },
  });
  const reached = { databaseUrl: databaseUrl ?? stores.databaseUrl, eventStoreUrl: eventStoreUrl ?? stores.eventStoreUrl };
  if (!reached.databaseUrl || !reached.eventStoreUrl) throw new Error('No stores are configured');
  return {
    databaseUrl: reached.databaseUrl,
    ownerUrl: databaseUrl ? databaseOwnerUrl : stores.ownerUrl,
    eventStoreUrl: reached.eventStoreUrl,
    serverRuns: false,
    stop: stores.stop,
  };
};

const logOf = ({ logLevel }: Config): Logger =>
  pino({ ...loggerOptions(logLevel === 'info' ? 'error' : logLevel) }, pino.destination(2));

/** The event store that the configuration names, started if no server runs it. Throws `StoreMissing` and `StoreUnreachable`. */
export const openEventStoreUrl = async (given: Config): Promise<{ url: string; stop: () => Promise<void> }> => {
  const config = { ...given, dataDir: resolve(given.dataDir) };
  if (config.eventStoreUrl !== null) {
    await checkGivenStores({ ...config, databaseUrl: null });
    return { url: config.eventStoreUrl, stop: async () => undefined };
  }
  await requireEmbeddedStores(config);
  const { eventStoreUrl, stop } = await reachStores(config, logOf(config));
  return { url: eventStoreUrl, stop };
};

/**
 * Opens the product's stores for an operator's command, beside a running server or without one. Data keys may be wrapped by `nextSecret`
 * already, or by the waiting one of a rotation that a crash broke off.
 */
export const openOperator = async (
  given: Config,
  { nextSecret = null }: { nextSecret?: Buffer | null } = {},
): Promise<Operator> => {
  const config = { ...given, dataDir: resolve(given.dataDir) };
  const log = logOf(config);
  await checkGivenStores(config);
  await requireStores(config);
  const stores = await reachStores(config, log);
  try {
    const masterSecret = await loadMasterSecret({
      dataDir: config.dataDir,
      given: config.masterSecret,
      dataExists: async () => holdsSealedData(await systemUrlOf(stores.databaseUrl)),
    });
    const waiting = await waitingSecret(config.dataDir);
    const product = await openProduct({
      ...stores,
      masterSecret,
      signInRetentionDays: config.signInRetentionDays,
      otherSecrets: [nextSecret, waiting].filter((secret) => secret !== null),
      log,
    });
    return {
      product,
      adminKey: adminKeyOf({
        db: product.db,
        passwords: product.passwords,
        prefix: config.keyPrefix,
        given: config.adminKey,
      }),
      masterSecret,
      serverRuns: stores.serverRuns,
      scavenge: (signal) => scavengeStore(stores.eventStoreUrl, signal),
      close: async () => {
        await product.close();
        await stores.stop();
      },
    };
  } catch (error) {
    await stores.stop();
    throw error;
  }
};
