import type { Failure } from '../failure.ts';
import { backoff, wait } from '../waiting.ts';
import { TOUCH_EVERY_MS } from './lock.ts';
import { type Sender, spoolFailure } from './sender.ts';
import type { Spool } from './spool.ts';

/** The result of sending. `byAnother`: another process still held the lock when the wait ended. */
export type Drained = Readonly<{ failure: Failure | null; byAnother: boolean }>;

const TURN_MS = 100;
/** The retry interval after a rejection, which only a new sign-in or an administrator can resolve. */
const REFUSED_MS = 60_000;

const drainNow = async (spool: Spool, sender: Sender): Promise<Drained> => {
  try {
    const lock = spool.trySending();
    if (lock === null) return { failure: null, byAnother: true };
    const touching = setInterval(lock.touch, TOUCH_EVERY_MS).unref();
    try {
      return { failure: await sender.drain(), byAnother: false };
    } finally {
      clearInterval(touching);
      lock.release();
    }
  } catch (error) {
    return { failure: spoolFailure(error), byAnother: false };
  }
};

/** Sends the spooled calls. If another process is sending them, waits for it until the signal aborts. */
export const drainInTurn = async (spool: Spool, sender: Sender, signal: AbortSignal): Promise<Drained> => {
  for (;;) {
    const drained = await drainNow(spool, sender);
    if (!drained.byAnother || spool.isEmpty()) return drained;
    if (!(await wait(TURN_MS, signal))) return drained;
  }
};

export type Courier = Readonly<{
  /** Requests a send. Failures are retried later. */
  kick: () => void;
  /** Stops the background work after the current send, and resolves to the failure of that send, if any. */
  stop: () => Promise<Failure | null>;
}>;

/** Sends the spooled calls in the background. Its timers do not keep the process alive. */
export const openCourier = (spool: Spool, sender: Sender, onFailure: (failure: Failure) => void): Courier => {
  let running: Promise<void> | null = null;
  let resting: NodeJS.Timeout | null = null;
  let wanted = false;
  let stopped = false;
  let failures = 0;
  let last: Failure | null = null;

  const rest = (ms: number) => {
    resting = setTimeout(() => {
      resting = null;
      start();
    }, ms).unref();
  };
  const turn = async () => {
    wanted = false;
    const { failure, byAnother } = await drainNow(spool, sender);
    last = failure;
    if (stopped) return;
    if (byAnother) return rest(1_000);
    if (failure === null) {
      failures = 0;
      return;
    }
    onFailure(failure);
    const refused = failure.status !== null && !failure.passing;
    rest(failure.retryAfterMs ?? (refused ? REFUSED_MS : backoff(failures, 1_000)));
    failures++;
  };
  const start = () => {
    if (stopped || running !== null || resting !== null) return;
    running = turn().finally(() => {
      running = null;
      if (wanted) start();
    });
  };

  return {
    kick: () => {
      wanted = true;
      start();
    },
    stop: async () => {
      stopped = true;
      if (resting !== null) clearTimeout(resting);
      if (running === null) return null;
      await running;
      return last;
    },
  };
};
