import type { WrittenId } from './eventReader.ts';

/** The ids that were written last; what tells a repeated append from a new one when no exact revision is expected. */
export type IdCache = Readonly<{
  get: (id: string) => WrittenId | undefined;
  add: (written: Iterable<WrittenId>) => void;
  clear: () => void;
}>;

/** Forgets the oldest ids beyond `capacity`. */
export const idCache = (capacity: number): IdCache => {
  const known = new Map<string, WrittenId>();
  return {
    get: (id) => known.get(id),
    add: (written) => {
      for (const { id, stream, revision, position } of written) known.set(id, { id, stream, revision, position });
      for (const id of known.keys()) {
        if (known.size <= capacity) return;
        known.delete(id);
      }
    },
    clear: () => known.clear(),
  };
};
