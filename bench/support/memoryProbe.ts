/** Preloaded with `--import` into a measured process: reports its memory after a full garbage collection on request. */

export type Memory = { resident: number; heap: number; external: number };

const PASSES = 4;

const collect = (): void => {
  if (typeof gc !== 'function') throw new Error('Start with --expose-gc');
  for (let pass = 0; pass < PASSES; pass++) gc();
};

process.on('message', (message) => {
  if (message !== 'memory') return;
  collect();
  setImmediate(() => {
    collect();
    const { rss, heapUsed, external } = process.memoryUsage();
    process.send?.({ resident: rss, heap: heapUsed, external } satisfies Memory);
  });
});
process.channel?.unref();
