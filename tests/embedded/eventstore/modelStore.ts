import type { EventStoreDBClient } from '@eventstore/db-client';
import { clientFactoryOf, closeClient } from '../../../src/eventstore/client.ts';
import { scavengeStore } from '../../../src/eventstore/scavenge.ts';
import { newStream } from '../../eventstore/support.ts';
import { isRetryable, openServerFixture } from './serverSupport.ts';

/** A server in a process that a test kills, with a database of its own. */
export type ModelStore = Readonly<{
  /** Repeats a call until its outcome is known: it fails while the server is killed, and has another client after that. */
  retried: <T>(call: (client: EventStoreDBClient) => Promise<T>) => Promise<T>;
  /** The client of the server that is running, once it is. */
  client: () => Promise<EventStoreDBClient>;
  /** Kills the server and starts it again. */
  kill: () => Promise<void>;
  scavenge: () => Promise<void>;
  close: () => Promise<void>;
}>;

const RETRY_DELAY_MS = 10;
const RETRIES_END_MS = 60_000;

const never = new AbortController().signal;

const UNKNOWN = 'unknown';

const typeIn = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'type' in error ? String(error.type) : undefined;

/** The type of an error that the server returned. Rethrows other errors. */
export const typeOf = (error: unknown): string => {
  const type = typeIn(error);
  if (type === undefined || type === UNKNOWN || isRetryable(error)) throw error;
  return type;
};

export const openModelStore = async (): Promise<ModelStore> => {
  const fixture = await openServerFixture();
  let { server, connectionString } = await fixture.startProcess();
  const newClient = clientFactoryOf(connectionString);
  /** The first append opens the call of all later ones, which keeps their order. */
  const connect = async (): Promise<EventStoreDBClient> => {
    const client = newClient();
    await client.appendToStream(newStream('connected'), []);
    return client;
  };
  let current = connect();
  const restart = async (former: EventStoreDBClient): Promise<EventStoreDBClient> => {
    await server.end('SIGKILL');
    await closeClient(former);
    ({ server, connectionString } = await fixture.startProcess());
    // The former client would wait for a second before it connects again.
    return connect();
  };
  return {
    client: () => current,
    retried: async (call) => {
      for (const deadline = performance.now() + RETRIES_END_MS; ; ) {
        const used = current;
        try {
          return await call(await used);
        } catch (error) {
          // The client does not recognize each error of a call that a kill interrupts.
          const isInterrupted = used !== current && typeIn(error) === UNKNOWN;
          if ((!isRetryable(error) && !isInterrupted) || performance.now() > deadline) throw error;
          await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
        }
      }
    },
    kill: async () => {
      current = restart(await current);
      await current;
    },
    scavenge: async () => {
      const { result, error } = await scavengeStore(connectionString, never);
      if (result !== 'success') throw new Error(`The scavenge ended with ${result}: ${error}`);
    },
    close: async () => {
      await closeClient(await current);
      await server.end('SIGKILL');
      await fixture.close();
    },
  };
};
