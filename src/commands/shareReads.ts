/**
 * Coalesces concurrent reads of one name: calls during a read wait for the next one and share it. A caller never gets a result that was
 * read before its call, and any number of concurrent calls cost two reads.
 */
export const shareReads = <Name, T>(read: (name: Name) => Promise<T>): ((name: Name) => Promise<T>) => {
  const running = new Map<Name, Promise<T>>();
  const queued = new Map<Name, Promise<T>>();

  const begin = (name: Name): Promise<T> => {
    const reading = read(name);
    running.set(name, reading);
    const end = (): void => {
      if (running.get(name) === reading) running.delete(name);
    };
    reading.then(end, end);
    return reading;
  };

  return (name) => {
    const current = running.get(name);
    if (!current) return begin(name);
    const waiting = queued.get(name);
    if (waiting) return waiting;
    const start = (): Promise<T> => {
      queued.delete(name);
      return begin(name);
    };
    const next = current.then(start, start);
    queued.set(name, next);
    return next;
  };
};
