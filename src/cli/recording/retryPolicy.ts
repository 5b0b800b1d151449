import { withJitter } from '../../flow/backoff.ts';
import type { Answer, Failure } from '../failure.ts';
import { MAX_WAIT_MS, MIN_WAIT_MS, wait } from '../waiting.ts';

/** Time limits in ms for retries since the last success: without a response, and with a server that asks to wait. */
export type RetryLimits = Readonly<{ unansweredMs: number; busyMs: number }>;

export type RetryPolicy = Readonly<{
  /** Retries a request after transient failures until its time limit, and resolves to the last answer. */
  run: <Value>(request: () => Promise<Answer<Value>>) => Promise<Answer<Value>>;
}>;

/** The delay in ms before the next attempt; null if the time limit does not allow one. Without `Retry-After`, delays increase. */
const delayAfter = (
  { status, retryAfterMs }: Failure,
  { unansweredMs, busyMs }: RetryLimits,
  sinceSuccessMs: number,
): number | null => {
  const remaining = (status === null ? unansweredMs : busyMs) - sinceSuccessMs;
  if (retryAfterMs !== null) return retryAfterMs <= remaining ? retryAfterMs : null;
  if (remaining <= 0) return null;
  const delay = withJitter(Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, sinceSuccessMs)));
  return Math.min(delay, remaining);
};

/** A retry policy for concurrent requests: if one has to wait, all of them wait, and each success restarts the time limits. */
export const openRetryPolicy = (limits: RetryLimits, signal: AbortSignal): RetryPolicy => {
  let pausedUntil = 0;
  let lastSuccess = performance.now();
  return {
    run: async (request) => {
      for (;;) {
        await wait(pausedUntil - performance.now(), signal);
        const answer = await request();
        if (answer.ok) lastSuccess = performance.now();
        if (answer.ok || !answer.failure.passing || signal.aborted) return answer;
        const now = performance.now();
        const pause = delayAfter(answer.failure, limits, now - lastSuccess);
        if (pause === null) return answer;
        pausedUntil = Math.max(pausedUntil, now + pause);
        if (!(await wait(pausedUntil - now, signal))) return answer;
      }
    },
  };
};
