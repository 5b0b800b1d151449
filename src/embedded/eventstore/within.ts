import { setTimeout as delay } from 'node:timers/promises';

/** Resolves when the work has ended, with or without success, or after the timeout. */
export const within = async (timeoutMs: number, work: Promise<unknown>): Promise<void> => {
  const timer = new AbortController();
  const timeout = delay(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), timeout]);
  timer.abort();
};
