/** The revision of a tombstone event; 2^63 - 1 in the table and in the protocol. */
export const TOMBSTONE_REVISION = Number.POSITIVE_INFINITY;

/** The revision of a stream that has no event. */
export const NO_REVISION = -1;

/** An event to append: `id` is a lower-case UUID, `data` and `metadata` are opaque bytes. */
export type ProposedEvent = Readonly<{ id: string; type: string; isJson: boolean; data: Buffer; metadata: Buffer }>;

const EVENT_OVERHEAD_BYTES = 200;

/** The approximate memory of an event until it is written. */
export const memoryOf = ({ type, data, metadata }: ProposedEvent): number =>
  2 * type.length + data.length + metadata.length + EVENT_OVERHEAD_BYTES;

/**
 * A stored event. `position` numbers the events of the store in commit order from 1, with gaps only for scavenged events.
 * `revision` numbers the events of the stream from 0. `created` is in 100 ns ticks since 1970.
 * Position and revision stay below 2^53, the limit of exact numbers.
 */
export type StoredEvent = ProposedEvent & Readonly<{ position: number; stream: string; revision: number; created: string }>;

/** An event as it is sent: `data` may be the SHA-256 of the stored bytes. */
export type SentEvent = StoredEvent & Readonly<{ isDigest?: true }>;

/** The optimistic concurrency check of an append: an exact last revision, or one of EventStoreDB's three states. */
export type ExpectedRevision = number | 'any' | 'no_stream' | 'stream_exists';

const METASTREAM_PREFIX = '$$';

export const isMetastream = (stream: string): boolean => stream.startsWith(METASTREAM_PREFIX);

/** The stream that a metastream describes; `stream` itself when it is not a metastream. */
export const describedStream = (stream: string): string => (isMetastream(stream) ? stream.slice(METASTREAM_PREFIX.length) : stream);

export const metastreamOf = (stream: string): string => METASTREAM_PREFIX + stream;

const TICKS_PER_MILLISECOND = 10_000;

/** Milliseconds since 1970 as ticks, in decimal digits because they exceed 2^53. */
export const ticksOf = (milliseconds: number): string => `${Math.round(milliseconds)}0000`;

export const millisecondsOf = (ticks: string): number => Number(ticks) / TICKS_PER_MILLISECOND;
