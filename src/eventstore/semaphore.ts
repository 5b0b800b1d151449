/** A counting semaphore with a FIFO queue. */
export type Semaphore = Readonly<{
  /** Resolves to a function that releases the permit. Throws when none is available within `ms`. */
  acquire: (ms: number) => Promise<() => void>;
}>;

export const createSemaphore = (count: number): Semaphore => {
  const queue = new Set<() => void>();
  let available = count;

  const release = (): void => {
    for (const next of queue) {
      queue.delete(next);
      next();
      return;
    }
    available += 1;
  };

  return {
    acquire: async (ms) => {
      if (available > 0) {
        available -= 1;
        return release;
      }
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          queue.delete(grant);
          reject(new Error(`No turn within ${Math.round(ms)} ms`));
        }, ms);
        const grant = () => {
          clearTimeout(timer);
          resolve();
        };
        queue.add(grant);
      });
      return release;
    },
  };
};
