import type { WrittenId, WrittenPosition } from './eventReader.ts';
import { recentlyUsedMap } from './recentlyUsedMap.ts';

/** The positions of recently written events, by which appends that expect no exact revision recognise a retry. */
export type RecentIds = Readonly<{
  get: (stream: string, id: string) => WrittenPosition | undefined;
  add: (written: Iterable<WrittenId>) => void;
  clear: () => void;
}>;

/**
 * Keeps at least the last `capacity` events, without their payloads. Of events with the same id it keeps the newest, as EventStoreDB does: a
 * key of stream and id costs a tenth of an append.
 */
export const recentIds = (capacity: number): RecentIds => {
  const known = recentlyUsedMap<WrittenPosition & { stream: string }>(capacity);
  return {
    get: (stream, id) => {
      const found = known.get(id);
      return found?.stream === stream ? found : undefined;
    },
    add: (written) => {
      for (const { id, stream, revision, position } of written) known.set(id, { stream, revision, position });
    },
    clear: known.clear,
  };
};
