import type { CustomerId } from '../../domain/ids.ts';
import type { Range } from '../../projections/usage/ranges.ts';

const SOURCES = 10_000;
/** Of all sources together: one that leaves thousands of holes takes the place of thousands that leave none. */
const RANGES = 200_000;
const CACHE_MS = 5_000;

type Known = { ranges: Promise<readonly Range[]>; at: number; weight: number };

/**
 * What the read model counted already of a source, remembered for seconds: it may know more by now, never less. `now` is ms
 * since 1970.
 */
export const rememberRanges = (
  ask: (customerId: CustomerId, sourceId: string) => Promise<readonly Range[]>,
  now: () => number,
): ((customerId: CustomerId, sourceId: string) => Promise<readonly Range[]>) => {
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
