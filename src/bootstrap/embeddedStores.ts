import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { SCOPE_ATTRIBUTES } from '../database/roles.ts';
import { startEventStoreWorker } from '../embedded/eventstore/startWorker.ts';
import { startPostgres } from '../embedded/postgres/server.ts';
import { type NodeStoreUrls, type StoreListeners, withCredentials } from './nodeStores.ts';

/** The product's own tables, and the embedded event store's. */
export const DATABASES = { product: 'latchkey', events: 'eventstore' } as const;

const RESTART_MS = [0, 100, 500, 2_000, 5_000] as const;
/** A part that ran this long was healthy: its failures are counted from zero. */
const WELL_MS = 60_000;

const SOCKET_PATH_BYTES = 100;

type Part = { stop: () => Promise<void> };

/** Keeps one part running: restarts it when it exits, and gives up after repeated failures. */
const supervise = async <P extends Part>(
  name: string,
  start: (onExit: (reason: string) => void) => Promise<P>,
  { log, onGivenUp }: { log: Logger; onGivenUp: (reason: string) => void },
): Promise<{ first: P; stop: () => Promise<void> }> => {
  let stopping = false;
  let attempt = 0;
  let restarting: Promise<void> = Promise.resolve();
  let current: P;

  const begin = async (): Promise<P> => {
    const startedAt = performance.now();
    return start((reason) => {
      if (stopping) return;
      if (performance.now() - startedAt > WELL_MS) attempt = 0;
      log.error({ part: name, reason }, 'A component exited unexpectedly; restarting it');
      restarting = restarting.then(restart);
    });
  };

  const restart = async (): Promise<void> => {
    while (!stopping) {
      const wait = RESTART_MS[attempt++];
      if (wait === undefined) return onGivenUp(`${name} keeps exiting`);
      await delay(wait);
      if (stopping) return;
      try {
        current = await begin();
        return;
      } catch (error) {
        log.error({ part: name, err: error }, 'A component could not be restarted');
      }
    }
  };

  current = await begin();
  return {
    first: current,
    stop: async () => {
      stopping = true;
      await restarting;
      await current.stop();
    },
  };
};

/** Beside the data where the path is short enough for a socket, otherwise in the system's folder for such. */
const socketPathIn = (dataDir: string, pid: number): string => {
  const beside = join(dataDir, 'eventstore.sock');
  return Buffer.byteLength(beside) < SOCKET_PATH_BYTES ? beside : join(tmpdir(), `latchkey-${pid}.sock`);
};

/** Where the server with that process id, if one runs on `dataDir`, has its event store. */
export const eventStoreUrlOf = (dataDir: string, pid: number): string =>
  `esdb+unix://${socketPathIn(dataDir, pid).split('/').map(encodeURIComponent).join('/')}`;

export type EmbeddedStores = {
  databaseUrl: string | null;
  /** Logs in as the owner of that database. */
  ownerUrl: string | null;
  eventStoreUrl: string | null;
  /** For other nodes; null without `listeners`. */
  nodeUrls: NodeStoreUrls | null;
  names: readonly string[];
  stop: () => Promise<void>;
};

/**
 * Starts the stores that the configuration leaves to us, below `dataDir`, and keeps them running. Null stands for an
 * external store. `onGivenUp` is called if a store cannot be kept running.
 */
export const startEmbeddedStores = async ({
  dataDir,
  wanted,
  listeners = null,
  log,
  onGivenUp,
}: {
  dataDir: string;
  wanted: { postgres: boolean; eventStore: boolean };
  /** Where the stores also listen, for other nodes. */
  listeners?: StoreListeners | null;
  log: Logger;
  onGivenUp: (reason: string) => void;
}): Promise<EmbeddedStores> => {
  if (!wanted.postgres && !wanted.eventStore)
    return { databaseUrl: null, ownerUrl: null, eventStoreUrl: null, nodeUrls: null, names: [], stop: async () => undefined };
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const postgres = await supervise(
    'the embedded PostgreSQL',
    (onExit) =>
      startPostgres({
        directory: join(dataDir, 'postgres'),
        databases: [DATABASES.product, DATABASES.events],
        groups: SCOPE_ATTRIBUTES,
        ...(listeners && wanted.postgres && { network: listeners.postgres }),
        log: (line) => log.debug({ part: 'postgres' }, line),
        onExit: ({ code, signal }) => onExit(signal ?? `exit code ${code}`),
      }),
    { log, onGivenUp },
  );
  const productUrls = {
    databaseUrl: postgres.first.url(DATABASES.product, 'application'),
    ownerUrl: postgres.first.url(DATABASES.product, 'owner'),
  };
  const nodeDatabaseUrls = {
    databaseUrl: postgres.first.networkUrl(DATABASES.product, 'application'),
    ownerUrl: postgres.first.networkUrl(DATABASES.product, 'owner'),
  };
  if (!wanted.eventStore) {
    return {
      ...productUrls,
      eventStoreUrl: null,
      nodeUrls: listeners && { ...nodeDatabaseUrls, eventStoreUrl: null },
      names: ['embedded PostgreSQL'],
      stop: postgres.stop,
    };
  }
  try {
    const eventStore = await supervise(
      'the embedded event store',
      async (onExit) => {
        const { connectionString, networkConnectionString, close } = await startEventStoreWorker({
          databaseUrl: postgres.first.url(DATABASES.events, 'application'),
          ownerUrl: postgres.first.url(DATABASES.events, 'owner'),
          listen: { socketPath: socketPathIn(dataDir, process.pid) },
          ...(listeners && { network: listeners.eventStore }),
          log: (level, message) => log[level]({ part: 'eventstore' }, message),
          onExit,
        });
        return { connectionString, networkConnectionString, stop: close };
      },
      { log, onGivenUp },
    );
    return {
      ...(wanted.postgres ? productUrls : { databaseUrl: null, ownerUrl: null }),
      eventStoreUrl: eventStore.first.connectionString,
      nodeUrls: listeners && {
        ...nodeDatabaseUrls,
        eventStoreUrl: withCredentials(eventStore.first.networkConnectionString ?? '', listeners.eventStore.credentials),
      },
      names: [...(wanted.postgres ? ['embedded PostgreSQL'] : []), 'embedded event store'],
      stop: async () => {
        await eventStore.stop();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
};
