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
import { type Access, READ_ALL } from './outage.ts';
import type { Position, StreamName } from './port.ts';
import { readPage } from './readAllRpc.ts';
import { withRetries } from './retry.ts';

/** Pages are read to their end, because cancelling a read closes the connection that all reads share. */
const PAGE_EVENTS = 500;
const MAX_REVISION = 2n ** 63n - 1n;

export type Reader = Readonly<{
  /** Reads forward from a revision in pages, at most `limit` events in all. A missing stream has no pages. */
  pages: (stream: string, from: bigint, limit?: number) => AsyncIterable<readonly StoredEvent[]>;
  /** Throws when there is no such event. */
  eventAt: (stream: string, revision: bigint) => Promise<StoredEvent & { position: { commit: Position } }>;
  /** The first or the newest event of the store; null when it is empty. */
  edge: (which: 'first' | 'newest') => Promise<Readonly<{ id: string; position: Position }> | null>;
  /** The event of that position and id, undecoded; null if it was deleted. */
  storedAt: (position: Position, id: string) => Promise<StoredEvent | null>;
  /** Reads from `$all` once, without a retry. */
  probe: () => Promise<void>;
  deleteStream: (stream: StreamName) => Promise<void>;
  close: () => Promise<void>;
}>;

/** Reads the leader only, because decisions depend on what is read: a follower may not have the newest events. */
export const createReader = (
  connect: () => EventStoreDBClient,
  { retryTimeoutMs, onNotLeader }: { retryTimeoutMs: number; onNotLeader?: () => void },
): Reader => {
  const client = createReplaceableClient(connect, onNotLeader);
  const retryRead = <T>(access: Access, work: (reading: EventStoreDBClient) => Promise<T>): Promise<T> =>
    withRetries(retryTimeoutMs, access, () => client.read(work));

  const page = async (stream: string, fromRevision: bigint, maxCount: number): Promise<StoredEvent[]> => {
    // EventStoreDB replies with an unspecific error that must not be taken for an empty stream.
    if (fromRevision > MAX_REVISION) return [];
    return retryRead(`read ${stream}`, async (reading) => {
      const events: StoredEvent[] = [];
      const options = { fromRevision, direction: FORWARDS, maxCount, requiresLeader: true } as const;
      try {
        for await (const { event } of reading.readStream(stream, options)) {
          if (event) events.push(event);
        }
      } catch (error) {
        if (!(error instanceof StreamNotFoundError)) throw error;
      }
      return events;
    });
  };

  const edge = async (reading: EventStoreDBClient, which: 'first' | 'newest') => {
    let found: { id: string; position: Position } | null = null;
    const from =
      which === 'first'
        ? ({ direction: FORWARDS, fromPosition: START } as const)
        : ({ direction: BACKWARDS, fromPosition: END } as const);
    for await (const { event } of reading.readAll({ ...from, maxCount: 1, requiresLeader: true })) {
      if (event) found = { id: event.id, position: event.position.commit };
    }
    return found;
  };

  const eventAt = async (stream: string, revision: bigint): Promise<StoredEvent & { position: { commit: bigint } }> => {
    const [event] = await page(stream, revision, 1);
    if (!event?.position || event.revision !== revision) throw new Error(`${stream} has no event of revision ${revision}`);
    return { ...event, position: event.position };
  };

  const storedAt = async (position: Position, id: string): Promise<StoredEvent | null> => {
    for (const count of [1, PAGE_EVENTS]) {
      const page = await retryRead(READ_ALL, (reading) => readPage(reading, position, count));
      const events = page.flatMap((response) => (response.kind === 'event' ? [response.event] : []));
      const found = events.find((event) => event.id === id);
      if (found) return found;
      // Events that were appended together may have one position.
      if (events[0]?.position?.commit !== position) return null;
    }
    return null;
  };

  return {
    storedAt,
    pages: async function* (stream, from, limit = Number.POSITIVE_INFINITY) {
      for (let [next, left] = [from, limit]; left > 0; ) {
        const asked = Math.min(PAGE_EVENTS, left);
        const events = await page(stream, next, asked);
        if (events.length > 0) yield events;
        const last = events.at(-1);
        if (!last || events.length < asked) return;
        next = last.revision + 1n;
        left -= events.length;
      }
    },
    eventAt,
    edge: (which) => retryRead(READ_ALL, (reading) => edge(reading, which)),
    probe: async () => {
      await client.read((reading) => edge(reading, 'newest'));
    },
    deleteStream: async (stream) => {
      try {
        await retryRead(`delete ${stream}`, (reading) => reading.deleteStream(stream, { requiresLeader: true }));
      } catch (error) {
        // No revision is expected, so both errors mean that the stream does not exist.
        if (!(error instanceof StreamNotFoundError || error instanceof WrongExpectedVersionError)) throw error;
      }
    },
    close: client.close,
  };
};
