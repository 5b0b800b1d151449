import type { Logo } from '../outbound/logo.ts';

const FOUND_MS = 3_600_000;
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
  /** Fetches that were not begun since too many were under way. */
  refused: () => number;
}>;

/**
 * Pictures of service integrators' addresses, fetched once for all browsers and kept for an hour, the least recently used ones making
 * room. `now` is ms since 1970.
 */
export const createLogos = ({ fetch, now }: { fetch: (url: string) => Promise<Logo | null>; now: () => number }): Logos => {
  const kept = new Map<string, { logo: Logo | null; until: number }>();
  const pending = new Map<string, Promise<Logo | null>>();
  let bytes = 0;
  let refused = 0;

  const remove = (url: string): void => {
    bytes -= kept.get(url)?.logo?.body.length ?? 0;
    kept.delete(url);
  };

  const keep = (url: string, logo: Logo | null): void => {
    remove(url);
    kept.set(url, { logo, until: now() + (logo ? FOUND_MS : MISSING_MS) });
    bytes += logo?.body.length ?? 0;
    for (const oldest of kept.keys()) {
      if (bytes <= MAX_BYTES && kept.size <= MAX_ENTRIES) break;
      remove(oldest);
    }
  };

  const load = async (url: string): Promise<Logo | null> => {
    try {
      const logo = await fetch(url);
      keep(url, logo);
      return logo;
    } finally {
      pending.delete(url);
    }
  };

  return {
    get: async (url) => {
      const found = kept.get(url);
      if (found && found.until > now()) {
        kept.delete(url);
        kept.set(url, found);
        return found.logo;
      }
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
