import { describedStream, isMetastream, NO_REVISION, TOMBSTONE_REVISION } from './event.ts';
import { recentMap } from './recentMap.ts';
import { isSoftDeleted, METASTREAM_METADATA, type StreamMetadata } from './streamMetadata.ts';

/** Where a stream ends (`NO_REVISION`: it has no event) and what its metastream says of it. */
export type StreamHead = Readonly<{ revision: number; metadataRevision: number; metadata: StreamMetadata }>;

export const isTombstoned = (head: StreamHead): boolean => head.revision === TOMBSTONE_REVISION;

/** Reads as if it were not there, though its events may still be. */
export const isAbsent = (head: StreamHead): boolean => head.revision === NO_REVISION || isSoftDeleted(head.metadata);

/** Neither an event nor metadata. */
export const wasNeverWritten = (head: StreamHead): boolean =>
  head.revision === NO_REVISION && head.metadataRevision === NO_REVISION;

/** The head of a metastream is a part of its stream's head. */
const headOfMetastream = (described: StreamHead): StreamHead => ({
  revision: described.metadataRevision,
  metadataRevision: NO_REVISION,
  metadata: METASTREAM_METADATA,
});

/** The head of `stream` out of the head of the stream it describes (itself, unless it is a metastream). */
export const headOf = (stream: string, described: StreamHead): StreamHead =>
  isMetastream(stream) ? headOfMetastream(described) : described;

export type HeadCache = Readonly<{
  /** Committed heads, of metastreams too; loads those that are not known. */
  get: (streams: readonly string[]) => Promise<ReadonlyMap<string, StreamHead>>;
  /** Takes over what a commit changed. */
  commit: (changed: ReadonlyMap<string, StreamHead>) => void;
  clear: () => void;
}>;

/**
 * Keeps the heads of at least the last `capacity` streams. A load that a commit overtakes does not overwrite what the commit said.
 * Keys are described streams throughout.
 */
export const headCache = (
  load: (streams: readonly string[]) => Promise<ReadonlyMap<string, StreamHead>>,
  capacity: number,
): HeadCache => {
  const known = recentMap<StreamHead>(capacity);
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
      // Each is looked up before anything is awaited, so that none can be forgotten meanwhile.
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
