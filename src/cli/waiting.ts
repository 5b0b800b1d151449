import { setTimeout as sleep } from 'node:timers/promises';

/** How long a connection may take to be there. */
export const CONNECT_MS = 10_000;
/** Between these are the waits between attempts. */
export const SHORTEST_WAIT_MS = 250;
export const LONGEST_WAIT_MS = 30_000;

/** Between half and all of a wait that doubles with every attempt (0, 1, 2…), so that many clients do not come back at once. */
export const backoff = (attempt: number, firstMs = SHORTEST_WAIT_MS): number =>
  Math.min(LONGEST_WAIT_MS, firstMs * 2 ** Math.min(attempt, 20)) * (0.5 + Math.random() / 2);

/** Waits; false when the signal ended the wait. */
export const wait = async (ms: number, signal: AbortSignal): Promise<boolean> => {
  try {
    await sleep(Math.max(0, ms), undefined, { signal });
    return true;
  } catch {
    return false;
  }
};

export type Deadline = Readonly<{ signal: AbortSignal; clear: () => void }>;

/** A signal that aborts after so long, or with another one. It keeps the process alive until it is cleared. */
export const deadlineIn = (ms: number, parent?: AbortSignal): Deadline => {
  const controller = new AbortController();
  const give = () => controller.abort(parent?.reason);
  const timer = setTimeout(() => controller.abort(new DOMException('Timed out', 'TimeoutError')), ms);
  if (parent?.aborted) give();
  else parent?.addEventListener('abort', give);
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      parent?.removeEventListener('abort', give);
    },
  };
};
