import { LRUCache } from 'lru-cache';
import type { CustomerId } from '../../domain/ids.ts';
import type { CountedRanges } from '../../projections/usage/queries.ts';
import { addRange, isWithin, missingFrom, overlaps, type Range } from '../../projections/usage/ranges.ts';

const SOURCES = 10_000;
/** The most ranges of all sources together: a source that leaves thousands of holes takes the place of thousands that leave none. */
const RANGES = 200_000;
/** Acknowledged ranges of one source. Below the limit of the read model, which joins ranges there: this memory must not. */
const ACKNOWLEDGED = 1_000;
const CACHE_MS = 5_000;

/** The sequences of one source that this node knows: `counted` by the read model, or `acknowledged` here and not counted yet. */
export type SeenSource = Readonly<{
  counted: readonly Range[];
  acknowledged: readonly Range[];
  /** How often calls of the customer were voided when they were known: a void frees sequences. */
  voids: number;
}>;

export type SeenRanges = Readonly<{
  /**
   * The known sequences of a source when `batch` (inclusive sequences) arrives. The read model is queried unless its result is at most
   * 5 s old and the batch either follows the last one or is completely known. Sequences that were voided are not known, so a batch with
   * known ones asks for the voids. Rejects if a query does.
   */
  of: (customerId: CustomerId, sourceId: string, batch: Range) => Promise<SeenSource>;
  /**
   * Remembers sequences that are durable, until the read model has counted them. `voids` is that of the source before they were recorded:
   * after a further void they may not count any more.
   */
  acknowledge: (customerId: CustomerId, sourceId: string, ranges: readonly Range[], voids: number) => void;
}>;

type Entry = {
  counted: readonly Range[];
  acknowledged: Range[];
  voids: number;
  query: Promise<void> | null;
  /** When `counted` was read; ms since 1970. */
  at: number;
  /** The last sequence that a batch had here. */
  end: number;
  /** The ranges that the cache counts for this entry. */
  size: number;
};

/** Whether a sequence of a source was accepted before. */
export const isSeen = ({ counted, acknowledged }: Pick<SeenSource, 'counted' | 'acknowledged'>, sequence: number): boolean =>
  isWithin(counted, sequence) || isWithin(acknowledged, sequence);

/** The highest sequence of a source that was accepted before; 0 without any. */
export const highestSeen = ({ counted, acknowledged }: SeenSource): number =>
  Math.max(counted.at(-1)?.[1] ?? 0, acknowledged.at(-1)?.[1] ?? 0);

/** Other requests change the entry. */
const asNow = ({ counted, acknowledged, voids }: Entry): SeenSource => ({ counted, acknowledged: [...acknowledged], voids });

const notWithin = (ranges: readonly Range[], among: readonly Range[]): Range[] =>
  among.flatMap((range) => missingFrom(ranges, range));

/**
 * Caches which sequences of a source the read model counted and this node acknowledged, within a fixed amount of memory. A duplicate
 * of an evicted sequence is reported as accepted, but still counts once. `voidsOf` returns how often calls of a customer were voided by
 * now, and `now` ms since 1970.
 */
export const rememberRanges = (
  ask: (customerId: CustomerId, sourceId: string) => Promise<CountedRanges>,
  voidsOf: (customerId: CustomerId) => Promise<number>,
  now: () => number,
): SeenRanges => {
  const known = new LRUCache<string, Entry>({
    max: SOURCES,
    maxSize: RANGES,
    sizeCalculation: ({ size }) => size,
  });

  /** Updates the size of an entry, which the cache calculates only when it adds one. An entry evicted during a query stays out. */
  const resize = (key: string, entry: Entry): void => {
    const size = Math.max(1, entry.counted.length + entry.acknowledged.length);
    if (size === entry.size || known.peek(key) !== entry) return;
    entry.size = size;
    known.delete(key);
    known.set(key, entry);
  };
  const entryOf = (key: string): Entry => {
    const before = known.get(key);
    if (before) return before;
    const at = Number.NEGATIVE_INFINITY;
    const entry: Entry = { counted: [], acknowledged: [], voids: 0, query: null, at, end: -1, size: 1 };
    known.set(key, entry);
    return entry;
  };

  const refresh = async (key: string, entry: Entry, customerId: CustomerId, sourceId: string): Promise<void> => {
    const at = now();
    try {
      const { ranges, voids } = await ask(customerId, sourceId);
      entry.counted = ranges;
      entry.acknowledged = voids === entry.voids ? notWithin(ranges, entry.acknowledged) : [];
      entry.voids = voids;
      entry.at = at;
      resize(key, entry);
    } finally {
      entry.query = null;
    }
  };

  const query = (key: string, entry: Entry, customerId: CustomerId, sourceId: string): Promise<void> => {
    entry.query ??= refresh(key, entry, customerId, sourceId);
    return entry.query;
  };

  return {
    of: async (customerId, sourceId, batch) => {
      const key = `${customerId} ${sourceId}`;
      const entry = entryOf(key);
      const [first, last] = batch;
      const follows = first === entry.end + 1;
      entry.end = Math.max(entry.end, last);
      const isFresh = now() - entry.at < CACHE_MS;
      const isEnough = isFresh && (follows || notWithin(entry.acknowledged, missingFrom(entry.counted, batch)).length === 0);
      if (!isEnough) await query(key, entry, customerId, sourceId);
      if (!overlaps(entry.counted, batch) && !overlaps(entry.acknowledged, batch)) return asNow(entry);
      const voids = await voidsOf(customerId);
      if (voids > entry.voids) await query(key, entry, customerId, sourceId);
      // The read model may be behind: what is recorded again counts once, but what is left out would be lost.
      return voids > entry.voids ? { counted: [], acknowledged: [], voids: entry.voids } : asNow(entry);
    },
    acknowledge: (customerId, sourceId, ranges, voids) => {
      const key = `${customerId} ${sourceId}`;
      const entry = known.peek(key) ?? entryOf(key); // `of` has just used it
      if (entry.voids !== voids) return;
      for (const range of ranges) addRange(entry.acknowledged, range);
      if (entry.acknowledged.length > ACKNOWLEDGED) entry.acknowledged.splice(0, entry.acknowledged.length - ACKNOWLEDGED);
      resize(key, entry);
    },
  };
};
