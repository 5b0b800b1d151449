import type { StoredEvent } from './event.ts';

/** An in-memory cache of the newest events, so that live subscriptions do not query the database. */
export type Tail = Readonly<{
  /** Adds the events that directly follow the last one. */
  append: (events: readonly StoredEvent[]) => void;
  /** Up to `limit` events after `position`; undefined when some of them are not in memory. */
  after: (position: number, limit: number) => readonly StoredEvent[] | undefined;
  /** Position of the newest event of the store. */
  lastPosition: () => number;
  /** Evicts the events up to `position` (inclusive). */
  forget: (position: number) => void;
  /** Evicts all events and sets the position of the newest event of the store. */
  reset: (position: number) => void;
}>;

// The approximate size of an event without its payloads; strings of type and stream are often shared.
const OVERHEAD_BYTES = 300;
const sizeOf = (event: StoredEvent): number => event.data.length + event.metadata.length + OVERHEAD_BYTES;

/** Keeps up to `maxEvents` events and `maxBytes` bytes. */
export const tailOf = (maxEvents: number, maxBytes: number): Tail => {
  let events: StoredEvent[] = [];
  let bytes = 0;
  let last = 0;

  /** Evicts the oldest events while `isDropped` returns true. */
  const dropWhile = (isDropped: (next: StoredEvent, kept: number) => boolean): void => {
    let dropped = 0;
    for (const event of events) {
      if (!isDropped(event, events.length - dropped)) break;
      bytes -= sizeOf(event);
      dropped++;
    }
    events = events.slice(dropped);
  };

  // Trims a quarter at a time, so that copying the remaining events is rare.
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
