import { setTimeout as sleep } from 'node:timers/promises';

/** What `look` gives once it is there; it is asked again until then. Throws what it last threw, or says what it last gave. */
export const eventually = async <T>(look: () => Promise<T> | T, isThere: (value: T) => boolean, withinMs = 30_000): Promise<T> => {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await look();
    if (isThere(value)) return value;
    if (performance.now() > deadline) throw new Error(`Still not so: ${JSON.stringify(value)}`);
    await sleep(10);
  }
};

/** Resolves once it holds. Throws when it does not in time, so that a test that waits in vain says for what. */
export const until = async (holds: () => Promise<boolean> | boolean, withinMs = 50_000): Promise<void> => {
  await eventually(holds, (isSo) => isSo, withinMs);
};
