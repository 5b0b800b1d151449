/** Returns a function that runs at most `limit` tasks at a time. The others wait in order, without a timeout. */
export const limited = (limit: number): (<Result>(task: () => Promise<Result>) => Promise<Result>) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running < limit) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
};
