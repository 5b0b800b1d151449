import { backoffMs } from '../../flow/backoff.ts';
import type { Failure } from '../failure.ts';
import { MAX_WAIT_MS, wait } from '../waiting.ts';
import { TOUCH_EVERY_MS } from './lock.ts';
import { heldByQuota } from './quotaHold.ts';
import type { Spool } from './spool.ts';
import { spoolFailure, type Uploader } from './uploader.ts';

/** The result of sending. `lockedByOther`: another process still held the lock when the wait ended. */
export type Drained = Readonly<{ failure: Failure | null; lockedByOther: boolean }>;

const LOCK_POLL_MS = 100;
const BACKOFF = { firstMs: 1_000, mostMs: MAX_WAIT_MS } as const;
/** How often the hold of a quota is checked on disk: another process may learn that the quota was raised. */
const HOLD_CHECK_MS = 5_000;
/** The retry interval after a rejection, which only a new sign-in or an administrator can resolve. */
const REJECTED_RETRY_MS = 60_000;

const drainNow = async (spool: Spool, uploader: Uploader): Promise<Drained> => {
  try {
    const lock = spool.tryUploadLock();
    if (lock === null) return { failure: null, lockedByOther: true };
    const heartbeat = setInterval(lock.touch, TOUCH_EVERY_MS).unref();
    try {
      return { failure: await uploader.drain(), lockedByOther: false };
    } finally {
      clearInterval(heartbeat);
      lock.release();
    }
  } catch (error) {
    return { failure: spoolFailure(error), lockedByOther: false };
  }
};

/** Sends the spooled calls. If another process is sending them, waits for it until the signal aborts. */
export const drainWithLock = async (spool: Spool, uploader: Uploader, signal: AbortSignal): Promise<Drained> => {
  for (;;) {
    const drained = await drainNow(spool, uploader);
    if (!drained.lockedByOther || spool.isEmpty()) return drained;
    if (!(await wait(LOCK_POLL_MS, signal))) return drained;
  }
};

export type BackgroundUploader = Readonly<{
  /** Requests a send. Failures are retried later. */
  request: () => void;
  /** Stops the background work after the current send, and resolves to the failure of that send, if any. */
  stop: () => Promise<Failure | null>;
}>;

/** Sends the spooled calls in the background. Its timers do not keep the process alive. */
export const openBackgroundUploader = (
  spool: Spool,
  uploader: Uploader,
  onFailure: (failure: Failure) => void,
): BackgroundUploader => {
  let running: Promise<void> | null = null;
  let retryTimer: NodeJS.Timeout | null = null;
  let isRequested = false;
  let stopped = false;
  let failures = 0;
  let lastFailure: Failure | null = null;

  const retryIn = (ms: number) => {
    retryTimer = setTimeout(() => {
      retryTimer = null;
      start();
    }, ms).unref();
  };
  const runOnce = async () => {
    isRequested = false;
    const hold = spool.quota.read();
    if (hold !== null) {
      lastFailure = heldByQuota(hold);
      if (!stopped) onFailure(lastFailure);
      return retryIn(HOLD_CHECK_MS);
    }
    const { failure, lockedByOther } = await drainNow(spool, uploader);
    lastFailure = failure;
    if (stopped) return;
    if (lockedByOther) return retryIn(1_000);
    if (failure === null) {
      failures = 0;
      return;
    }
    onFailure(failure);
    const refused = failure.status !== null && !failure.passing;
    retryIn(failure.retryAfterMs ?? (refused ? REJECTED_RETRY_MS : backoffMs(failures, BACKOFF)));
    failures++;
  };
  const start = () => {
    if (stopped || running !== null || retryTimer !== null) return;
    running = runOnce().finally(() => {
      running = null;
      if (isRequested) start();
    });
  };

  return {
    request: () => {
      isRequested = true;
      start();
    },
    stop: async () => {
      stopped = true;
      if (retryTimer !== null) clearTimeout(retryTimer);
      if (running === null) return null;
      await running;
      return lastFailure;
    },
  };
};
