import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { unreachable } from '../failure.ts';
import type { Profile } from '../home/profiles.ts';
import { openAppender } from '../recording/appender.ts';
import { type Drained, drainWithLock } from '../recording/backgroundUploader.ts';
import { openFallback } from '../recording/fallback.ts';
import { heldByQuota } from '../recording/quotaHold.ts';
import { openUploader } from '../recording/uploader.ts';
import { duration } from '../terminal/text.ts';
import { deadlineIn } from '../waiting.ts';
import { describeRejected, openCallSink, report } from './sending.ts';

/** After a failure that took this long, sending pauses, so that a script with many `record` commands is not slowed down. */
const SLOW_MS = 1_000;
const PAUSE_MS = 5_000;

export type OneCall = Readonly<{ name: string; profile: Profile; line: string; timeoutMs: number; send: boolean }>;

/** Records one call: writes it to disk, then sends all spooled calls within `timeoutMs`. */
export const recordOne = async (context: Context, { name, profile, line, timeoutMs, send }: OneCall): Promise<ExitCode> => {
  const { io, output } = context;
  const spool = context.spoolOf(profile);
  const sink = openCallSink({ context, name, profile, spool, onRejected: (call) => output.note(describeRejected(call)) });
  const { signal, clear } = deadlineIn(timeoutMs, io.interrupted);
  // No retries: unsent calls stay on disk for the next command instead of delaying the caller.
  const delivery = sink.deliver({ unansweredMs: 0, busyMs: 0 }, signal);
  let problem: Error | null = null;
  const appender = openAppender({
    open: () => spool.writer(),
    fallback: openFallback(delivery),
    onProblem: (error) => {
      problem = error;
    },
    attempts: 1,
    pause: sleep,
  });
  appender.add([line]);
  await appender.settled();
  appender.close();

  const drain = async (): Promise<Drained> => {
    if (!send) return { failure: null, lockedByOther: false };
    const pausedMs = spool.pausedUntil() - io.now();
    if (pausedMs > 0) {
      const failure = unreachable('held', `${profile.server} did not reply recently. The next attempt is in ${duration(pausedMs)}`);
      return { failure, lockedByOther: false };
    }
    const hold = spool.quota.read();
    if (hold !== null) return { failure: heldByQuota(hold), lockedByOther: false };
    const startedAt = performance.now();
    const drained = await drainWithLock(spool, openUploader(spool, delivery), signal);
    const { failure } = drained;
    const slow = failure?.code === 'timeout' || performance.now() - startedAt > SLOW_MS;
    if (failure?.passing && (slow || failure.retryAfterMs !== null)) spool.pause(failure.retryAfterMs ?? PAUSE_MS);
    return drained;
  };
  const drained = await context.waitFor(profile.server, drain());
  clear();
  await sink.close();
  const { spooled, sentDirectly, lost } = appender.counts();
  return report(context, spool, {
    recorded: spooled + sentDirectly,
    ...delivery.sent,
    kept: sink.kept(),
    lost,
    problem,
    ...drained,
  });
};
