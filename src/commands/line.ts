/** Runs what is asked for under one name one after the other, and what has other names at the same time. */
export const createLine = (): (<T>(name: string, work: () => Promise<T>) => Promise<T>) => {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const before = last.get(name) ?? Promise.resolve();
    const mine = before.then(work);
    const done = mine.catch(() => undefined);
    last.set(name, done);
    void done.then(() => {
      if (last.get(name) === done) last.delete(name);
    });
    return mine;
  };
};
