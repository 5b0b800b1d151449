import type { Context } from '../context.ts';
import { signedOut } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { type Failure, failed } from '../failure.ts';
import { diskReason } from '../home/diskErrors.ts';
import type { Profile } from '../home/profiles.ts';
import { type Delivery, openDelivery, type SentSource } from '../recording/delivery.ts';
import type { RetryLimits } from '../recording/retryPolicy.ts';
import type { RejectedCall, Spool } from '../recording/spool.ts';
import { count, counted, plain } from '../terminal/text.ts';
import { BUSY_S, UNANSWERED_S } from './numbers.ts';
import { blockerAfter, nextAttempt } from './queue.ts';

/** The default time limits, if a user or a build waits for the command. */
const DEFAULT_LIMITS: RetryLimits = { unansweredMs: UNANSWERED_S * 1000, busyMs: BUSY_S * 1000 };

/** The time limits of `--timeout`. Without any time to wait, there is one attempt, which has the time limit of a request. */
export const limitsOf = (timeoutS: number | undefined): RetryLimits => {
  if (timeoutS === undefined) return DEFAULT_LIMITS;
  const ms = timeoutS * 1000;
  return { unansweredMs: ms, busyMs: ms, ...(ms > 0 && { requestsMs: ms }) };
};

export type CallSink = Readonly<{
  deliver: (limits: RetryLimits, signal: AbortSignal) => Delivery;
  /** The number of rejected calls that are saved to disk; null if the disk could not be written. */
  kept: () => number | null;
  close: () => Promise<void>;
}>;

type CallSinkOptions = Readonly<{
  context: Context;
  name: string;
  profile: Profile;
  spool: Spool;
  onRejected: (call: RejectedCall) => void;
  onProgress?: () => void;
}>;

/** Sends calls to a profile's server, and saves and reports rejected ones. Without a token, each request fails as signed out. */
export const openCallSink = ({ context, name, profile, spool, onRejected, onProgress }: CallSinkOptions): CallSink => {
  const api = context.api(profile.server, profile.token);
  let kept: number | null = 0;
  return {
    deliver: (retries, signal) =>
      openDelivery({
        post: async (body, until) => (profile.token === null ? { ok: false, failure: signedOut(name) } : api.record(body, until)),
        retries,
        signal,
        keepRejected: (calls) => {
          kept = spool.keepRejected(calls) && kept !== null ? kept + calls.length : null;
          calls.forEach(onRejected);
        },
        onProgress,
      }),
    kept: () => kept,
    close: api.close,
  };
};

/** "line 17" for a named import, otherwise the operation of the call. */
export const describeRejected = ({ run, sequence, reason, call }: RejectedCall): string => {
  const operation = typeof call === 'object' && call !== null && 'operation' in call ? ` ${plain(String(call.operation))}` : '';
  return `${run ? `line ${sequence}` : `rejected${operation}`}: ${plain(reason)}`;
};

export type SendingOutcome = Readonly<{
  /** Calls that this command wrote to the spool or sent directly; null for a command that does not record. */
  recorded: number | null;
  accepted: number;
  duplicates: number;
  rejected: number;
  sources: readonly Readonly<SentSource>[];
  /** Calls by service that the license does not include. They are recorded and counted. */
  notIncluded?: readonly Readonly<{ service: string; calls: number }>[];
  /** Rejected calls that are saved to disk; null if the disk could not be written. */
  kept: number | null;
  lost: number;
  /** The error of writing the spool. */
  problem: Error | null;
  failure: Failure | null;
  lockedByOther: boolean;
}>;

/** The result text of a recording with only duplicates. */
const nothingNew = (calls: number): string => {
  const which = calls === 1 ? 'the call was' : calls === 2 ? 'both calls were' : `all ${count(calls)} calls were`;
  return `Nothing new: ${which} already recorded`;
};

/** The result text of a command. A recording also sends calls that were queued before; its counts include them. */
const workOf = ({ recorded, accepted, duplicates }: SendingOutcome): string => {
  if (recorded === null) return 'Sent';
  return `Recorded ${counted(recorded, 'call')}${accepted + duplicates > recorded ? ' and sent those queued before' : ''}`;
};

/** When queued calls are sent. */
const nextAttemptAfter = (failure: Failure, spooled: number): string => {
  if (failure.exit === EXIT.notSignedIn) return `${spooled === 1 ? 'It' : 'They'}'ll be sent after you sign in.`;
  return nextAttempt(spooled, blockerAfter(failure));
};

/** By these, calls that were recorded by mistake are found and voided. */
const describeSource = ({ sourceId, firstSequence, lastSequence }: SentSource): string =>
  firstSequence === lastSequence
    ? `Source: ${plain(sourceId)}, call ${firstSequence}`
    : `Source: ${plain(sourceId)}, calls ${firstSequence} to ${lastSequence}`;

/** Calls to services that the license does not include, which are recorded all the same. */
const describeNotIncluded = (services: NonNullable<SendingOutcome['notIncluded']>): string[] =>
  services.length === 0
    ? []
    : [
        `Not included in your license: ${services.map(({ service, calls }) => `${service} (${counted(calls, 'call')})`).join(', ')}`,
      ];

/** Prints the outcome and returns the exit code. */
export const report = ({ output }: Context, spool: Spool, outcome: SendingOutcome): ExitCode => {
  const {
    recorded,
    accepted,
    duplicates,
    rejected,
    sources,
    kept,
    lost,
    problem,
    failure,
    lockedByOther,
    notIncluded = [],
  } = outcome;
  const spooled = spool.pending();
  const counts = { accepted, duplicates, rejected, spooled };
  const result = { recorded, ...counts, sources, ...(notIncluded.length > 0 && { notIncluded }) };
  output.result(recorded === null ? counts : result, () => {
    if (recorded === null && accepted + duplicates + rejected + spooled === 0) return ['No queued calls'];
    if (recorded !== null && recorded > 0 && duplicates === recorded && accepted + rejected + spooled === 0) {
      return [nothingNew(recorded)];
    }
    const parts = [
      ...(accepted > 0 || (recorded === null && duplicates === 0) ? [`${count(accepted)} accepted`] : []),
      ...(duplicates > 0 ? [`${count(duplicates)} ${duplicates === 1 ? 'duplicate' : 'duplicates'}`] : []),
      ...(rejected > 0 ? [`${count(rejected)} rejected`] : []),
      ...(spooled > 0 ? [`${count(spooled)} queued`] : []),
    ];
    const line = [workOf(outcome), parts.join(', ')].filter(Boolean).join(': ');
    return [line, ...(recorded === null ? [] : sources.map(describeSource)), ...describeNotIncluded(notIncluded)];
  });
  if (problem !== null && lost === 0)
    output.note(`The queue could not be written: ${plain(diskReason(problem))}. No call was lost.`);
  if (problem !== null && lost > 0) {
    output.warn(failed('not_recorded', `${counted(lost, 'call')} could not be recorded: ${diskReason(problem)}`));
  }
  if (kept === null) output.note('Rejected calls could not be saved to disk.');
  else if (kept > 0) output.note(`Rejected calls and reasons: ${spool.rejectedFile}`);
  if (failure !== null) output.warn(failure);
  if (spooled > 0 && failure !== null) output.note(`${counted(spooled, 'call')} queued. ${nextAttemptAfter(failure, spooled)}`);
  if (spooled > 0 && lockedByOther) output.note('Another latchkey process is sending them.');
  if (failure !== null) return failure.exit;
  return rejected > 0 || lost > 0 ? EXIT.failed : EXIT.done;
};
