/** Tools that are let in at once: the others leave the stores to everything else that is asked. */
const AT_ONCE = 64;
/** Tools give up when they are not welcomed within ten seconds; who would wait that long is told to come back. */
const WAITING = 2_000;

export type Doorway = Readonly<{
  /** Does it now or in turn. False when too many wait already: then it is not done. `entry` never fails. */
  enter: (entry: () => Promise<void>) => boolean;
}>;

/** Lets tools in so many at a time, in the order in which they came. */
export const createDoorway = ({ atOnce = AT_ONCE, waiting = WAITING } = {}): Doorway => {
  const queue = new Set<() => Promise<void>>();
  let entering = 0;

  const next = (): void => {
    for (const entry of queue) {
      if (entering >= atOnce) return;
      queue.delete(entry);
      entering += 1;
      void entry().finally(() => {
        entering -= 1;
        next();
      });
    }
  };

  return {
    enter: (entry) => {
      if (queue.size >= waiting) return false;
      queue.add(entry);
      next();
      return true;
    },
  };
};
