import type { Failure } from '../failure.ts';
import { backoff, wait } from '../waiting.ts';
import { TOUCH_EVERY_MS } from './lock.ts';
import { type Sender, spoolFailure } from './sender.ts';
import type { Spool } from './spool.ts';

/** How sending ended. `byAnother`: another process had the right to send and was not waited for any longer. */
export type Drained = Readonly<{ failure: Failure | null; byAnother: boolean }>;

const TURN_MS = 100;
/** What the server refuses it will refuse for a while: somebody has to sign in again or to be let in again. */
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

/** Sends what is spooled; while another process does, waits for it until the signal aborts. */
export const drainInTurn = async (spool: Spool, sender: Sender, signal: AbortSignal): Promise<Drained> => {
  for (;;) {
    const drained = await drainNow(spool, sender);
    if (!drained.byAnother || spool.isEmpty()) return drained;
    if (!(await wait(TURN_MS, signal))) return drained;
  }
};

export type Courier = Readonly<{
  /** There is something to send: soon, and again later if it does not succeed. */
  kick: () => void;
  /** Ends the work in the background, waiting for what is on its way, and says why that failed if it did. */
  stop: () => Promise<Failure | null>;
}>;

/** Sends in the background. Its timers do not keep a process alive. */
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
