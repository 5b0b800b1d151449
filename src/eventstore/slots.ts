/** Lets a limited number of works go on at one time; the others wait in line. */
export type Slots = Readonly<{
  /** Resolves to how to give the slot back. Throws when none was free within `ms`. */
  take: (ms: number) => Promise<() => void>;
}>;

export const createSlots = (count: number): Slots => {
  const line = new Set<() => void>();
  let free = count;

  const giveBack = (): void => {
    for (const next of line) {
      line.delete(next);
      next();
      return;
    }
    free += 1;
  };

  return {
    take: async (ms) => {
      if (free > 0) {
        free -= 1;
        return giveBack;
      }
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => {
          line.delete(enter);
          reject(new Error(`No turn within ${Math.round(ms)} ms`));
        }, ms);
        const enter = () => {
          clearTimeout(late);
          resolve();
        };
        line.add(enter);
      });
      return giveBack;
    },
  };
};
