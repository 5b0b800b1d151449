import type { StoredEvent } from './event.ts';

/** The newest events in memory, so that whoever keeps up never asks the database. */
export type Tail = Readonly<{
  /** Events that follow the last ones without a gap. */
  append: (events: readonly StoredEvent[]) => void;
  /** Up to `limit` events after `position`, or undefined when some of them are not in memory. */
  after: (position: number, limit: number) => readonly StoredEvent[] | undefined;
  /** Position of the newest event of the store. */
  lastPosition: () => number;
  /** Forgets all; the newest event of the store is at `position`. */
  reset: (position: number) => void;
}>;

// What an event costs beside its payloads, roughly; its type and stream are often shared.
const OVERHEAD_BYTES = 300;
const sizeOf = (event: StoredEvent): number => event.data.length + event.metadata.length + OVERHEAD_BYTES;

/** Holds events up to a number and a size in bytes, whichever is reached first. */
export const tailOf = (maxEvents: number, maxBytes: number): Tail => {
  let events: StoredEvent[] = [];
  let bytes = 0;
  let last = 0;

  // Trimming a quarter at a time keeps the cost of moving the rest negligible.
  const trim = (): void => {
    if (events.length <= maxEvents && bytes <= maxBytes) return;
    let kept = events.length;
    let dropped = 0;
    while (kept > maxEvents * 0.75 || (bytes > maxBytes * 0.75 && kept > 0)) {
      const event = events[dropped++];
      if (!event) break;
      bytes -= sizeOf(event);
      kept--;
    }
    events = events.slice(dropped);
  };

  return {
    append: (appended) => {
      for (const event of appended) {
        events.push(event);
        bytes += sizeOf(event);
        last = event.position;
      }
      trim();
    },
    after: (position, limit) => {
      if (position >= last) return [];
      const skipped = position - (last - events.length);
      return skipped < 0 ? undefined : events.slice(skipped, skipped + limit);
    },
    lastPosition: () => last,
    reset: (position) => {
      events = [];
      bytes = 0;
      last = position;
    },
  };
};
