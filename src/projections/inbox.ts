import { setImmediate } from 'node:timers/promises';

/** What was received and not yet written: bounded, so that a fast store waits for a slow database. */
export type Inbox<Item> = Readonly<{
  /** Resolves when there is room for more; at once where nothing has to be waited for. */
  put: (item: Item) => Promise<void> | undefined;
  /** The next items, in order, at least one unless `waitMs` passes. Throws what `fail` was given. */
  take: (options: { waitMs: number; lingerMs: number }) => Promise<Item[]>;
  fail: (error: unknown) => void;
  isEmpty: () => boolean;
  oldest: () => Item | undefined;
}>;

/** `limits` in the unit of `weigh`: what one batch may hold, and what all may. */
export const createInbox = <Item>(weigh: (item: Item) => number, limits: { batch: number; all: number }): Inbox<Item> => {
  let items: Item[] = [];
  let weight = 0;
  let failure: { error: unknown } | null = null;
  let wakeReader: (() => void) | null = null;
  let wakeWriter: (() => void) | null = null;

  const arrival = (waitMs: number): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        wakeReader = null;
        resolve();
      };
      const timer = setTimeout(wake, waitMs);
      wakeReader = wake;
    });

  const cut = (): Item[] => {
    let taken = 0;
    let count = 0;
    for (const item of items) {
      taken += weigh(item);
      if (count > 0 && taken > limits.batch) {
        taken -= weigh(item);
        break;
      }
      count++;
    }
    const batch = items.slice(0, count);
    items = items.slice(count);
    weight -= taken;
    if (weight < limits.all) wakeWriter?.();
    return batch;
  };

  return {
    put: (item) => {
      items.push(item);
      weight += weigh(item);
      wakeReader?.();
      if (weight < limits.all) return undefined;
      return new Promise((resolve) => {
        wakeWriter = () => {
          wakeWriter = null;
          resolve();
        };
      });
    },
    take: async ({ waitMs, lingerMs }) => {
      if (items.length === 0 && !failure) await arrival(waitMs);
      await setImmediate(); // what arrived in the same packet is put by now
      for (const until = performance.now() + lingerMs; lingerMs > 0 && items.length > 0 && weight < limits.batch && !failure; ) {
        const left = until - performance.now();
        if (left <= 0) break;
        await arrival(left);
      }
      if (failure && items.length === 0) throw failure.error;
      return cut();
    },
    fail: (error) => {
      failure ??= { error };
      wakeReader?.();
    },
    isEmpty: () => items.length === 0,
    oldest: () => items[0],
  };
};
