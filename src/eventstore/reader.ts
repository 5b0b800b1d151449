import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  START,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { createReplaceableClient } from './client.ts';
import type { StoredEvent } from './decode.ts';
import type { Position, StreamName } from './port.ts';
import { withRetries } from './retry.ts';

/** Pages are read to their end, because cancelling a read closes the connection that all reads share. */
const PAGE_EVENTS = 500;

export type Reader = Readonly<{
  /** Reads forward from a revision in pages. A missing stream has no pages. */
  pages: (stream: StreamName, from: bigint) => AsyncIterable<readonly StoredEvent[]>;
  /** Throws when there is no such event. */
  positionOf: (stream: StreamName, revision: bigint) => Promise<Position>;
  /** The first or the newest event of the store; null when it is empty. */
  edge: (which: 'first' | 'newest') => Promise<Readonly<{ id: string; position: Position }> | null>;
  deleteStream: (stream: StreamName) => Promise<void>;
  close: () => Promise<void>;
}>;

export const createReader = (connect: () => EventStoreDBClient, retryTimeoutMs: number): Reader => {
  const client = createReplaceableClient(connect);
  const retryRead = <T>(work: (reading: EventStoreDBClient) => Promise<T>): Promise<T> =>
    withRetries(retryTimeoutMs, () => client.read(work));

  const page = (stream: StreamName, fromRevision: bigint, maxCount: number): Promise<StoredEvent[]> =>
    retryRead(async (reading) => {
      const events: StoredEvent[] = [];
      try {
        for await (const { event } of reading.readStream(stream, { fromRevision, direction: FORWARDS, maxCount })) {
          if (event) events.push(event);
        }
      } catch (error) {
        if (!(error instanceof StreamNotFoundError)) throw error;
      }
      return events;
    });

  return {
    pages: async function* (stream, from) {
      for (let next = from; ; ) {
        const events = await page(stream, next, PAGE_EVENTS);
        if (events.length > 0) yield events;
        const last = events.at(-1);
        if (!last || events.length < PAGE_EVENTS) return;
        next = last.revision + 1n;
      }
    },
    positionOf: async (stream, revision) => {
      const [event] = await page(stream, revision, 1);
      if (!event?.position || event.revision !== revision) throw new Error(`${stream} has no event of revision ${revision}`);
      return event.position.commit;
    },
    edge: (which) =>
      retryRead(async (reading) => {
        let found: { id: string; position: Position } | null = null;
        const read =
          which === 'first'
            ? reading.readAll({ direction: FORWARDS, fromPosition: START, maxCount: 1 })
            : reading.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 });
        for await (const { event } of read) {
          if (event) found = { id: event.id, position: event.position.commit };
        }
        return found;
      }),
    deleteStream: async (stream) => {
      try {
        await retryRead((reading) => reading.deleteStream(stream));
      } catch (error) {
        // No revision is expected, so both errors mean that the stream does not exist.
        if (!(error instanceof StreamNotFoundError || error instanceof WrongExpectedVersionError)) throw error;
      }
    },
    close: client.close,
  };
};
