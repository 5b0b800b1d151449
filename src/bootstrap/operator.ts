import { join, resolve } from 'node:path';
import { type Logger, pino } from 'pino';
import { findPostgres } from '../embedded/postgres/server.ts';
import { type ScavengeOutcome, scavengeStore } from '../eventstore/scavenge.ts';
import { loggerOptions } from '../http/requests/logging.ts';
import { type AdminKey, adminKeyOf } from '../security/adminKey.ts';
import type { Config } from './config.ts';
import { DATABASES, eventStoreUrlOf, startEmbeddedStores } from './embeddedStores.ts';
import { holdsSealedData, openProduct, type Product } from './product.ts';
import { loadMasterSecret } from './secrets.ts';

export type Operator = Readonly<{
  product: Product;
  adminKey: AdminKey;
  masterSecret: Buffer;
  /** Whether a server runs on the embedded stores right now; null where the stores are given, since nobody can tell. */
  serverRuns: boolean | null;
  /** See `scavengeStore`. */
  scavenge: (signal: AbortSignal) => Promise<ScavengeOutcome>;
  close: () => Promise<void>;
}>;

type Stores = { databaseUrl: string; eventStoreUrl: string; serverRuns: boolean | null; stop: () => Promise<void> };

/** The stores that the configuration names: a running server's own, where one runs on DATA_DIR, else started for us. */
const reachStores = async (config: Config, log: Logger): Promise<Stores> => {
  const { databaseUrl, eventStoreUrl, dataDir } = config;
  if (databaseUrl && eventStoreUrl) return { databaseUrl, eventStoreUrl, serverRuns: null, stop: async () => undefined };
  const running = await findPostgres(join(dataDir, 'postgres'));
  if (running) {
    return {
      databaseUrl: databaseUrl ?? running.url(DATABASES.product),
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
  if (!reached.databaseUrl || !reached.eventStoreUrl) throw new Error('There are no stores to work with');
  return { databaseUrl: reached.databaseUrl, eventStoreUrl: reached.eventStoreUrl, serverRuns: false, stop: stores.stop };
};

/** Opens the product's stores for an operator's command, beside a running server or without one. */
export const openOperator = async (given: Config): Promise<Operator> => {
  const config = { ...given, dataDir: resolve(given.dataDir) };
  const log: Logger = pino({ ...loggerOptions(config.logLevel === 'info' ? 'error' : config.logLevel) }, pino.destination(2));
  const stores = await reachStores(config, log);
  try {
    const masterSecret = await loadMasterSecret({
      dataDir: config.dataDir,
      given: config.masterSecret,
      dataExists: () => holdsSealedData(stores.databaseUrl),
    });
    const product = await openProduct({ ...stores, masterSecret, log });
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
