/** The revision of the event that tombstones a stream; 2^63 - 1 in the table and on the wire. */
export const TOMBSTONE_REVISION = Number.POSITIVE_INFINITY;

/** The revision of a stream that has no event. */
export const NO_REVISION = -1;

/** An event as a client proposes it: `id` a lower-case UUID, `data` and `metadata` opaque bytes. */
export type ProposedEvent = Readonly<{ id: string; type: string; isJson: boolean; data: Buffer; metadata: Buffer }>;

/**
 * An event as it is kept. `position` is its place in the store (1, 2, 3… in commit order, without gaps
 * but those of scavenged events), `revision` its place in the stream (from 0), `created` its time in 100 ns ticks since 1970.
 * Position and revision stay below 2^53, so numbers hold them.
 */
export type StoredEvent = ProposedEvent & Readonly<{ position: number; stream: string; revision: number; created: string }>;

/** What an append demands of the stream: an exact last revision, or one of EventStoreDB's three states. */
export type ExpectedRevision = number | 'any' | 'no_stream' | 'stream_exists';

const METASTREAM_PREFIX = '$$';

export const isMetastream = (stream: string): boolean => stream.startsWith(METASTREAM_PREFIX);

/** The stream whose metadata `stream` describes, or `stream` itself when it is no metastream. */
export const describedStream = (stream: string): string => (isMetastream(stream) ? stream.slice(METASTREAM_PREFIX.length) : stream);

export const metastreamOf = (stream: string): string => METASTREAM_PREFIX + stream;

const TICKS_PER_MILLISECOND = 10_000;

/** Milliseconds since 1970 as ticks. Decimal digits, because ticks of this century exceed 2^53. */
export const ticksOf = (milliseconds: number): string => `${Math.round(milliseconds)}0000`;

export const millisecondsOf = (ticks: string): number => Number(ticks) / TICKS_PER_MILLISECOND;
