/** Handshakes that run concurrently; more would slow down the stores for all other requests. */
const CONCURRENT = 64;
/** Handshakes in the queue. Tools give up after ten seconds, so a tool that would wait longer is asked to retry. */
const QUEUED = 2_000;

export type ConnectionLimiter = Readonly<{
  /** Runs a handshake now or queues it; false if the queue is full. `handshake` never rejects. */
  admit: (handshake: () => Promise<void>) => boolean;
}>;

/** Limits how many handshakes run concurrently, first come, first served. */
export const createConnectionLimiter = ({ concurrent = CONCURRENT, queued = QUEUED } = {}): ConnectionLimiter => {
  const queue = new Set<() => Promise<void>>();
  let running = 0;

  const next = (): void => {
    for (const handshake of queue) {
      if (running >= concurrent) return;
      queue.delete(handshake);
      running += 1;
      void handshake().finally(() => {
        running -= 1;
        next();
      });
    }
  };

  return {
    admit: (handshake) => {
      if (queue.size >= queued) return false;
      queue.add(handshake);
      next();
      return true;
    },
  };
};
