import type { Answer, Failure } from '../failure.ts';
import { LONGEST_WAIT_MS, SHORTEST_WAIT_MS, wait } from '../waiting.ts';

/** How long to go on without a single success, in milliseconds: when nothing answers, and when the server asks to wait. */
export type PatienceLimits = Readonly<{ silentMs: number; busyMs: number }>;

export type Patience = Readonly<{
  /** Tries until there is an answer other than a passing failure, or the patience is over. */
  ask: <Value>(request: () => Promise<Answer<Value>>) => Promise<Answer<Value>>;
}>;

/** How long to wait after a failure; null when that is not worth it any more. Without a word of the server the waits grow. */
const waitAfter = (
  { status, retryAfterMs }: Failure,
  { silentMs, busyMs }: PatienceLimits,
  sinceSuccessMs: number,
): number | null => {
  const left = (status === null ? silentMs : busyMs) - sinceSuccessMs;
  if (retryAfterMs !== null) return retryAfterMs <= left ? retryAfterMs : null;
  if (left <= 0) return null;
  const usual = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, sinceSuccessMs)) * (0.5 + Math.random() / 2);
  return Math.min(usual, left);
};

/** Requests share it: when the server asks one to wait, all of them do, and the success of one gives all of them time. */
export const openPatience = (limits: PatienceLimits, signal: AbortSignal): Patience => {
  let quietUntil = 0;
  let lastSuccess = performance.now();
  return {
    ask: async (request) => {
      for (;;) {
        await wait(quietUntil - performance.now(), signal);
        const answer = await request();
        if (answer.ok) lastSuccess = performance.now();
        if (answer.ok || !answer.failure.passing || signal.aborted) return answer;
        const now = performance.now();
        const pause = waitAfter(answer.failure, limits, now - lastSuccess);
        if (pause === null) return answer;
        quietUntil = Math.max(quietUntil, now + pause);
        if (!(await wait(quietUntil - now, signal))) return answer;
      }
    },
  };
};
