/** Runs work a few at a time, in the order of arrival, while keys take turns. */
export type ConcurrencyLimit = Readonly<{
  /**
   * Runs work immediately or when it is its turn. Rejects with the error of `busy` if the queue is full, or if the turn has not come after
   * `timeoutMs`. Work without a key shares one.
   */
  run: <T>(work: () => Promise<T>, options?: Readonly<{ key?: string; timeoutMs?: number }>) => Promise<T>;
  /** Work that waits for its turn. */
  waiting: () => number;
}>;

type Waiting = { start: () => void; reject: () => void };

/**
 * A bounded queue in which keys take turns: one that waits with one request is next after at most one request of each other key.
 * Where the queue is full, the key with the most requests loses its newest to one with fewer.
 */
const createFairQueue = (capacity: number) => {
  const keys = new Map<string, Waiting[]>();
  let size = 0;

  const longest = (): [key: string, queue: Waiting[]] | undefined => {
    let found: [string, Waiting[]] | undefined;
    for (const entry of keys) if (!found || entry[1].length > found[1].length) found = entry;
    return found;
  };

  const makeSpace = (own: number): boolean => {
    const [key, queue] = longest() ?? [];
    if (key === undefined || !queue || queue.length <= own + 1) return false;
    queue.pop()?.reject();
    size -= 1;
    return true;
  };

  return {
    size: () => size,
    /** False when there is no space for it. */
    add: (key: string, waiting: Waiting): boolean => {
      const queue = keys.get(key) ?? [];
      if (size >= capacity && !makeSpace(queue.length)) return false;
      queue.push(waiting);
      size += 1;
      if (queue.length === 1) keys.set(key, queue);
      return true;
    },
    /** Takes out one that has not started. */
    remove: (key: string, waiting: Waiting): void => {
      const queue = keys.get(key);
      const index = queue?.indexOf(waiting) ?? -1;
      if (!queue || index === -1) return;
      queue.splice(index, 1);
      size -= 1;
      if (queue.length === 0) keys.delete(key);
    },
    next: (): Waiting | undefined => {
      const [key, queue] = keys.entries().next().value ?? [];
      if (key === undefined || !queue) return undefined;
      const waiting = queue.shift();
      size -= 1;
      keys.delete(key);
      if (queue.length > 0) keys.set(key, queue); // behind the others
      return waiting;
    },
  };
};

/** Limits work to `concurrent` at a time and `maxWaiting` in the queue. */
export const limitConcurrency = ({
  concurrent,
  maxWaiting = Number.POSITIVE_INFINITY,
  busy,
}: {
  concurrent: number;
  maxWaiting?: number;
  busy: () => Error;
}): ConcurrencyLimit => {
  const queue = createFairQueue(maxWaiting);
  let running = 0;

  const turn = async (key: string, timeoutMs: number | undefined): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((start, reject) => {
      const waiting = { start, reject: () => reject(busy()) };
      if (!queue.add(key, waiting)) return waiting.reject();
      if (timeoutMs === undefined) return;
      timer = setTimeout(() => {
        queue.remove(key, waiting);
        waiting.reject();
      }, timeoutMs);
    }).finally(() => clearTimeout(timer));
  };

  return {
    run: async (work, { key = '', timeoutMs } = {}) => {
      if (running >= concurrent) await turn(key, timeoutMs);
      else running += 1;
      try {
        return await work();
      } finally {
        const next = queue.next();
        if (next) next.start();
        else running -= 1;
      }
    },
    waiting: queue.size,
  };
};

/**
 * Runs work for each item, up to `concurrent` at a time. An item is taken only when its work can start, so a generator does not run ahead.
 * Rejects with the first failure.
 */
export const forEachConcurrently = async <T>(
  items: Iterable<T>,
  concurrent: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> => {
  const iterator = items[Symbol.iterator]();
  const remaining = { [Symbol.iterator]: () => iterator };
  const worker = async (): Promise<void> => {
    for (const item of remaining) await work(item);
  };
  await Promise.all(Array.from({ length: concurrent }, worker));
};
