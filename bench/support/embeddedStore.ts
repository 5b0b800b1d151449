import { startEventStoreWorker } from '../../src/embedded/eventstore/startWorker.ts';
import type {} from '../../src/embedded/eventstore/worker.ts'; // so that what the thread runs is compiled along
import { startBarePostgres } from './rawInsert.ts';

/** The embedded event store in a thread of its own on a PostgreSQL of its own, as the product runs it. */
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
