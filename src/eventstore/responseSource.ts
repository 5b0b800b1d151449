import { type EventStoreDBClient, START, streamNameFilter } from '@eventstore/db-client';
import type { ClientReadableStream } from '@grpc/grpc-js';
import { CHECKPOINT_INTERVAL, openReadAllRpc, type ReadAll } from './readAllRpc.ts';
import { type Response, readResponses } from './readResponse.ts';

/** Responses are taken in batches of this size, so that their data keys are loaded together. The last message may exceed it. */
const BATCH_RESPONSES = 1_000;
/** At this many buffered responses the client's subscription is paused. */
const MAX_BUFFERED = 2 * BATCH_RESPONSES;

/** The responses of a subscription. */
export type ResponseSource = Readonly<{
  /** The buffered responses, up to about one batch. */
  take: () => Response[];
  /** Whether the call has ended; buffered responses may remain. */
  hasEnded: () => boolean;
  /** The error that ended it; null if there is none. */
  failure: () => unknown;
  cancel: () => void;
}>;

const rpcSource = (call: ClientReadableStream<Buffer>, wake: () => void): ResponseSource => {
  let failure: unknown = null;
  call.on('error', (error) => {
    failure ??= error;
  });
  for (const event of ['readable', 'end', 'error', 'close']) call.on(event, wake);
  return {
    take: () => {
      const taken: Response[] = [];
      while (taken.length < BATCH_RESPONSES) {
        const message: Buffer | null = call.read();
        if (message === null) break;
        readResponses(message, taken);
      }
      return taken;
    },
    hasEnded: () => failure !== null || call.readableEnded || call.destroyed,
    failure: () => failure,
    cancel: () => call.cancel(),
  };
};

/** By the client's public API, which takes several times the CPU time for each event. */
const publicSource = (
  client: EventStoreDBClient,
  { after, prefixes, requiresLeader }: ReadAll,
  wake: () => void,
): ResponseSource => {
  let buffered: Response[] = [];
  let failure: unknown = null;
  let hasEnded = false;
  const put = (response: Response): void => {
    buffered.push(response);
    if (buffered.length >= MAX_BUFFERED) subscription.pause();
    wake();
  };
  const end = (error: unknown): void => {
    failure ??= error;
    hasEnded = true;
    wake();
  };
  const filter = streamNameFilter({
    prefixes: [...prefixes],
    checkpointInterval: CHECKPOINT_INTERVAL,
    checkpointReached: async (_, position) => put({ kind: 'checkpoint', position: position.commit }),
  });
  const fromPosition = after === null ? START : { commit: after, prepare: after };
  const subscription = client.subscribeToAll({ fromPosition, filter, requiresLeader });
  subscription.on('data', ({ event }) => {
    if (event) put({ kind: 'event', event });
  });
  subscription.on('caughtUp', () => put({ kind: 'caughtUp' }));
  subscription.on('error', end);
  subscription.on('end', () => end(null));
  return {
    take: () => {
      const taken = buffered;
      buffered = [];
      if (subscription.isPaused()) subscription.resume();
      return taken;
    },
    hasEnded: () => hasEnded,
    failure: () => failure,
    cancel: () => void subscription.unsubscribe().catch(() => undefined),
  };
};

/**
 * Opens a catch-up subscription to `$all`. Calls `wake` when there may be more to take, and at the end. Throws if there is no
 * connection.
 */
export const openResponseSource = async (
  client: EventStoreDBClient,
  readAll: ReadAll,
  wake: () => void,
): Promise<ResponseSource> => {
  const call = await openReadAllRpc(client, readAll);
  return call ? rpcSource(call, wake) : publicSource(client, readAll, wake);
};
