type Waiting = Readonly<{ resolve: () => void; reject: (error: unknown) => void }>;

/** Waits for due notes. */
export type DueWatch = Readonly<{
  /** Resolves when the policy has due notes, or when `signal` aborts. Rejects if they cannot be read. One call at a time for a policy. */
  next: (policy: string, signal: AbortSignal) => Promise<void>;
}>;

/**
 * Asks every `everyMs` ms which of the policies that wait have due notes: one query for all of them, since most of the time none has.
 */
export const createDueWatch = ({
  withDueNotes,
  everyMs,
}: {
  withDueNotes: (policies: readonly string[]) => Promise<readonly string[]>;
  everyMs: number;
}): DueWatch => {
  const waiting = new Map<string, Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;

  const ask = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    const asked = [...waiting];
    try {
      for (const policy of await withDueNotes(asked.map(([policy]) => policy))) waiting.get(policy)?.resolve();
    } catch (error) {
      for (const [, { reject }] of asked) reject(error);
    }
    isAsking = false;
  };

  return {
    next: async (policy, signal) => {
      if (signal.aborted) return;
      let stop = (): void => undefined;
      try {
        await new Promise<void>((resolve, reject) => {
          stop = resolve;
          signal.addEventListener('abort', stop);
          waiting.set(policy, { resolve, reject });
          timer ??= setInterval(() => void ask(), everyMs);
        });
      } finally {
        signal.removeEventListener('abort', stop);
        waiting.delete(policy);
        if (waiting.size === 0) {
          clearInterval(timer);
          timer = undefined;
        }
      }
    },
  };
};
