import { LRUCache } from 'lru-cache';

/**
 * A cache of the `max` entries that were used last. It is empty at first: lru-cache's own option `max` reserves memory for all entries, which
 * takes 2 ms for 20,000, and the server has twenty such caches.
 */
export const createCache = <K extends {}, V extends {}>(
  max: number,
  options: Omit<LRUCache.Options<K, V, unknown>, 'max' | 'maxSize' | 'sizeCalculation'> = {},
): LRUCache<K, V> => new LRUCache<K, V>({ ...options, maxSize: max, sizeCalculation: () => 1 });
