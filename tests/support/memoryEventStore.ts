import { randomUUID } from 'node:crypto';
import { categoriesOf } from '../../src/eventstore/codecs/codecs.ts';
import { createDecoder, type StoredEvent } from '../../src/eventstore/decode.ts';
import { encodeEvent } from '../../src/eventstore/encode.ts';
import {
  type EventStore,
  EventStoreUnavailable,
  type Position,
  type Recorded,
  type StoredEvents,
  type StoredRecord,
  type SubscriptionItem,
  type TypedItem,
} from '../../src/eventstore/port.ts';
import { skippedOf } from '../../src/eventstore/stored.ts';
import type { Sealing } from '../../src/security/sealing.ts';

/** An event store in memory, with the product's own codecs and sealing, that can be made to do what a real one does rarely. */
export type MemoryEventStore = EventStore &
  StoredEvents &
  Readonly<{
    /** Puts in what no codec wrote. */
    appendRaw: (stream: string, type: string, data: unknown) => Promise<void>;
    /** Puts something else in an event's place, as a corrected codec would read it. */
    replaceRaw: (stream: string, revision: bigint, data: unknown) => void;
    /** Forgets all after the first events, as a restored backup does. */
    rollBackTo: (count: number) => void;
    /** Ends all subscriptions with an error, and fails all calls until `mend`. */
    breakDown: () => void;
    mend: () => void;
  }>;

type Subscriber = { wake: () => void; broken: boolean; closed: boolean };

const metadata = Buffer.from(
  JSON.stringify({
    actor: { kind: 'admin', id: 'admin' },
    commandId: 'raw',
    correlationId: 'raw',
    causationId: null,
    at: '2026-01-31T12:00:00.000Z',
    codec: 1,
  }),
);

export const createMemoryEventStore = (sealing: Sealing): MemoryEventStore => {
  const decode = createDecoder(sealing);
  let stored: StoredEvent[] = [];
  const deleted = new Map<string, bigint>();
  const subscribers = new Set<Subscriber>();
  let broken = false;
  let position = 0n;
  const identity = randomUUID();

  const available = (): void => {
    if (broken) throw new EventStoreUnavailable('The store is out of reach');
  };
  const revisionOf = (stream: string): bigint =>
    stored.reduce((revision, event) => (event.streamId === stream ? event.revision : revision), -1n);
  const put = (streamId: string, event: Pick<StoredEvent, 'id' | 'type' | 'data' | 'metadata'>): void => {
    position += 7n;
    stored.push({ ...event, streamId, revision: revisionOf(streamId) + 1n, position: { commit: position } });
    for (const subscriber of subscribers) subscriber.wake();
  };
  const json = (bytes: unknown): unknown => JSON.parse(Buffer.from(bytes as Uint8Array).toString());
  const opened = async (event: StoredEvent): Promise<SubscriptionItem> =>
    decode({ ...event, metadata: json(event.metadata), data: structuredClone(event.data) });

  const bytesOf = (value: unknown): Buffer =>
    value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(JSON.stringify(value));
  const recordOf = ({ id, streamId, revision, position: at, type, data, metadata }: StoredEvent): StoredRecord => ({
    id,
    stream: streamId,
    revision,
    ownRevision: revision,
    position: at?.commit ?? 0n,
    type,
    data: bytesOf(data),
    metadata: bytesOf(metadata),
    storedAt: Date.parse('2026-01-31T12:00:00.000Z'),
  });

  const subscribing = <Item>(
    { after, categories }: { after: Position | null; categories: readonly string[] },
    read: (event: StoredEvent) => Promise<Item>,
  ) => {
    const subscriber: Subscriber = { wake: () => undefined, broken, closed: false };
    subscribers.add(subscriber);
    async function* items(): AsyncGenerator<Item | { kind: 'caughtUp' }, void, undefined> {
      let reached = after ?? 0n;
      let live = false;
      while (!subscriber.closed) {
        if (subscriber.broken) throw new EventStoreUnavailable('The subscription was dropped');
        const event = stored.find((candidate) => (candidate.position?.commit ?? 0n) > reached);
        if (event) {
          reached = event.position?.commit ?? reached;
          if (categories.some((category) => event.streamId === category || event.streamId.startsWith(`${category}-`))) {
            yield await read(event);
          }
          continue;
        }
        if (!live) yield { kind: 'caughtUp' };
        live = true;
        await new Promise<void>((resolve) => {
          subscriber.wake = resolve;
          if (subscriber.closed || subscriber.broken) resolve();
        });
      }
    }
    const close = async (): Promise<void> => {
      subscriber.closed = true;
      subscribers.delete(subscriber);
      subscriber.wake();
    };
    return Object.assign(items(), { close });
  };

  return {
    append: async (stream, events, { expected, meta, eventIds }) => {
      available();
      const encoded = await Promise.all(
        events.map((event, index) =>
          encodeEvent(sealing, stream, event, 'actor' in meta ? meta : (meta[index] ?? metaMissing()), eventIds?.[index]),
        ),
      );
      const revision = revisionOf(stream);
      const fits = expected === 'any' || (expected === 'no_stream' ? revision < 0n : revision === expected);
      if (!fits) return { ok: false, reason: 'wrong_expected_revision' };
      for (const { id = randomUUID(), type, data, metadata } of encoded) put(stream, { id, type, data, metadata });
      return { ok: true, position, revision: revisionOf(stream) };
    },
    appendRaw: async (stream, type, data) => put(stream, { id: randomUUID(), type, data, metadata }),
    replaceRaw: (stream, revision, data) => {
      stored = stored.map((event) => (event.streamId === stream && event.revision === revision ? { ...event, data } : event));
    },
    read: async function* (stream, { from = 0n, limit } = {}) {
      available();
      const first = deleted.get(stream) ?? 0n;
      const found = stored.filter(({ streamId, revision }) => streamId === stream && revision >= from && revision >= first);
      for (const event of found.slice(0, limit)) {
        const item = await opened(event);
        if (item.kind !== 'event') throw new Error(`${event.type} cannot be read`);
        yield item.recorded as Recorded<never>;
      }
    },
    subscribe: (options) => subscribing(options, opened),
    subscribeToTypes: ({ after, eventTypes }) => {
      const types = new Set<string>(eventTypes);
      const read = async (event: StoredEvent): Promise<TypedItem> => skippedOf(event, types) ?? (await opened(event));
      return subscribing({ after, categories: categoriesOf(eventTypes) }, read);
    },
    subscribeStored: (options) => subscribing(options, async (event) => ({ kind: 'stored' as const, stored: recordOf(event) })),
    storedAt: async (at, id) => {
      const found = stored.find((event) => event.position?.commit === at && event.id === id);
      return found ? recordOf(found) : null;
    },
    deleteStream: async (stream) => {
      deleted.set(stream, revisionOf(stream) + 1n);
      stored = stored.filter(({ streamId }) => streamId !== stream);
    },
    head: async () => {
      available();
      return stored.at(-1)?.position?.commit ?? null;
    },
    identity: async () => {
      available();
      return identity;
    },
    examine: async () => ({
      outage: broken ? { kind: 'unreachable', text: 'The store is out of reach' } : null,
      clockSkewMs: null,
    }),
    close: async () => {
      for (const subscriber of subscribers) {
        subscriber.closed = true;
        subscriber.wake();
      }
    },
    rollBackTo: (count) => {
      stored = stored.slice(0, count);
      position = stored.at(-1)?.position?.commit ?? 0n;
    },
    breakDown: () => {
      broken = true;
      for (const subscriber of subscribers) {
        subscriber.broken = true;
        subscriber.wake();
      }
    },
    mend: () => {
      broken = false;
    },
  };
};

const metaMissing = (): never => {
  throw new Error('An event without metadata');
};
