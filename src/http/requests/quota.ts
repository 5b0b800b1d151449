/** Limits how many units each key may hold at the same time. */
export type Quota = Readonly<{
  /** Takes one for the key and returns what gives it back, which may be called again without effect; null where none is left. */
  acquire: (key: string) => (() => void) | null;
}>;

/** A quota of `each` for a key, and of `all` for all keys together. */
export const createQuota = ({ each, all = Number.POSITIVE_INFINITY }: { each: number; all?: number }): Quota => {
  const held = new Map<string, number>();
  let total = 0;

  const release = (key: string): void => {
    const left = (held.get(key) ?? 0) - 1;
    total -= 1;
    if (left > 0) held.set(key, left);
    else held.delete(key);
  };

  return {
    acquire: (key) => {
      const mine = held.get(key) ?? 0;
      if (mine >= each || total >= all) return null;
      held.set(key, mine + 1);
      total += 1;
      let isHeld = true;
      return () => {
        if (isHeld) release(key);
        isHeld = false;
      };
    },
  };
};
