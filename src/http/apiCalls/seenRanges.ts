import type { CustomerId } from '../../domain/ids.ts';

/** Inclusive, ascending. */
export type Ranges = readonly (readonly [number, number])[];

const SOURCES = 10_000;
/** Of all sources together: one that leaves thousands of holes takes the place of thousands that leave none. */
const RANGES = 200_000;
const CACHE_MS = 5_000;

export const isWithin = (ranges: Ranges, sequence: number): boolean => {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.[1] ?? 0) < sequence) low = middle + 1;
    else high = middle;
  }
  const next = ranges[low];
  return next !== undefined && next[0] <= sequence;
};

type Known = { ranges: Promise<Ranges>; at: number; weight: number };

/**
 * What the read model counted already of a source, remembered for seconds: it may know more by now, never less. `now` is ms
 * since 1970.
 */
export const rememberRanges = (
  ask: (customerId: CustomerId, sourceId: string) => Promise<Ranges>,
  now: () => number,
): ((customerId: CustomerId, sourceId: string) => Promise<Ranges>) => {
  const known = new Map<string, Known>();
  let weight = 0;

  const forget = (key: string, { weight: freed }: Known): void => {
    known.delete(key);
    weight -= freed;
  };
  const forgetOldest = (): void => {
    for (const [key, entry] of known) {
      if (known.size <= SOURCES && weight <= RANGES) return;
      forget(key, entry);
    }
  };

  return (customerId, sourceId) => {
    const key = `${customerId} ${sourceId}`;
    const before = known.get(key);
    if (before && now() - before.at < CACHE_MS) return before.ranges;
    if (before) forget(key, before);
    const entry: Known = { ranges: ask(customerId, sourceId), at: now(), weight: 0 };
    known.set(key, entry);
    forgetOldest();
    entry.ranges.then(
      ({ length }) => {
        if (known.get(key) !== entry) return;
        entry.weight = length;
        weight += length;
        forgetOldest();
      },
      () => {
        if (known.get(key) === entry) forget(key, entry);
      },
    );
    return entry.ranges;
  };
};
