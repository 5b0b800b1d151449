import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/bootstrap/config.ts';
import type { Product } from '../../src/bootstrap/product.ts';
import { type RunningServer, startServer } from '../../src/bootstrap/server.ts';
import type { Quotas } from '../../src/http/limits.ts';
import type { ResolveTxt } from '../../src/outbound/domainVerification.ts';
import { eventually } from './eventually.ts';
import { ADMIN_KEY, MASTER_SECRET } from './keys.ts';
import { openOwnEvents, openStores, type TestStores } from './stores.ts';

/** A whole server of the test file's own, on fresh stores. */
export type TestServer = {
  /** As `http://127.0.0.1:1234`. */
  url: string;
  /** Where Prometheus reads; null without `METRICS_PORT`. */
  metricsUrl: string | null;
  stores: TestStores;
  /** What the server itself works with, for a look behind. */
  product: Product;
  /** One more node of the same deployment, which ends with the server or before. `now` is a clock of its own. */
  openNode: (
    env?: NodeJS.ProcessEnv,
    own?: Pick<TestServerOptions, 'now'>,
  ) => Promise<{ url: string; metricsUrl: string | null; product: Product; close: () => Promise<void> }>;
  close: () => Promise<void>;
};

export type TestServerOptions = {
  /** Name servers to ask for TXT records; without them no name exists. */
  resolveTxt?: ResolveTxt;
  /** Smaller quotas than those of the product. */
  quotas?: Partial<Quotas>;
  /** Roots (PEM) that the hosts of logos are verified with. */
  logoRoots?: string;
  /** The clock of all nodes, ms since 1970. */
  now?: () => number;
};

const noNames: ResolveTxt = () => Promise.reject(Object.assign(new Error('queryTxt ENOTFOUND'), { code: 'ENOTFOUND' }));

const START_MS = 120_000;

/** Hashes at the cost of the product take a tenth of the CPU time of tests that sign in. */
const PASSWORD_COST = { memoryCost: 64, timeCost: 1 };

/** On a busy machine the read models are later than a reply waits for them in the product. */
const READ_MODELS_MS = 30_000;
const isFollowed = (groups: readonly { node: string | null }[]): boolean => groups.every(({ node }) => node !== null);

/** Starts a node on stores, and waits until the read models follow. `env` are variables of the configuration, over those of the tests. */
const startNode = async (
  stores: TestStores,
  env: NodeJS.ProcessEnv,
  { resolveTxt = noNames, quotas = {}, logoRoots, now }: TestServerOptions,
): Promise<{ server: RunningServer; close: () => Promise<void> }> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-server-'));
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: stores.databaseUrl,
    EVENTSTORE_URL: stores.eventStoreUrl,
    ADMIN_KEY,
    MASTER_SECRET,
    ROLES: 'api,projector',
    LOG_LEVEL: 'fatal',
    API_DOCS: 'off', // deriving them takes a fifth of the start
    ...env,
  });
  const server = await startServer(config, {
    say: () => undefined,
    onFatal: (reason) => {
      throw new Error(reason);
    },
    resolveTxt,
    quotas: { ...(config.roles.has('projector') && { readModelsMs: READ_MODELS_MS }), ...quotas },
    logoRoots,
    openEvents: openOwnEvents(stores),
    passwordCost: PASSWORD_COST,
    now,
  });
  if (config.roles.has('projector')) {
    await eventually(() => server.product.queries.monitoring.projections(new Date()), isFollowed, START_MS);
  }
  return {
    server,
    close: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

const addressOf = ({ url }: RunningServer): string => {
  if (!url) throw new Error('This node does not run the api');
  return url.replace('localhost', '127.0.0.1');
};

/** Starts a whole server in this process: api, projections and policies, on fresh stores. */
export const openServer = async (env: NodeJS.ProcessEnv = {}, options: TestServerOptions = {}): Promise<TestServer> => {
  const stores = await openStores();
  const nodes = new Set<() => Promise<void>>();
  const open = async (more: NodeJS.ProcessEnv, own: Pick<TestServerOptions, 'now'> = {}) => {
    const { server, close } = await startNode(stores, { ...env, ...more }, { ...options, ...own });
    const closeOnce = async () => {
      if (nodes.delete(closeOnce)) await close();
    };
    nodes.add(closeOnce);
    return { url: addressOf(server), metricsUrl: server.metricsUrl, product: server.product, close: closeOnce };
  };
  const first = await open({}).catch(async (error: unknown) => {
    await stores.close();
    throw error;
  });
  return {
    ...first,
    stores,
    openNode: (more = {}, own = {}) => open(more, own),
    close: async () => {
      for (const close of [...nodes].reverse()) await close();
      await stores.close();
    },
  };
};
