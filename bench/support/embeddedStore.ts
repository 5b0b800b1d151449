import { startEventStoreWorker } from '../../src/embedded/eventstore/startWorker.ts';
import type {} from '../../src/embedded/eventstore/worker.ts'; // includes the worker in the compilation
import { startBarePostgres } from './rawInsert.ts';

/** Starts the embedded event store in a worker thread with its own PostgreSQL, as the product does. */
export const startEmbeddedStore = async (): Promise<{ url: string; databaseUrl: string; stop: () => Promise<void> }> => {
  const postgres = await startBarePostgres();
  const { connectionString, close } = await startEventStoreWorker({
    databaseUrl: postgres.url,
    listen: { host: '127.0.0.1', port: 0 },
    log: (_, line) => console.error(line),
    onExit: (reason) => {
      throw new Error(`The event store ended: ${reason}`);
    },
  });
  return {
    url: connectionString,
    databaseUrl: postgres.url,
    stop: async () => {
      await close();
      await postgres.stop();
    },
  };
};
