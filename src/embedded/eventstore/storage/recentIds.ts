import type { WrittenId, WrittenPlace } from './eventReader.ts';
import { recentlyUsedMap } from './recentlyUsedMap.ts';

/** A key of an event's id within its stream: several streams may have events with the same id. */
export const idKey = (stream: string, id: string): string => `${id} ${stream}`;

/** The places of recently written events, by which appends that expect no exact revision recognise a retry. */
export type RecentIds = Readonly<{
  get: (stream: string, id: string) => WrittenPlace | undefined;
  add: (written: Iterable<WrittenId>) => void;
  clear: () => void;
}>;

/** Keeps at least the last `capacity` events. */
export const recentIds = (capacity: number): RecentIds => {
  const places = recentlyUsedMap<WrittenPlace>(capacity);
  return {
    get: (stream, id) => places.get(idKey(stream, id)),
    add: (written) => {
      for (const { id, stream, revision, position } of written) places.set(idKey(stream, id), { revision, position });
    },
    clear: places.clear,
  };
};
