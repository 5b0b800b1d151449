/** Work that is done a few at a time, while sources take turns. */
type Turns = Readonly<{
  run: <T>(source: string, work: () => Promise<T>) => Promise<T>;
  /** Work that waits for its turn. */
  waiting: () => number;
}>;

type Waiting = { start: () => void; reject: () => void };

/**
 * A bounded queue in which sources take turns: one that waits with one request is next after at most one request of each other source.
 * Where the queue is full, the source with the most requests loses its newest to one with fewer.
 */
const createFairQueue = (capacity: number) => {
  const sources = new Map<string, Waiting[]>();
  let size = 0;

  const longest = (): [source: string, queue: Waiting[]] | undefined => {
    let found: [string, Waiting[]] | undefined;
    for (const entry of sources) if (!found || entry[1].length > found[1].length) found = entry;
    return found;
  };

  const makeSpace = (own: number): boolean => {
    const [source, queue] = longest() ?? [];
    if (source === undefined || !queue || queue.length <= own + 1) return false;
    queue.pop()?.reject();
    size -= 1;
    return true;
  };

  return {
    size: () => size,
    /** False when there is no space for it. */
    add: (source: string, waiting: Waiting): boolean => {
      const queue = sources.get(source) ?? [];
      if (size >= capacity && !makeSpace(queue.length)) return false;
      queue.push(waiting);
      size += 1;
      if (queue.length === 1) sources.set(source, queue);
      return true;
    },
    /** Takes out one that has not started. */
    remove: (source: string, waiting: Waiting): void => {
      const queue = sources.get(source);
      const index = queue?.indexOf(waiting) ?? -1;
      if (!queue || index === -1) return;
      queue.splice(index, 1);
      size -= 1;
      if (queue.length === 0) sources.delete(source);
    },
    next: (): Waiting | undefined => {
      const [source, queue] = sources.entries().next().value ?? [];
      if (source === undefined || !queue) return undefined;
      const waiting = queue.shift();
      size -= 1;
      sources.delete(source);
      if (queue.length > 0) sources.set(source, queue); // behind the others
      return waiting;
    },
  };
};

/** `atOnce` at a time and `maxWaiting` queued, for `longestMs` at most; the rest is rejected with the error of `busy`. */
export const createTurns = ({
  concurrent,
  maxWaiting,
  longestMs,
  busy,
}: {
  concurrent: number;
  maxWaiting: number;
  longestMs?: number;
  busy: () => Error;
}): Turns => {
  const queue = createFairQueue(maxWaiting);
  let running = 0;

  const turn = async (source: string): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((start, reject) => {
      const waiting = { start, reject: () => reject(busy()) };
      if (!queue.add(source, waiting)) return waiting.reject();
      if (longestMs === undefined) return;
      timer = setTimeout(() => {
        queue.remove(source, waiting);
        waiting.reject();
      }, longestMs);
    }).finally(() => clearTimeout(timer));
  };

  return {
    run: async (source, work) => {
      if (running >= concurrent) await turn(source);
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
