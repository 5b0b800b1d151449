import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DATABASES, eventStoreUrlOf } from '../../src/bootstrap/embeddedStores.ts';
import { findPostgres } from '../../src/embedded/postgres/findPostgres.ts';
import { freePort } from '../support/freePort.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

const MASTER_SECRET = Buffer.alloc(32, 9).toString('base64');
const AGAIN_MS = 100;
/** The number of attempts to start a part. */
const STARTS = 100;
const OUTPUT_LINES = 15;

/** A process that is restarted whenever it ends, as by a service manager. */
type Kept = {
  current: () => ServerProcess | null;
  /** Its last output, to explain why it stopped. */
  lastOutput: () => string;
  stop: () => Promise<void>;
  gaveUp: Promise<never>;
};

const keepRunning = async (start: () => Promise<ServerProcess>): Promise<Kept> => {
  let current: ServerProcess | null = await start();
  let lastError = '';
  let stopping = false;
  const persist = async (): Promise<ServerProcess | null> => {
    for (let attempt = 1; !stopping; attempt++) {
      const started = await start().catch((error: unknown) => {
        if (attempt === STARTS) throw error;
        lastError = String(error);
        return delay(AGAIN_MS, null);
      });
      if (started) return started;
    }
    return null;
  };
  const watch = async (): Promise<void> => {
    while (current && !stopping) {
      await current.ended;
      current = null;
      current = await persist();
    }
  };
  const watching = watch();
  return {
    current: () => current,
    lastOutput: () => (current?.output() ?? `does not start: ${lastError}`).split('\n').slice(-OUTPUT_LINES).join('\n'),
    gaveUp: watching.then(() => new Promise<never>(() => undefined)),
    stop: async () => {
      stopping = true;
      await current?.stop();
      await watching;
      await current?.stop();
    },
  };
};

/** A deployment whose parts may be killed at any time. */
export type Deployment = {
  url: string;
  /** Kills a part by its name; false if it is not running. */
  kill: (victim: string) => Promise<boolean>;
  victims: readonly string[];
  /** The environment with which `latchkey-admin` reaches the stores. */
  env: Record<string, string>;
  databaseUrl: () => Promise<string>;
  /** The last output of its parts. */
  lastOutput: () => string;
  /** Rejects if a part can no longer be started. */
  gaveUp: Promise<never>;
  stop: () => Promise<void>;
};

const killProcess = async ({ current }: Kept): Promise<boolean> => {
  const running = current();
  await running?.kill();
  return running !== null;
};

const killPostgres = async (dataDir: string): Promise<boolean> => {
  const running = await findPostgres(join(dataDir, 'postgres'));
  if (running) process.kill(running.pid, 'SIGKILL');
  return running !== null;
};

const databaseUrlIn = async (dataDir: string): Promise<string> => {
  const running = await findPostgres(join(dataDir, 'postgres'));
  if (!running) throw new Error(`No PostgreSQL runs in ${dataDir}`);
  return running.url(DATABASES.product, 'owner');
};

/** Deploys everything in one process, as `npm start` does. */
export const deployInOneProcess = async (dataDir: string, port: number): Promise<Deployment> => {
  const server = await keepRunning(() => startServerProcess(dataDir, { PORT: String(port), MASTER_SECRET }));
  return {
    url: `http://127.0.0.1:${port}`,
    victims: ['server', 'PostgreSQL'],
    kill: (victim) => (victim === 'server' ? killProcess(server) : killPostgres(dataDir)),
    env: { DATA_DIR: dataDir, MASTER_SECRET },
    databaseUrl: () => databaseUrlIn(dataDir),
    lastOutput: server.lastOutput,
    gaveUp: server.gaveUp,
    stop: server.stop,
  };
};

/** Deploys the stores in one process, and the API and projections in another. */
export const deployInTwoProcesses = async (dataDir: string, port: number): Promise<Deployment> => {
  const storesDir = join(dataDir, 'stores');
  const ports = { EMBEDDED_DATABASE_PORT: String(await freePort()), EMBEDDED_EVENTSTORE_PORT: String(await freePort()) };
  const stores = await keepRunning(() => startServerProcess(storesDir, { ROLES: 'embedded', MASTER_SECRET, ...ports }));
  const postgres = await findPostgres(join(storesDir, 'postgres'));
  if (!postgres) throw new Error('The stores run without PostgreSQL');
  const env = {
    DATA_DIR: join(dataDir, 'api'),
    MASTER_SECRET,
    DATABASE_URL: postgres.url(DATABASES.product, 'application'),
    DATABASE_OWNER_URL: postgres.url(DATABASES.product, 'owner'),
    EVENTSTORE_URL: eventStoreUrlOf(storesDir, postgres.owner),
  };
  const start = () => startServerProcess(env.DATA_DIR, { ...env, ROLES: 'api,projector', PORT: String(port) });
  const api = await keepRunning(start).catch(async (error: unknown) => {
    await stores.stop();
    throw error;
  });
  return {
    url: `http://127.0.0.1:${port}`,
    victims: ['api', 'event store', 'PostgreSQL'],
    kill: (victim) => (victim === 'PostgreSQL' ? killPostgres(storesDir) : killProcess(victim === 'event store' ? stores : api)),
    env,
    databaseUrl: () => databaseUrlIn(storesDir),
    lastOutput: () => `stores: ${stores.lastOutput()}\napi: ${api.lastOutput()}`,
    gaveUp: Promise.race([stores.gaveUp, api.gaveUp]),
    stop: async () => {
      await api.stop();
      await stores.stop();
    },
  };
};
