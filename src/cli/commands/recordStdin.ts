import { fstatSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { isEntitled } from '../../domain/license/entitlements.ts';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { failed } from '../failure.ts';
import type { Profile } from '../home/profiles.ts';
import type { Input, Io } from '../io.ts';
import { openAppender } from '../recording/appender.ts';
import { type Drained, drainWithLock, openBackgroundUploader } from '../recording/backgroundUploader.ts';
import { openLineParser } from '../recording/call.ts';
import { addSource, type Delivery, type SentSource } from '../recording/delivery.ts';
import { openFallback } from '../recording/fallback.ts';
import { linesOf } from '../recording/lines.ts';
import { heldByQuota } from '../recording/quotaHold.ts';
import type { RetryLimits } from '../recording/retryPolicy.ts';
import { openUploader } from '../recording/uploader.ts';
import { openProgress } from '../terminal/progress.ts';
import { count, jsonLine, plain } from '../terminal/text.ts';
import { describeRejected, openCallSink, report } from './sending.ts';

/** With a `source`, calls are numbered by line, so that the server counts an input that is sent several times once. */
export type ManyCalls = Readonly<{ name: string; profile: Profile; source: string | null; limits: RetryLimits; send: boolean }>;

const ATTEMPTS = 5;
const FALLBACK_MS = 1_000;

/** The size of redirected input in bytes; null for a pipe or a terminal. */
const sizeOf = ({ fd }: Input): number | null => {
  try {
    const stat = fd === undefined ? null : fstatSync(fd);
    return stat?.isFile() && stat.size > 0 ? stat.size : null;
  } catch {
    return null;
  }
};

/** The chunks of standard input until its end or an interrupt. */
async function* chunksOf({ stdin, interrupted }: Io, onBytes: (bytes: number) => void): AsyncGenerator<unknown> {
  try {
    for await (const chunk of addAbortSignal(interrupted, stdin)) {
      onBytes(chunk.length);
      yield chunk;
    }
  } catch (error) {
    if (!interrupted.aborted) throw error;
  }
}

const totalOf = (deliveries: readonly Delivery[], key: 'accepted' | 'duplicates' | 'rejected'): number =>
  deliveries.reduce((total, { sent }) => total + sent[key], 0);

const sourcesOf = (deliveries: readonly Delivery[]): SentSource[] => {
  const sources: SentSource[] = [];
  for (const source of deliveries.flatMap(({ sent }) => sent.sources)) addSource(sources, source);
  return sources;
};

/** Records calls line by line from standard input: writes them to disk, and sends them concurrently with reading. */
export const recordStdin = async (context: Context, { name, profile, source, limits, send }: ManyCalls): Promise<ExitCode> => {
  const { io, output } = context;
  const spool = context.spoolOf(profile);
  // While all calls are sent, the command waits for its input.
  const progress = openProgress(io, output, () => (send && sentCalls() < parser.counts.calls ? profile.server : null));
  const size = sizeOf(io.stdin);
  const input = { bytes: 0, ended: false };
  const problems: Error[] = [];
  /** Calls by service that the license does not include. */
  const notIncluded = new Map<string, number>();

  const printEither = (json: unknown, text: string) => progress.print(output.json ? jsonLine(json).trimEnd() : text);
  const parser = openLineParser({
    now: io.now,
    byLine: source !== null,
    onCall: (service, at) => {
      if (isEntitled(profile.entitlements ?? null, service, new Date(at).toISOString())) return;
      notIncluded.set(service, (notIncluded.get(service) ?? 0) + 1);
    },
    onInvalid: (line, reason) => printEither({ line, reason }, `line ${line}: ${plain(reason)}`),
  });
  const sink = openCallSink({
    context,
    name,
    profile,
    spool,
    onRejected: (call) => printEither(call.run ? { line: call.sequence, reason: call.reason } : call, describeRejected(call)),
    onProgress: () => showProgress(),
  });
  const delivery = sink.deliver(limits, io.interrupted);
  const fallback = sink.deliver({ unansweredMs: FALLBACK_MS, busyMs: FALLBACK_MS }, io.interrupted);
  const total = (key: 'accepted' | 'duplicates' | 'rejected') => totalOf([delivery, fallback], key);
  const sentCalls = () => total('accepted') + total('duplicates') + total('rejected');
  const showProgress = () => {
    const sent = sentCalls();
    const whole = input.ended ? parser.counts.calls : size && (parser.counts.calls * size) / Math.max(1, input.bytes);
    const part = whole === null ? null : Math.min(1, (send ? sent : parser.counts.calls) / Math.max(1, whole));
    progress.show(parser.counts.calls, part, `${count(parser.counts.calls)} recorded, ${count(sent)} sent`);
  };

  const uploader = openUploader(spool, delivery);
  const background = openBackgroundUploader(spool, uploader, () => {});
  const appender = openAppender({
    open: (first) => (source === null ? spool.writer() : spool.runWriter(source, first)),
    fallback: openFallback(fallback, source),
    onProblem: (problem) => problems.push(problem),
    onSpooled: () => {
      if (send) background.request();
    },
    attempts: ATTEMPTS,
    pause: (ms) => sleep(ms),
  });

  const onBytes = (bytes: number) => {
    input.bytes += bytes;
  };
  for await (const lines of linesOf(chunksOf(io, onBytes))) {
    appender.add(parser.parse(lines));
    showProgress();
    await appender.waitForCapacity();
  }
  input.ended = !io.interrupted.aborted;
  await appender.settled();
  appender.close();

  const finish = async (): Promise<Drained> => {
    if (!send) return { failure: null, lockedByOther: false };
    const failure = await background.stop();
    const hold = spool.quota.read();
    if (hold !== null) return { failure: heldByQuota(hold), lockedByOther: false };
    return failure === null ? drainWithLock(spool, uploader, io.interrupted) : { failure, lockedByOther: false };
  };
  const drained = await finish();
  await sink.close();
  progress.end();
  const { spooled, sentDirectly, lost } = appender.counts();
  const cut = failed('interrupted', `Interrupted: the rest was not ${input.ended ? 'sent' : 'read'}`);
  return report(context, spool, {
    recorded: spooled + sentDirectly,
    accepted: total('accepted'),
    duplicates: total('duplicates'),
    rejected: total('rejected') + parser.counts.invalid,
    sources: sourcesOf([delivery, fallback]),
    notIncluded: [...notIncluded].map(([service, calls]) => ({ service, calls })),
    kept: sink.kept(),
    lost,
    problem: problems.at(-1) ?? null,
    failure: io.interrupted.aborted ? cut : drained.failure,
    lockedByOther: drained.lockedByOther,
  });
};
