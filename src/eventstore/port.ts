import type { EventMeta } from '../domain/event.ts';
import type { AnyEvent, EventType, StreamCategory } from '../domain/events.ts';
import type { Outage } from './outage.ts';

/** `category-id`, created only by `src/commands/streams.ts`. */
export type StreamName = `${StreamCategory}-${string}` | 'adminActivity';

/** The commit position of an event in the store's total order. A string in JSON. */
export type Position = bigint;

/** Among the envelopes of a recorded event: the one of its actor's address. No event has a field of this name. */
export const ACTOR_ADDRESS = 'actor.address';

/** An event as it was read: decrypted (erased fields are ERASED), with its revision and position. */
export type Recorded<E extends AnyEvent = AnyEvent> = Readonly<{
  id: string;
  stream: StreamName;
  revision: bigint;
  position: Position;
  event: E;
  meta: EventMeta;
  /** When the store committed it, in ms since 1970: later than `meta.at` by the command's duration, or by years for imported history. */
  storedAt: number;
  /** The stored envelopes of the encrypted fields, so that a read model can store them without encrypting again. */
  sealed: Readonly<Record<string, string>>;
}>;

/** The newest event that a reader has handled. An event store that was rolled back does not have it. */
export type LastEvent = Readonly<{ stream: string; revision: bigint; id: string; position: Position }>;

/** An event that could not be decoded. A subscription yields it, so that the projection runner can stall its stream. */
export type Undecodable = Readonly<{
  id: string;
  stream: string;
  revision: bigint;
  position: Position;
  type: string;
  reason: string;
}>;

/** The store is unreachable, denies access or did not reply in time. The outcome of an append is then unknown. */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
  readonly outage: Outage;

  constructor(message: string, { outage = 'unreachable', ...options }: ErrorOptions & { outage?: Outage } = {}) {
    super(message, options);
    this.outage = outage;
  }
}

/** The longest pause between attempts while the event store is unavailable, so that work resumes soon after it is back. */
const MAX_OUTAGE_PAUSE_MS = 2_000;

/** Shortens the longest pause after a failure, in ms, if the event store caused it. */
export const pauseAfter = (error: unknown, pauseMs: number): number =>
  error instanceof EventStoreUnavailable ? Math.min(MAX_OUTAGE_PAUSE_MS, pauseMs) : pauseMs;

/** The state of the store as health checks report it. */
export type StoreStatus = Readonly<{
  /** Null if it replies. `text` is a sentence for operators. */
  outage: Readonly<{ kind: Outage; text: string }> | null;
  /** How far the store's clock is ahead of this process's, in ms; negative if it is behind, null before the first append. */
  clockSkewMs: number | null;
}>;

export type ExpectedRevision = bigint | 'no_stream' | 'any';

export type AppendResult = Readonly<
  { ok: true; position: Position; revision: bigint } | { ok: false; reason: 'wrong_expected_revision' }
>;

/** What a subscription yields. Positions ascend. */
export type SubscriptionItem =
  | Readonly<{ kind: 'event'; recorded: Recorded }>
  | Readonly<{ kind: 'undecodable'; undecodable: Undecodable }>
  /** All events up to this position were examined, whether or not they match the filter. */
  | Readonly<{ kind: 'checkpoint'; position: Position }>
  | Readonly<{ kind: 'caughtUp' }>;

export type AllSubscription = AsyncIterable<SubscriptionItem> & { close: () => Promise<void> };

/** An event of another type than those of the subscription. Its data are neither parsed nor decrypted. */
export type SkippedEvent = Readonly<{ kind: 'skipped'; skipped: LastEvent }>;

/** What a subscription to event types yields. */
export type TypedItem = SubscriptionItem | SkippedEvent;

/**
 * An event as it is stored, undecoded: `data` and `metadata` are its bytes. Of a copied event they are the original's, and so are
 * `revision` and `storedAt` (ms since 1970); `position` and `ownRevision` are those in this store.
 */
export type StoredRecord = Readonly<{
  id: string;
  stream: string;
  revision: bigint;
  ownRevision: bigint;
  position: Position;
  type: string;
  data: Uint8Array;
  metadata: Uint8Array;
  storedAt: number;
}>;

/** A stored event whose data may be given as their SHA-256, in base64: large data need no transport then. */
export type StoredDigest = Omit<StoredRecord, 'data'> & Readonly<{ data: Uint8Array | string }>;

/** What a subscription to undecoded events yields. */
export type StoredItem =
  | Readonly<{ kind: 'stored'; stored: StoredDigest }>
  | Extract<SubscriptionItem, { kind: 'checkpoint' | 'caughtUp' }>;

/** Events as they are stored, without those of the store itself and of other applications. */
export type StoredEvents = Readonly<{
  /** Like `subscribe`. */
  subscribeStored: (options: {
    after: Position | null;
    categories: readonly StreamCategory[];
  }) => AsyncIterable<StoredItem> & { close: () => Promise<void> };
  /** The event of that position and id; null if it was deleted. */
  storedAt: (position: Position, id: string) => Promise<StoredRecord | null>;
}>;

/** The event store as the application uses it. Throws `EventStoreUnavailable` when the store is unreachable. */
export type EventStore = Readonly<{
  /** Appends all events or none. `meta` is for all events, or a list with one per event. */
  append: <E extends AnyEvent>(
    stream: StreamName,
    events: readonly E[],
    options: { expected: ExpectedRevision; meta: EventMeta | readonly EventMeta[]; eventIds?: readonly string[] },
  ) => Promise<AppendResult>;
  /** Reads forward from a revision, at most `limit` events. A missing or deleted stream is empty. */
  read: <E extends AnyEvent>(stream: StreamName, options?: { from?: bigint; limit?: number }) => AsyncIterable<Recorded<E>>;
  /** Events after a position (null: from the start), past and live, of the given categories. The caller reconnects. */
  subscribe: (options: { after: Position | null; categories: readonly StreamCategory[] }) => AllSubscription;
  /** Like `subscribe`, to the categories of the event types. Events of other types in these categories are skipped ones. */
  subscribeToTypes: (options: {
    after: Position | null;
    eventTypes: readonly EventType[];
  }) => AsyncIterable<TypedItem> & { close: () => Promise<void> };
  /** Soft deletion: the stream reads as empty and can be recreated. */
  deleteStream: (stream: StreamName) => Promise<void>;
  /** Position of the newest event of the store; null when it is empty. */
  head: () => Promise<Position | null>;
  /** Identifies the store. A scavenge does not change it. The first call appends it to a stream of its own. */
  identity: () => Promise<string>;
  /** Finds out whether the store can be used now. Takes up to 4.3 s after an outage, and does not throw. */
  examine: () => Promise<StoreStatus>;
  close: () => Promise<void>;
}>;

/** Streams that policies delete. That one of them lacks an event proves nothing. */
const DELETABLE = /^(credential|userActivity|apiCalls|seatDenials|seatLeases|signIns)-/;

/** Whether the store has the event where it was; null if its stream may have been deleted. */
export const holds = async (
  events: Pick<EventStore, 'read'>,
  { stream, revision, id, position }: LastEvent,
): Promise<boolean | null> => {
  for await (const recorded of events.read(stream as StreamName, { from: revision })) {
    if (recorded.revision === revision) return recorded.id === id && recorded.position === position;
    break;
  }
  return DELETABLE.test(stream) ? null : false;
};
