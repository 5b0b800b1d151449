import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  START,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { createRenewedClient } from './client.ts';
import type { StoredEvent } from './decode.ts';
import type { Position, StreamName } from './port.ts';
import { untilAnswered } from './retry.ts';

/** Read in pages and always to their end: to cancel a read makes the client close the connection that all reads share. */
const PAGE = 500;

export type Reader = Readonly<{
  /** Forward from a revision, a page at a time; a stream that is not there has no pages. */
  pages: (stream: StreamName, from: bigint) => AsyncIterable<readonly StoredEvent[]>;
  /** Throws when there is no such event. */
  positionOf: (stream: StreamName, revision: bigint) => Promise<Position>;
  /** The first or the newest event of the store; null when it is empty. */
  edge: (which: 'first' | 'newest') => Promise<Readonly<{ id: string; position: Position }> | null>;
  deleteStream: (stream: StreamName) => Promise<void>;
  close: () => Promise<void>;
}>;

export const createReader = (connect: () => EventStoreDBClient, giveUpAfterMs: number): Reader => {
  const client = createRenewedClient(connect);
  const ask = <T>(work: (reading: EventStoreDBClient) => Promise<T>): Promise<T> =>
    untilAnswered(giveUpAfterMs, () => client.read(work));

  const page = (stream: StreamName, fromRevision: bigint, maxCount: number): Promise<StoredEvent[]> =>
    ask(async (reading) => {
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
        const events = await page(stream, next, PAGE);
        if (events.length > 0) yield events;
        const last = events.at(-1);
        if (!last || events.length < PAGE) return;
        next = last.revision + 1n;
      }
    },
    positionOf: async (stream, revision) => {
      const [event] = await page(stream, revision, 1);
      if (!event?.position || event.revision !== revision) throw new Error(`${stream} has no event of revision ${revision}`);
      return event.position.commit;
    },
    edge: (which) =>
      ask(async (reading) => {
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
        await ask((reading) => reading.deleteStream(stream));
      } catch (error) {
        // Any revision was fine, so a wrong one can only be: there is no such stream.
        if (!(error instanceof StreamNotFoundError || error instanceof WrongExpectedVersionError)) throw error;
      }
    },
    close: client.close,
  };
};
