import { setImmediate } from 'node:timers/promises';

/** A bounded queue of received items, so that a fast store waits for a slow database. */
export type Inbox<Item> = Readonly<{
  /** Resolves when there is capacity for more; undefined if there is already. */
  put: (item: Item) => Promise<void> | undefined;
  /**
   * The next items, in order, at least one unless `waitMs` passes. Once there is one, it waits for a full batch, but no longer than
   * `lingerMs`. Throws what `fail` was given.
   */
  take: (options: { waitMs: number; lingerMs: () => number; batch: () => number }) => Promise<Item[]>;
  /** Ends a wait for a full batch, since no more items follow soon. */
  flush: () => void;
  fail: (error: unknown) => void;
  isEmpty: () => boolean;
  oldest: () => Item | undefined;
}>;

/** `weigh` is in the unit of `batch`. The capacity is `batches` full batches of the size that was requested last. */
export const createInbox = <Item>(weigh: (item: Item) => number, { batches }: { batches: number }): Inbox<Item> => {
  let items: Item[] = [];
  let weight = 0;
  let batch = 1;
  let failure: { error: unknown } | null = null;
  let wakeReader: (() => void) | null = null;
  let wakeWriter: (() => void) | null = null;
  /** The weight at which the reader is woken. */
  let awaited = 0;

  const hasCapacity = (): boolean => weight < batch * batches;

  const arrivalOf = (least: number, waitMs: number): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        wakeReader = null;
        resolve();
      };
      const timer = setTimeout(wake, waitMs);
      awaited = least;
      wakeReader = wake;
    });

  const cut = (): Item[] => {
    let taken = 0;
    let count = 0;
    for (const item of items) {
      const more = weigh(item);
      if (count > 0 && taken + more > batch) break;
      taken += more;
      count++;
    }
    const cutOff = items.slice(0, count);
    items = items.slice(count);
    weight -= taken;
    if (hasCapacity()) wakeWriter?.();
    return cutOff;
  };

  return {
    put: (item) => {
      items.push(item);
      weight += weigh(item);
      if (weight >= awaited) wakeReader?.();
      if (hasCapacity()) return undefined;
      return new Promise((resolve) => {
        wakeWriter = () => {
          wakeWriter = null;
          resolve();
        };
      });
    },
    take: async ({ waitMs, lingerMs, batch: size }) => {
      batch = size();
      if (hasCapacity()) wakeWriter?.();
      if (items.length === 0 && !failure) await arrivalOf(1, waitMs);
      await setImmediate(); // what arrived in the same packet is put by now
      batch = size();
      const longest = lingerMs();
      if (longest > 0 && items.length > 0 && weight < batch && !failure) await arrivalOf(batch, longest);
      if (failure && items.length === 0) throw failure.error;
      return cut();
    },
    flush: () => {
      if (items.length > 0) wakeReader?.();
    },
    fail: (error) => {
      failure ??= { error };
      wakeReader?.();
    },
    isEmpty: () => items.length === 0,
    oldest: () => items[0],
  };
};
