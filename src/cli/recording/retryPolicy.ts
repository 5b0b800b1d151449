import { withJitter } from '../../flow/backoff.ts';
import type { Answer, Failure } from '../failure.ts';
import { deadlineIn, MAX_WAIT_MS, MIN_WAIT_MS, wait } from '../waiting.ts';

/** Time limits in ms for retries since the last success: without a response, and with a server that asks to wait. */
export type RetryLimits = Readonly<{
  unansweredMs: number;
  busyMs: number;
  /** The time limit in ms since the last success that also ends requests in flight; absent for none. */
  requestsMs?: number;
}>;

export type RetryPolicy = Readonly<{
  /** Retries a request after transient failures until its time limit, and resolves to the last answer. */
  run: <Value>(request: (signal: AbortSignal) => Promise<Answer<Value>>) => Promise<Answer<Value>>;
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
  const { requestsMs } = limits;

  const withinLimit = async <Value>(request: (signal: AbortSignal) => Promise<Answer<Value>>): Promise<Answer<Value>> => {
    if (requestsMs === undefined) return request(signal);
    const deadline = deadlineIn(lastSuccess + requestsMs - performance.now(), signal);
    return request(deadline.signal).finally(deadline.clear);
  };
  return {
    run: async <Value>(request: (signal: AbortSignal) => Promise<Answer<Value>>) => {
      let replied: Answer<Value> | null = null;
      for (;;) {
        await wait(pausedUntil - performance.now(), signal);
        const answer = await withinLimit(request);
        if (answer.ok) lastSuccess = performance.now();
        if (answer.ok || !answer.failure.passing || signal.aborted) return answer;
        if (answer.failure.status !== null) replied = answer;
        const now = performance.now();
        const pause = delayAfter(answer.failure, limits, now - lastSuccess);
        // What the server replied says more than that the last attempt had no time left.
        if (pause === null) return replied ?? answer;
        pausedUntil = Math.max(pausedUntil, now + pause);
        if (!(await wait(pausedUntil - now, signal))) return answer;
      }
    },
  };
};
