import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for due notes. */
export type DueWatch = Readonly<{
  /** Resolves when the policy may have due notes, or when `signal` aborts. One call at a time for a policy. */
  next: (policy: string, signal: AbortSignal) => Promise<void>;
}>;

/** A query without a reply for so long is on a dead connection. */
const TIMEOUT_MS = 10_000;

/**
 * Asks every `everyMs` ms which of the policies that wait have due notes: one query for all of them, since most of the time none has.
 * If the query fails, or has no reply after `timeoutMs`, each policy looks for itself and reports its own failure.
 */
export const createDueWatch = ({
  policiesWithDueNotes,
  everyMs,
  timeoutMs = TIMEOUT_MS,
}: {
  policiesWithDueNotes: (policies: readonly string[]) => Promise<readonly string[]>;
  everyMs: number;
  timeoutMs?: number;
}): DueWatch => {
  const waiting = new Map<string, () => void>();
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;

  const ask = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    const asked = [...waiting.keys()];
    const answer = policiesWithDueNotes(asked).catch(() => asked);
    for (const policy of await Promise.race([answer, sleep(timeoutMs, asked, { ref: false })])) waiting.get(policy)?.();
    isAsking = false;
  };

  return {
    next: async (policy, signal) => {
      if (signal.aborted) return;
      let stop = (): void => undefined;
      await new Promise<void>((resolve) => {
        stop = resolve;
        signal.addEventListener('abort', stop);
        waiting.set(policy, stop);
        timer ??= setInterval(() => void ask(), everyMs);
      });
      signal.removeEventListener('abort', stop);
      waiting.delete(policy);
      if (waiting.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
};
