import type { Answer, Failure } from '../failure.ts';
import { LONGEST_WAIT_MS, SHORTEST_WAIT_MS, wait } from '../waiting.ts';

/** Time limits in ms for retries since the last success: without a response, and with a server that asks to wait. */
export type PatienceLimits = Readonly<{ silentMs: number; busyMs: number }>;

export type Patience = Readonly<{
  /** Retries a request after transient failures until its time limit, and resolves to the last answer. */
  ask: <Value>(request: () => Promise<Answer<Value>>) => Promise<Answer<Value>>;
}>;

/** The delay in ms before the next attempt; null if the time limit does not allow one. Without `Retry-After`, delays increase. */
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

/** A retry policy for concurrent requests: if one has to wait, all of them wait, and each success restarts the time limits. */
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
