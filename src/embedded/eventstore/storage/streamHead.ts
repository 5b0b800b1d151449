import { describedStream, isMetastream, NO_REVISION, TOMBSTONE_REVISION } from './event.ts';
import { recentlyUsedMap } from './recentlyUsedMap.ts';
import { isSoftDeleted, METASTREAM_METADATA, type StreamMetadata } from './streamMetadata.ts';

/** The last revision of a stream (`NO_REVISION`: no events) and its metadata. */
export type StreamHead = Readonly<{ revision: number; metadataRevision: number; metadata: StreamMetadata }>;

/** Whether a stream was deleted permanently, so that it accepts no more events. */
export const isTombstoned = (head: StreamHead): boolean => head.revision === TOMBSTONE_REVISION;

/** Reads as not found, although its events may still be stored. */
export const isAbsent = (head: StreamHead): boolean => head.revision === NO_REVISION || isSoftDeleted(head.metadata);

/** The stream has neither events nor metadata. */
export const wasNeverWritten = (head: StreamHead): boolean =>
  head.revision === NO_REVISION && head.metadataRevision === NO_REVISION;

/** The head of a metastream is a part of its stream's head. A tombstone also ends the metastream. */
const headOfMetastream = (described: StreamHead): StreamHead => ({
  revision: isTombstoned(described) ? TOMBSTONE_REVISION : described.metadataRevision,
  metadataRevision: NO_REVISION,
  metadata: METASTREAM_METADATA,
});

/** The head of `stream`, derived from the head of the stream that it describes (itself, unless it is a metastream). */
export const headOf = (stream: string, described: StreamHead): StreamHead =>
  isMetastream(stream) ? headOfMetastream(described) : described;

export type HeadCache = Readonly<{
  /** Committed heads by described stream; loads those that are not cached. */
  get: (streams: readonly string[]) => Promise<ReadonlyMap<string, StreamHead>>;
  /** Updates the heads that a commit changed. */
  commit: (changed: ReadonlyMap<string, StreamHead>) => void;
  clear: () => void;
}>;

/**
 * Caches the heads of at least the last `capacity` streams, by described stream. A load that finishes after a commit does not
 * overwrite the committed head.
 */
export const headCache = (
  load: (streams: readonly string[]) => Promise<ReadonlyMap<string, StreamHead>>,
  capacity: number,
): HeadCache => {
  const known = recentlyUsedMap<StreamHead>(capacity);
  const loading = new Map<string, Promise<StreamHead>>();

  const loadOne = (stream: string, heads: Promise<ReadonlyMap<string, StreamHead>>): Promise<StreamHead> => {
    const head = heads.then((loaded) => {
      const found = loaded.get(stream);
      if (!found) throw new Error(`No head was loaded for stream ${stream}`);
      if (loading.get(stream) === head) known.set(stream, found);
      return known.get(stream) ?? found;
    });
    const forget = (): void => {
      if (loading.get(stream) === head) loading.delete(stream);
    };
    head.then(forget, forget);
    loading.set(stream, head);
    return head;
  };

  return {
    get: async (streams) => {
      const wanted = [...new Set(streams.map(describedStream))];
      const missing = wanted.filter((stream) => !known.get(stream) && !loading.has(stream));
      if (missing.length > 0) {
        const heads = load(missing);
        for (const stream of missing) loadOne(stream, heads);
      }
      // All lookups happen before the first await, so that none can be evicted in between.
      const heads = wanted.map((stream) => known.get(stream) ?? loading.get(stream));
      const found = new Map<string, StreamHead>();
      for (const [index, head] of (await Promise.all(heads)).entries()) {
        const stream = wanted[index];
        if (stream !== undefined && head) found.set(stream, head);
      }
      return found;
    },
    commit: (changed) => {
      for (const [stream, head] of changed) {
        loading.delete(stream);
        known.set(stream, head);
      }
    },
    clear: () => {
      known.clear();
      loading.clear();
    },
  };
};
