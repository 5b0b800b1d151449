/** A map that forgets what was not used lately. */
export type RecentMap<Value> = Readonly<{
  get: (key: string) => Value | undefined;
  set: (key: string, value: Value) => void;
  clear: () => void;
}>;

/**
 * Remembers the last `capacity` keys at least, and twice as many at most: a whole generation is forgotten at once,
 * because deleting the oldest key of a JavaScript map one by one gets slower the more were deleted.
 */
export const recentMap = <Value>(capacity: number): RecentMap<Value> => {
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
