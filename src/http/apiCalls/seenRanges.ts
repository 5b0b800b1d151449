import type { CustomerId } from '../../domain/ids.ts';

/** Inclusive, ascending. */
export type Ranges = readonly (readonly [number, number])[];

const CACHED = 10_000;
const CACHE_MS = 5_000;

export const isWithin = (ranges: Ranges, sequence: number): boolean =>
  ranges.some(([from, to]) => from <= sequence && sequence <= to);

/**
 * What the read model counted already of a source, remembered for seconds: it may know more by now, never less. `now` is ms
 * since 1970.
 */
export const rememberRanges = (
  ask: (customerId: CustomerId, sourceId: string) => Promise<Ranges>,
  now: () => number,
): ((customerId: CustomerId, sourceId: string) => Promise<Ranges>) => {
  const known = new Map<string, { ranges: Promise<Ranges>; at: number }>();
  return (customerId, sourceId) => {
    const key = `${customerId} ${sourceId}`;
    const before = known.get(key);
    if (before && now() - before.at < CACHE_MS) return before.ranges;
    known.delete(key);
    const oldest = known.size >= CACHED ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    const ranges = ask(customerId, sourceId);
    known.set(key, { ranges, at: now() });
    ranges.catch(() => known.delete(key));
    return ranges;
  };
};
