import type { EventMeta } from '../domain/event.ts';
import type { AnyEvent, StreamCategory } from '../domain/events.ts';

/** `category-id`, made by `src/commands/streams.ts` alone. */
export type StreamName = `${StreamCategory}-${string}` | 'adminActivity';

/** The commit position of an event in the store's total order. A string in JSON. */
export type Position = bigint;

/** An event as it was read: opened (sealed fields in clear, or ERASED), with its place in the store. */
export type Recorded<E extends AnyEvent = AnyEvent> = Readonly<{
  id: string;
  stream: StreamName;
  revision: bigint;
  position: Position;
  event: E;
  meta: EventMeta;
  /** When the store took it, in ms since 1970: later than `meta.at` by the command's own time, or by years where a past was imported. */
  storedAt: number;
  /** The envelopes of the sealed fields as they stand in the store, so that a read model can keep one without sealing anew. */
  sealed: Readonly<Record<string, string>>;
}>;

/** An event that could not be decoded; a subscription hands it on so that the runner can park its stream. */
export type Undecodable = Readonly<{
  id: string;
  stream: string;
  revision: bigint;
  position: Position;
  type: string;
  reason: string;
}>;

/** The store is out of reach, or did not reply in time. Whether an append happened is then not known. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}

export type ExpectedRevision = bigint | 'no_stream' | 'any';

export type AppendResult = Readonly<
  { ok: true; position: Position; revision: bigint } | { ok: false; reason: 'wrong_expected_revision' }
>;

export type SubscriptionItem =
  | Readonly<{ kind: 'event'; recorded: Recorded }>
  | Readonly<{ kind: 'undecodable'; undecodable: Undecodable }>
  /** Everything up to here has been considered, whether or not it matched the filter. */
  | Readonly<{ kind: 'checkpoint'; position: Position }>
  | Readonly<{ kind: 'caughtUp' }>;

export type AllSubscription = AsyncIterable<SubscriptionItem> & { close: () => Promise<void> };

/** What the product needs of an event store. Throws `EventStoreUnavailable` when the store is out of reach. */
export type EventStore = Readonly<{
  /** All or nothing. One `meta` for all events, or a list with one for each. */
  append: <E extends AnyEvent>(
    stream: StreamName,
    events: readonly E[],
    options: { expected: ExpectedRevision; meta: EventMeta | readonly EventMeta[]; eventIds?: readonly string[] },
  ) => Promise<AppendResult>;
  /** Forward from a revision; a stream that does not exist, or was deleted, is empty. */
  read: <E extends AnyEvent>(stream: StreamName, options?: { from?: bigint }) => AsyncIterable<Recorded<E>>;
  /** From just after a position (null: the start) into live; only streams of the given categories. Reconnecting is the caller's. */
  subscribe: (options: { after: Position | null; categories: readonly StreamCategory[] }) => AllSubscription;
  /** Soft deletion: the stream reads as empty and may be begun again. */
  deleteStream: (stream: StreamName) => Promise<void>;
  /** Position of the newest event of the store; null when it is empty. */
  head: () => Promise<Position | null>;
  /** Id of the first event of the store, which tells one store from another; null when it is empty. */
  identity: () => Promise<string | null>;
  close: () => Promise<void>;
}>;
