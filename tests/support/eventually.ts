import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats `look` until its result is as expected. Throws with the last result after `withinMs`. */
export const eventually = async <T>(look: () => Promise<T> | T, isThere: (value: T) => boolean, withinMs = 60_000): Promise<T> => {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await look();
    if (isThere(value)) return value;
    if (performance.now() > deadline) throw new Error(`Not as expected in time: ${JSON.stringify(value)}`);
    await sleep(10);
  }
};

/** Resolves once the condition is true. Throws after `withinMs`, so that the failed test names the condition. */
export const until = async (holds: () => Promise<boolean> | boolean, withinMs = 60_000): Promise<void> => {
  await eventually(holds, (isSo) => isSo, withinMs);
};
