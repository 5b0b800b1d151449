/** What an operation on a stream returns: the last revision, or the type of the error. */
type Result = number | 'wrong-expected-version' | 'stream-deleted';
export type Read = readonly number[] | 'stream-not-found' | 'stream-deleted';
export type Expected = 'any' | 'no_stream' | 'stream_exists' | number;
/** `maxAge` is in seconds. Values that are not positive are ignored. */
export type Limits = Readonly<{ maxCount?: number; maxAge?: number; truncateBefore?: number }>;

/** A stream of EventStoreDB as a pure value. `stored` has the revisions of the events that no scavenge has removed. */
export type StreamModel = Readonly<{
  stored: readonly number[];
  /** When each event was written, by revision, in ms. */
  writtenAt: readonly number[];
  /** -1: no event. */
  revision: number;
  hasMetadata: boolean;
  limits: Limits;
  isDeleted: boolean;
  isTombstoned: boolean;
}>;

export const EMPTY: StreamModel = {
  stored: [],
  writtenAt: [],
  revision: -1,
  hasMetadata: false,
  limits: {},
  isDeleted: false,
  isTombstoned: false,
};

/** The stream after an operation, and what the operation returns. */
export type Step = Readonly<{ stream: StreamModel; result: Result }>;

const refuse = (stream: StreamModel, result: Result): Step => ({ stream, result });

const firstReadable = ({ revision, limits: { maxCount = 0, truncateBefore = 0 } }: StreamModel): number =>
  Math.max(0, truncateBefore, maxCount <= 0 ? 0 : revision - maxCount + 1);

/** The reason why the stream is not as expected; undefined when it is. */
const mismatch = (stream: StreamModel, expected: Expected, canRecreate: boolean): Result | undefined => {
  const { revision, isDeleted, isTombstoned, hasMetadata } = stream;
  if (isTombstoned) return 'stream-deleted';
  if (expected === 'any') return undefined;
  if (expected === 'stream_exists') {
    if (isDeleted) return 'stream-deleted';
    return revision < 0 && !hasMetadata ? 'wrong-expected-version' : undefined;
  }
  const wanted = expected === 'no_stream' ? -1 : expected;
  const isRecreation = canRecreate && wanted === -1 && isDeleted;
  return wanted === revision || isRecreation ? undefined : 'wrong-expected-version';
};

/** The end of a deletion hides the events from before. */
const recreated = (stream: StreamModel, limits: Limits): StreamModel => ({
  ...stream,
  isDeleted: false,
  hasMetadata: true,
  limits: stream.isDeleted ? { ...limits, truncateBefore: stream.revision + 1 } : limits,
});

export const append = (stream: StreamModel, count: number, expected: Expected, now: number): Step => {
  const reason = mismatch(stream, expected, count > 0);
  if (reason !== undefined) return refuse(stream, reason);
  const revision = stream.revision + count;
  const added = Array.from({ length: count }, (_, index) => stream.revision + 1 + index);
  const before = stream.isDeleted ? recreated(stream, {}) : stream;
  const writtenAt = [...stream.writtenAt, ...added.map(() => now)];
  return { stream: { ...before, stored: [...stream.stored, ...added], writtenAt, revision }, result: revision };
};

export const remove = (stream: StreamModel, expected: Expected): Step => {
  const reason = mismatch(stream, expected, true);
  if (reason !== undefined) return refuse(stream, reason);
  if (stream.revision < 0 && !stream.hasMetadata) return refuse(stream, 'wrong-expected-version');
  return { stream: { ...stream, isDeleted: true, hasMetadata: true, limits: {} }, result: stream.revision };
};

export const tombstone = (stream: StreamModel, expected: Expected): Step => {
  const reason = mismatch(stream, expected, true);
  return reason === undefined ? { stream: { ...stream, isTombstoned: true }, result: stream.revision } : refuse(stream, reason);
};

export const setLimits = (stream: StreamModel, limits: Limits): Step =>
  stream.isTombstoned ? refuse(stream, 'stream-deleted') : { stream: recreated(stream, limits), result: stream.revision };

const isWithinAge = ({ writtenAt, limits: { maxAge = 0 } }: StreamModel, revision: number, now: number): boolean =>
  maxAge <= 0 || now - (writtenAt[revision] ?? now) <= maxAge * 1_000;

/** The revisions that a read returns. */
export const read = (stream: StreamModel, now: number): Read => {
  if (stream.isTombstoned) return 'stream-deleted';
  if (stream.revision < 0 || stream.isDeleted) return 'stream-not-found';
  return stream.stored.filter((revision) => revision >= firstReadable(stream) && isWithinAge(stream, revision, now));
};

/** A scavenge removes what a read does not return. */
export const scavenged = (stream: StreamModel, now: number): StreamModel => {
  const kept = read(stream, now);
  if (typeof kept !== 'string') return { ...stream, stored: kept };
  return stream.isDeleted || stream.isTombstoned ? { ...stream, stored: [] } : stream;
};
