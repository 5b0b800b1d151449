import { createCache } from '../flow/cache.ts';

export type KeyCache<V> = Readonly<{
  /** Returns cached keys immediately; all keys requested in one turn of the event loop are loaded by one query. */
  get: (name: string) => V | undefined | Promise<V | undefined>;
  /** Caches a loaded key under another name too. */
  put: (name: string, value: V) => void;
  forget: (which: (value: V) => boolean) => void;
}>;

const LARGEST_QUERY = 1000;

/** Bounded; entries expire after `cacheMs`, and missing keys are not cached. */
export const createKeyCache = <V>({
  load,
  cacheMs,
  cacheSize,
}: {
  load: (names: readonly string[]) => Promise<ReadonlyMap<string, V>>;
  cacheMs: number;
  cacheSize: number;
}): KeyCache<V> => {
  const cached = createCache<string, { value: V; until: number }>(cacheSize);
  const loading = new Map<string, Promise<V | undefined>>();
  let waiting: { names: string[]; loaded: Promise<ReadonlyMap<string, V>> } | null = null;

  const remember = (name: string, value: V): void => {
    cached.set(name, { value, until: performance.now() + cacheMs });
  };

  const nextQuery = (): { names: string[]; loaded: Promise<ReadonlyMap<string, V>> } => {
    if (waiting && waiting.names.length < LARGEST_QUERY) return waiting;
    const names: string[] = [];
    const loaded = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      if (waiting?.names === names) waiting = null;
      return load(names);
    });
    waiting = { names, loaded };
    return waiting;
  };

  const loadOne = async (name: string): Promise<V | undefined> => {
    const query = nextQuery();
    query.names.push(name);
    try {
      const value = (await query.loaded).get(name);
      if (value !== undefined) remember(name, value);
      return value;
    } finally {
      loading.delete(name);
    }
  };

  return {
    get: (name) => {
      const hit = cached.get(name);
      if (hit && hit.until > performance.now()) return hit.value;
      const under = loading.get(name) ?? loadOne(name);
      loading.set(name, under);
      return under;
    },
    put: remember,
    forget: (which) => {
      for (const [name, { value }] of [...cached]) if (which(value)) cached.delete(name);
    },
  };
};
