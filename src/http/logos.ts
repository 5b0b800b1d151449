import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '../domain/time.ts';
import type { Logo } from '../outbound/logo.ts';

const FOUND_MS = HOUR_MS;
/** A failed fetch is retried soon, since its owner may be correcting the address. */
const MISSING_MS = 30_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_ENTRIES = 500;
/** Concurrent fetches; further requests get no picture, and browsers show the product's own. */
const CONCURRENT_FETCHES = 16;

/** A cache of the pictures at the addresses that integrators entered. */
export type Logos = Readonly<{
  /** The picture at an https address, null where there is none. */
  get: (url: string) => Promise<Logo | null>;
  /** Fetches that were rejected because too many were in progress. */
  refused: () => number;
}>;

/**
 * Pictures of service integrators' addresses, fetched once for all browsers and kept for an hour; the least recently used ones are
 * evicted. `now` is ms since 1970.
 */
export const createLogos = ({ fetch, now }: { fetch: (url: string) => Promise<Logo | null>; now: () => number }): Logos => {
  const kept = new LRUCache<string, { logo: Logo | null; until: number }>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ logo }) => Math.max(1, logo?.body.length ?? 0),
  });
  const pending = new Map<string, Promise<Logo | null>>();
  let refused = 0;

  const load = async (url: string): Promise<Logo | null> => {
    try {
      const logo = await fetch(url);
      kept.set(url, { logo, until: now() + (logo ? FOUND_MS : MISSING_MS) });
      return logo;
    } finally {
      pending.delete(url);
    }
  };

  return {
    get: async (url) => {
      const found = kept.get(url);
      if (found && found.until > now()) return found.logo;
      const underWay = pending.get(url);
      if (underWay) return underWay;
      if (pending.size >= CONCURRENT_FETCHES) {
        refused += 1;
        return null;
      }
      const loading = load(url);
      pending.set(url, loading);
      return loading;
    },
    refused: () => refused,
  };
};
