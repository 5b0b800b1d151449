import { setTimeout as sleep } from 'node:timers/promises';

/** The timeout for opening a connection. */
export const CONNECT_MS = 10_000;
/** The limits of the delay between attempts. */
export const MIN_WAIT_MS = 250;
/** The longest pause between two attempts, in ms. */
export const MAX_WAIT_MS = 30_000;

/** Waits for `ms`; false if the signal aborts first. */
export const wait = async (ms: number, signal: AbortSignal): Promise<boolean> => {
  try {
    await sleep(Math.max(0, ms), undefined, { signal });
    return true;
  } catch {
    return false;
  }
};

export type Deadline = Readonly<{ signal: AbortSignal; clear: () => void }>;

/** A signal that aborts after `ms` or with `parent`. Its timer keeps the process alive until `clear`. */
export const deadlineIn = (ms: number, parent?: AbortSignal): Deadline => {
  const controller = new AbortController();
  const abort = () => controller.abort(parent?.reason);
  const timer = setTimeout(() => controller.abort(new DOMException('Timed out', 'TimeoutError')), ms);
  if (parent?.aborted) abort();
  else parent?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      parent?.removeEventListener('abort', abort);
    },
  };
};
