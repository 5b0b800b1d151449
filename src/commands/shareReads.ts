/**
 * A read that serves all who ask for the same name before it begins: while one is under way, whoever asks waits for the next one,
 * which all of them share. So nobody gets what was read before they asked, and any number of them cost two reads.
 */
export const shareReads = <Name, T>(read: (name: Name) => Promise<T>): ((name: Name) => Promise<T>) => {
  const underWay = new Map<Name, Promise<T>>();
  const next = new Map<Name, Promise<T>>();

  const begin = (name: Name): Promise<T> => {
    const reading = read(name);
    underWay.set(name, reading);
    const end = (): void => {
      if (underWay.get(name) === reading) underWay.delete(name);
    };
    reading.then(end, end);
    return reading;
  };

  return (name) => {
    const running = underWay.get(name);
    if (!running) return begin(name);
    const waiting = next.get(name);
    if (waiting) return waiting;
    const start = (): Promise<T> => {
      next.delete(name);
      return begin(name);
    };
    const queued = running.then(start, start);
    next.set(name, queued);
    return queued;
  };
};
