import { randomUUID } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { type Failure, failed } from '../failure.ts';
import type { Profile } from '../home/profiles.ts';
import type { Input, Io } from '../io.ts';
import { openAppender } from '../recording/appender.ts';
import { checkLine } from '../recording/call.ts';
import { type Drained, drainInTurn, openCourier } from '../recording/courier.ts';
import { openDetour } from '../recording/detour.ts';
import { linesOf } from '../recording/lines.ts';
import type { Delivery } from '../spool/delivery.ts';
import { GAP } from '../spool/lane.ts';
import { openSender } from '../spool/sender.ts';
import { openProgress } from '../terminal/progress.ts';
import { count, jsonLine, plain } from '../terminal/text.ts';
import { BUSY_MS, describeRejected, openOutlet, report } from './sending.ts';

/** `source` names the input: its calls are numbered by line, so that the same input counts once however often it is given. */
export type ManyCalls = Readonly<{ name: string; profile: Profile; source: string | null; timeoutMs: number; send: boolean }>;

const ATTEMPTS = 5;
const DETOUR_MS = 1_000;

/** How large redirected input is, in bytes; null for a pipe or a terminal. */
const sizeOf = ({ fd }: Input): number | null => {
  try {
    const stat = fd === undefined ? null : fstatSync(fd);
    return stat?.isFile() && stat.size > 0 ? stat.size : null;
  } catch {
    return null;
  }
};

/** The chunks of standard input until it ends or somebody presses Ctrl-C. */
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

/** Records calls line by line from standard input: on disk first, and from there to the server while it goes on reading. */
export const recordStdin = async (context: Context, { name, profile, source, timeoutMs, send }: ManyCalls): Promise<ExitCode> => {
  const { io, output } = context;
  const spool = context.spoolOf(profile);
  const progress = openProgress(io, output);
  const size = sizeOf(io.stdin);
  const seen = { bytes: 0, calls: 0, invalid: 0, ended: false };
  const problems: Error[] = [];

  const tell = (json: unknown, text: string) => progress.say(output.json ? jsonLine(json).trimEnd() : text);
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
    const part = seen.ended ? Math.min(1, sent / Math.max(1, seen.calls)) : size && seen.bytes / size;
    progress.show(seen.calls, part, `${count(seen.calls)} recorded, ${count(sent)} sent`);
  };

  const sender = openSender(spool, delivery);
  const courier = openCourier(spool, sender, () => {});
  const appender = openAppender({
    open: (first) => (source === null ? spool.writer() : spool.runWriter(source, first)),
    detour: openDetour(detour, { version: 1, sourceId: source ?? randomUUID(), kind: 'run', machine: '' }),
    onProblem: (problem) => problems.push(problem),
    onSpooled: () => {
      if (send) courier.kick();
    },
    attempts: ATTEMPTS,
    pause: (ms) => sleep(ms),
  });

  for await (const lines of linesOf(
    chunksOf(io, (bytes) => {
      seen.bytes += bytes;
    }),
  )) {
    const taken: string[] = [];
    for (const line of lines) {
      const checked = checkLine(line, io.now());
      if (checked?.ok) seen.calls++;
      if (checked?.ok === false) {
        seen.invalid++;
        tell({ line: line.number, reason: checked.reason }, `line ${line.number}: ${plain(checked.reason)}`);
      }
      // A named source is numbered by line, so a line without a call leaves a gap.
      if (checked?.ok) taken.push(checked.line);
      else if (source !== null) taken.push(GAP);
    }
    appender.add(taken);
    showProgress();
    await appender.room();
  }
  await appender.settled();
  appender.close();
  seen.ended = true;

  const finish = async (): Promise<Drained> => {
    if (!send) return { failure: null, byAnother: false };
    const failure = await courier.stop();
    return failure === null ? drainInTurn(spool, sender, io.interrupted) : { failure, byAnother: false };
  };
  const drained = await finish();
  await outlet.close();
  progress.end();
  const { spooled, detoured, lost } = appender.counts();
  const interrupted: Failure | null = io.interrupted.aborted ? failed('interrupted', 'Interrupted: the rest was not read') : null;
  return report(context, spool, {
    recorded: spooled + detoured,
    accepted: total('accepted'),
    duplicates: total('duplicates'),
    rejected: total('rejected') + seen.invalid,
    lost,
    problem: problems.at(-1) ?? null,
    failure: interrupted ?? drained.failure,
    byAnother: drained.byAnother,
  });
};
