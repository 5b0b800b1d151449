import {
  type AppendResult as ClientResult,
  type EventData,
  type EventStoreDBClient,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { createAppendCalls } from './appendCalls.ts';
import { createRenewedClient } from './client.ts';
import type { AppendResult, ExpectedRevision, StreamName } from './port.ts';
import { untilAnswered, within } from './retry.ts';
import { createSlots } from './slots.ts';

/** More than any store has; what some answer in place of a position they do not know. */
const NO_POSITION = 1n << 63n;

/** Appends on the wire at one time, each on a call of its own: fewer than the hundred calls that servers commonly take of a connection. */
const ON_THE_WIRE = 60;

export type Appender = Readonly<{
  append: (stream: StreamName, events: readonly EventData[], expected: ExpectedRevision) => Promise<AppendResult>;
  close: () => Promise<void>;
}>;

/**
 * The one appending client of a process: where it has to append by its own call, its list of unanswered appends is shared by all clients
 * of a process, and an error of one fails those of all. An append whose outcome is not known is sent again with the same event ids, by
 * which the store tells a repetition.
 */
export const createAppender = ({
  connect,
  attemptMs,
  giveUpAfterMs,
  positionOf,
  onTheWire = ON_THE_WIRE,
}: {
  connect: () => EventStoreDBClient;
  attemptMs: number;
  giveUpAfterMs: number;
  /** Looks up the position of a revision, for a store that does not say it to who repeats an append. */
  positionOf: (stream: StreamName, revision: bigint) => Promise<bigint>;
  onTheWire?: number;
}): Appender => {
  const client = createRenewedClient(connect);
  const appendOver = createAppendCalls();
  const slots = createSlots(onTheWire);

  const attempt = (stream: StreamName, events: readonly EventData[], expected: ExpectedRevision): Promise<ClientResult> =>
    client.use((appending) => within(attemptMs, appendOver(appending, stream, events, { expected, deadlineMs: attemptMs })));

  return {
    append: async (stream, events, expected) => {
      const until = performance.now() + giveUpAfterMs;
      try {
        const result = await untilAnswered(giveUpAfterMs, async () => {
          const giveBack = await slots.take(until - performance.now());
          return attempt(stream, events, expected).finally(giveBack);
        });
        if (!result.success) return { ok: false, reason: 'wrong_expected_revision' };
        const revision = result.nextExpectedRevision;
        const position = result.position?.commit;
        const isKnown = position !== undefined && position < NO_POSITION;
        return { ok: true, revision, position: isKnown ? position : await positionOf(stream, revision) };
      } catch (error) {
        if (error instanceof WrongExpectedVersionError) return { ok: false, reason: 'wrong_expected_revision' };
        throw error;
      }
    },
    close: client.close,
  };
};
