/** Preloaded by `--import` into a process under measurement: tells, when it is asked, what it holds after everything unused is gone. */

export type Held = { resident: number; heap: number; external: number };

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
    process.send?.({ resident: rss, heap: heapUsed, external } satisfies Held);
  });
});
process.channel?.unref();
