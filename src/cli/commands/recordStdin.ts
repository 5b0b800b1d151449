import { fstatSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { failed } from '../failure.ts';
import type { Profile } from '../home/profiles.ts';
import type { Input, Io } from '../io.ts';
import { openAppender } from '../recording/appender.ts';
import { type Drained, drainInTurn, openCourier } from '../recording/courier.ts';
import type { Delivery } from '../recording/delivery.ts';
import { openDetour } from '../recording/detour.ts';
import { openIntake } from '../recording/intake.ts';
import { linesOf } from '../recording/lines.ts';
import { openSender } from '../recording/sender.ts';
import { openProgress } from '../terminal/progress.ts';
import { count, jsonLine, plain } from '../terminal/text.ts';
import { BUSY_MS, describeRejected, openOutlet, report } from './sending.ts';

/** With a `source`, calls are numbered by line, so that the server counts an input that is sent several times once. */
export type ManyCalls = Readonly<{ name: string; profile: Profile; source: string | null; timeoutMs: number; send: boolean }>;

const ATTEMPTS = 5;
const DETOUR_MS = 1_000;

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

const totalOf = (deliveries: readonly Delivery[], key: keyof Delivery['sent']): number =>
  deliveries.reduce((total, { sent }) => total + sent[key], 0);

/** Records calls line by line from standard input: writes them to disk, and sends them concurrently with reading. */
export const recordStdin = async (context: Context, { name, profile, source, timeoutMs, send }: ManyCalls): Promise<ExitCode> => {
  const { io, output } = context;
  const spool = context.spoolOf(profile);
  const progress = openProgress(io, output, send ? profile.server : null);
  const size = sizeOf(io.stdin);
  const seen = { bytes: 0, ended: false };
  const problems: Error[] = [];

  const tell = (json: unknown, text: string) => progress.say(output.json ? jsonLine(json).trimEnd() : text);
  const intake = openIntake({
    now: io.now,
    byLine: source !== null,
    onInvalid: (line, reason) => tell({ line, reason }, `line ${line}: ${plain(reason)}`),
  });
  const outlet = openOutlet({
    context,
    name,
    profile,
    spool,
    onRejected: (call) => tell(call.run ? { line: call.sequence, reason: call.reason } : call, describeRejected(call)),
    onProgress: () => showProgress(),
  });
  const delivery = outlet.deliver({ silentMs: timeoutMs, busyMs: BUSY_MS }, io.interrupted);
  const detour = outlet.deliver({ silentMs: DETOUR_MS, busyMs: DETOUR_MS }, io.interrupted);
  const total = (key: keyof Delivery['sent']) => totalOf([delivery, detour], key);
  const showProgress = () => {
    const sent = total('accepted') + total('duplicates') + total('rejected');
    const whole = seen.ended ? intake.counts.calls : size && (intake.counts.calls * size) / Math.max(1, seen.bytes);
    const part = whole === null ? null : Math.min(1, (send ? sent : intake.counts.calls) / Math.max(1, whole));
    progress.show(intake.counts.calls, part, `${count(intake.counts.calls)} recorded, ${count(sent)} sent`);
  };

  const sender = openSender(spool, delivery);
  const courier = openCourier(spool, sender, () => {});
  const appender = openAppender({
    open: (first) => (source === null ? spool.writer() : spool.runWriter(source, first)),
    detour: openDetour(detour, source),
    onProblem: (problem) => problems.push(problem),
    onSpooled: () => {
      if (send) courier.kick();
    },
    attempts: ATTEMPTS,
    pause: (ms) => sleep(ms),
  });

  const onBytes = (bytes: number) => {
    seen.bytes += bytes;
  };
  for await (const lines of linesOf(chunksOf(io, onBytes))) {
    appender.add(intake.take(lines));
    showProgress();
    await appender.room();
  }
  seen.ended = !io.interrupted.aborted;
  await appender.settled();
  appender.close();

  const finish = async (): Promise<Drained> => {
    if (!send) return { failure: null, byAnother: false };
    const failure = await courier.stop();
    return failure === null ? drainInTurn(spool, sender, io.interrupted) : { failure, byAnother: false };
  };
  const drained = await finish();
  await outlet.close();
  progress.end();
  const { spooled, detoured, lost } = appender.counts();
  const cut = failed('interrupted', `Interrupted: the rest was not ${seen.ended ? 'sent' : 'read'}`);
  return report(context, spool, {
    recorded: spooled + detoured,
    accepted: total('accepted'),
    duplicates: total('duplicates'),
    rejected: total('rejected') + intake.counts.invalid,
    kept: outlet.kept(),
    lost,
    problem: problems.at(-1) ?? null,
    failure: io.interrupted.aborted ? cut : drained.failure,
    byAnother: drained.byAnother,
  });
};
