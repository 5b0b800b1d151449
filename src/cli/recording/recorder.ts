import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiCall } from '../../contracts/apiCalls.ts';
import type { Env } from '../env.ts';
import { systemClock } from '../io.ts';
import { deadlineIn } from '../waiting.ts';
import { openAccount } from './account.ts';
import { openAppender } from './appender.ts';
import { type BackgroundUploader, drainWithLock, openBackgroundUploader } from './backgroundUploader.ts';
import { checkCall } from './call.ts';
import { openDelivery } from './delivery.ts';
import { openFallback } from './fallback.ts';
import type { Spool } from './spool.ts';
import { openUploader, type Uploader } from './uploader.ts';

export type { ApiCall };

export type RecorderProblem = Readonly<{ code: string; message: string }>;

export type RecorderOptions = Readonly<{
  /** A profile of `latchkey login`; by default the profile that the command uses. */
  profile?: string;
  /** Environment variables for the location of the files and the proxy, as for the command; by default those of the process. */
  env?: Env;
  cwd?: string;
  /** Called once when a problem begins. The recorder continues and retries. */
  onProblem?: (problem: RecorderProblem) => void;
  /** The maximum number of calls in memory while neither the disk nor the server accepts them. Further calls are dropped. */
  maxWaiting?: number;
  /** The maximum time in ms that a call waits for others before it is written to disk. */
  lingerMs?: number;
  /** The maximum time in ms that calls on disk wait for others before they are sent. */
  sendEveryMs?: number;
}>;

export type RecorderCounts = Readonly<{
  /** On disk, or acknowledged by the server. */
  recorded: number;
  accepted: number;
  duplicates: number;
  rejected: number;
  /** Not valid by the server's rules. */
  invalid: number;
  /** Dropped, because the memory was full or the recorder was closed. */
  dropped: number;
  /** In memory. */
  waiting: number;
  /** On disk and not sent, including those of other processes. */
  spooled: number;
}>;

export type Recorder = Readonly<{
  /** Records a call; false if it is not valid or was dropped. Neither blocks nor throws. */
  record: (call: ApiCall) => boolean;
  counts: () => RecorderCounts;
  /** Writes and sends all calls, for at most `deadlineMs` (default 5,000). Calls that are not sent by then are sent later. */
  flush: (limit?: Readonly<{ deadlineMs?: number }>) => Promise<RecorderCounts>;
  /** Flushes and closes. Later calls are dropped. Calls that are not sent stay on disk for the next process. */
  close: (limit?: Readonly<{ deadlineMs?: number }>) => Promise<RecorderCounts>;
}>;

type Uploading = Readonly<{ spool: Spool; uploader: Uploader; background: BackgroundUploader }>;

const DEADLINE_MS = 5_000;
/** How long `close` waits for the disk after its deadline. What is not written by then is written in the background, or at the exit. */
const CLOSE_MS = 5_000;
/** Limits the memory independent of the number of calls. */
const MAX_WAITING_CHARACTERS = 32 * 1024 * 1024;

/**
 * Records API calls from a program, with the profile and the spool of the `latchkey` command. It never blocks the program and
 * never throws, and its timers do not keep the process alive. An exit of the process writes the calls in memory to disk; a call
 * is only lost if the process is killed within `lingerMs`.
 */
export const createRecorder = (options: RecorderOptions = {}): Recorder => {
  const { env = process.env, cwd = process.cwd(), maxWaiting = 100_000, lingerMs = 50, sendEveryMs = 1_000 } = options;
  const lifetime = new AbortController();
  const account = openAccount({ profile: options.profile, env, cwd, signal: lifetime.signal });
  const state = { invalid: 0, dropped: 0, closed: false, isReleased: false };
  let lastProblem: string | null = null;
  let uploading: Uploading | null = null;
  let sendTimer: NodeJS.Timeout | null = null;

  const notify = (code: string, message: string): void => {
    if (lastProblem === code) return;
    lastProblem = code;
    try {
      options.onProblem?.({ code, message });
    } catch {
      // An error of the program's handler must not stop the recorder.
    }
  };

  const delivery = openDelivery({
    post: account.post,
    retries: { unansweredMs: 2_000, busyMs: 10_000 },
    signal: lifetime.signal,
    keepRejected: (calls) => {
      const spool = account.spool();
      if (spool.ok) spool.value.keepRejected(calls);
      for (const { reason } of calls) notify('call_rejected', reason);
    },
    onProgress: () => {
      lastProblem = null;
    },
  });

  /** Throws without a profile. Calls then wait in memory. */
  const open = (): Uploading => {
    if (uploading === null) {
      const found = account.spool();
      if (!found.ok) throw new Error(found.failure.message);
      const uploader = openUploader(found.value, delivery);
      const background = openBackgroundUploader(found.value, uploader, ({ code, message }) => notify(code, message));
      uploading = { spool: found.value, uploader, background };
      background.request(); // sends the calls of earlier processes
    }
    return uploading;
  };

  const appender = openAppender({
    open: () => open().spool.writer(),
    fallback: async (first, lines) => uploading !== null && fallback(first, lines),
    onProblem: ({ message }) => notify('spool_failed', message),
    onSpooled: () => {
      sendTimer ??= setTimeout(() => {
        sendTimer = null;
        uploading?.background.request();
      }, sendEveryMs).unref();
    },
    attempts: Number.POSITIVE_INFINITY,
    pause: (ms) => sleep(ms, undefined, { ref: false }),
    lingerMs,
  });
  const fallback = openFallback(delivery);
  const atExit = () => appender.flushSync();
  process.on('exit', atExit);

  const pending = (): number => {
    try {
      return uploading?.spool.pending() ?? 0;
    } catch {
      return 0; // the writer reports errors of the disk
    }
  };
  const counts = (): RecorderCounts => {
    const { spooled, sentDirectly, lost } = appender.counts();
    const { invalid, dropped } = state;
    return {
      recorded: spooled + sentDirectly,
      ...delivery.sent,
      invalid,
      dropped: dropped + lost,
      waiting: state.isReleased ? 0 : appender.waiting(),
      spooled: pending(),
    };
  };

  const flushUntil = async (deadline: AbortSignal): Promise<void> => {
    const timedOut = new Promise<void>((resolve) => deadline.addEventListener('abort', () => resolve()));
    await Promise.race([appender.settled(), timedOut]);
    if (uploading === null || deadline.aborted) return;
    const drained = drainWithLock(uploading.spool, uploading.uploader, deadline).then(({ failure }) => {
      if (failure !== null) notify(failure.code, failure.message);
    });
    await Promise.race([drained, timedOut]);
  };
  /** This timer keeps the process alive, because the caller awaits the flush. */
  const flushWithin = async (ms: number): Promise<void> => {
    const { signal, clear } = deadlineIn(ms);
    await flushUntil(signal);
    clear();
  };

  return {
    record: (call) => {
      try {
        const isFull = appender.waiting() >= maxWaiting || appender.waitingLength() >= MAX_WAITING_CHARACTERS;
        if (state.closed || isFull) {
          state.dropped++;
          notify(
            'call_dropped',
            state.closed
              ? 'The recorder is closed'
              : `The write buffer is full: ${appender.waiting()} calls are waiting for the disk`,
          );
          return false;
        }
        const checked = checkCall(call, systemClock());
        if (checked.ok) appender.add([checked.line]);
        else {
          state.invalid++;
          notify('call_invalid', checked.reason);
        }
        return checked.ok;
      } catch (error) {
        state.invalid++;
        notify('call_invalid', String(error));
        return false;
      }
    },
    counts,
    flush: async ({ deadlineMs = DEADLINE_MS } = {}) => {
      await flushWithin(deadlineMs);
      return counts();
    },
    close: async ({ deadlineMs = DEADLINE_MS } = {}) => {
      if (!state.closed) {
        state.closed = true;
        if (sendTimer !== null) clearTimeout(sendTimer);
        await flushWithin(deadlineMs);
        lifetime.abort();
        await uploading?.background.stop();
        if (await appender.closeWithin(CLOSE_MS)) {
          state.dropped += appender.waiting();
          state.isReleased = true;
          process.off('exit', atExit);
        }
        await account.close();
      }
      return counts();
    },
  };
};
