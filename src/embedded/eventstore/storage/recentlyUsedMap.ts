/** A bounded map that evicts keys which were not used recently. */
export type RecentlyUsedMap<Value> = Readonly<{
  get: (key: string) => Value | undefined;
  set: (key: string, value: Value) => void;
  clear: () => void;
}>;

/**
 * Keeps at least the last `capacity` keys and at most twice as many. It evicts a whole generation at a time, because deleting
 * the oldest key of a JavaScript map becomes slower with each deletion.
 */
export const recentlyUsedMap = <Value>(capacity: number): RecentlyUsedMap<Value> => {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  const set = (key: string, value: Value): void => {
    young.set(key, value);
    if (young.size < capacity) return;
    old = young;
    young = new Map();
  };
  return {
    get: (key) => {
      const recent = young.get(key);
      if (recent !== undefined) return recent;
      const value = old.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    clear: () => {
      young.clear();
      old.clear();
    },
  };
};
