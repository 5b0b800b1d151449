import {
  type AppendResult as ClientResult,
  type EventData,
  type EventStoreDBClient,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { limitConcurrency } from '../flow/concurrency.ts';
import { createAppendRpc } from './appendRpc.ts';
import { createReplaceableClient } from './client.ts';
import { type AppendResult, EventStoreUnavailable, type ExpectedRevision } from './port.ts';
import { withRetries, withTimeout } from './retry.ts';

/** Larger than any position. Some stores reply with such a value if they do not know the position. */
const NO_POSITION = 1n << 63n;

/** Each append uses one RPC; servers commonly limit a connection to a hundred. */
const MAX_CONCURRENT_APPENDS = 60;

export type Appender = Readonly<{
  append: (stream: string, events: readonly EventData[], expected: ExpectedRevision) => Promise<AppendResult>;
  /** Why the newest append failed; null if it succeeded. */
  failure: () => EventStoreUnavailable | null;
  close: () => Promise<void>;
}>;

/**
 * The only appending client of a process, because the client's own append method shares its pending appends between all clients of a
 * process, so that an error of one fails all. An append with an unknown outcome is retried with the same event ids, by which the
 * store recognizes a duplicate.
 */
export const createAppender = ({
  connect,
  attemptTimeoutMs,
  retryTimeoutMs,
  positionOf,
  onNotLeader,
  maxConcurrent = MAX_CONCURRENT_APPENDS,
}: {
  connect: () => EventStoreDBClient;
  attemptTimeoutMs: number;
  retryTimeoutMs: number;
  /** Looks up the position of a revision, for stores that do not return it for a duplicate append. */
  positionOf: (stream: string, revision: bigint) => Promise<bigint>;
  onNotLeader?: () => void;
  maxConcurrent?: number;
}): Appender => {
  const client = createReplaceableClient(connect, onNotLeader);
  let failure: EventStoreUnavailable | null = null;
  const appendEvents = createAppendRpc();
  const limit = limitConcurrency({ concurrent: maxConcurrent, busy: () => new Error('Too many appends are waiting') });

  const attempt = (stream: string, events: readonly EventData[], expected: ExpectedRevision): Promise<ClientResult> =>
    client.use((appending) =>
      withTimeout(attemptTimeoutMs, appendEvents(appending, stream, events, { expected, deadlineMs: attemptTimeoutMs })),
    );

  return {
    append: async (stream, events, expected) => {
      const deadline = performance.now() + retryTimeoutMs;
      try {
        const result = await withRetries(retryTimeoutMs, `append to ${stream}`, () =>
          limit.run(() => attempt(stream, events, expected), { timeoutMs: deadline - performance.now() }),
        );
        failure = null;
        if (!result.success) return { ok: false, reason: 'wrong_expected_revision' };
        const revision = result.nextExpectedRevision;
        const position = result.position?.commit;
        const isKnown = position !== undefined && position < NO_POSITION;
        return { ok: true, revision, position: isKnown ? position : await positionOf(stream, revision) };
      } catch (error) {
        if (error instanceof EventStoreUnavailable) failure = error;
        if (error instanceof WrongExpectedVersionError) return { ok: false, reason: 'wrong_expected_revision' };
        throw error;
      }
    },
    failure: () => failure,
    close: client.close,
  };
};
