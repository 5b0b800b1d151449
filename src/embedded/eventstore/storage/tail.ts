import type { StoredEvent } from './event.ts';

/** The newest events in memory, so that whoever keeps up never asks the database. */
export type Tail = Readonly<{
  /** Events that follow the last ones without a gap. */
  append: (events: readonly StoredEvent[]) => void;
  /** Up to `limit` events after `position`, or undefined when some of them are not in memory. */
  after: (position: number, limit: number) => readonly StoredEvent[] | undefined;
  /** Position of the newest event of the store. */
  lastPosition: () => number;
  /** Forgets the events up to and with `position`. */
  forget: (position: number) => void;
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

  /** Drops the oldest events for as long as `isDropped` says of the next one. */
  const dropWhile = (isDropped: (next: StoredEvent, kept: number) => boolean): void => {
    let dropped = 0;
    for (const event of events) {
      if (!isDropped(event, events.length - dropped)) break;
      bytes -= sizeOf(event);
      dropped++;
    }
    events = events.slice(dropped);
  };

  // Trimming a quarter at a time keeps the cost of moving the rest negligible.
  const trim = (): void => {
    if (events.length <= maxEvents && bytes <= maxBytes) return;
    dropWhile((_, kept) => kept > maxEvents * 0.75 || bytes > maxBytes * 0.75);
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
    forget: (position) => dropWhile((event) => event.position <= position),
    reset: (position) => {
      events = [];
      bytes = 0;
      last = position;
    },
  };
};
