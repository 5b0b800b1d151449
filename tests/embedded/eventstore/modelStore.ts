import type { EventStoreDBClient } from '@eventstore/db-client';
import { clientFactoryOf, closeClient } from '../../../src/eventstore/client.ts';
import { scavengeStore } from '../../../src/eventstore/scavenge.ts';
import { newStream } from '../../eventstore/support.ts';
import { CLOCK_STEP_MS } from './clockStep.ts';
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
  /** Moves the server's clock one step on. */
  stepClock: () => Promise<void>;
  /** The server's clock, in ms since a fixed moment; it stands still between steps. */
  now: () => number;
  close: () => Promise<void>;
}>;

const RETRY_DELAY_MS = 10;
const RETRIES_END_MS = 60_000;
/** The client sends when an append expires by its own clock, which the server's must not pass. */
const DEADLINE_MS = 1_000_000_000;

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
  let steps = 0;
  const newClient = clientFactoryOf(`${connectionString}?defaultDeadline=${DEADLINE_MS}`);
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
    ({ server, connectionString } = await fixture.startProcess(steps));
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
    stepClock: async () => {
      process.kill(server.pid, 'SIGUSR2');
      await server.line(/^stepped/);
      steps += 1;
    },
    now: () => steps * CLOCK_STEP_MS,
    close: async () => {
      await closeClient(await current);
      await server.end('SIGKILL');
      await fixture.close();
    },
  };
};
