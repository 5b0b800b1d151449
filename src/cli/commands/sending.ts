import type { Context } from '../context.ts';
import { signedOut } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { type Failure, failed } from '../failure.ts';
import { diskReason } from '../home/diskTroubles.ts';
import type { Profile } from '../home/profiles.ts';
import { type Delivery, openDelivery } from '../spool/delivery.ts';
import type { PatienceLimits } from '../spool/patience.ts';
import type { RejectedCall, Spool } from '../spool/spool.ts';
import { count, counted, plain } from '../terminal/text.ts';

/** How long a server that asks to wait is waited for, where a person or a build waits as well. */
export const BUSY_MS = 60_000;

export type Outlet = Readonly<{
  deliver: (limits: PatienceLimits, signal: AbortSignal) => Delivery;
  /** How many calls the server refused that are kept for somebody to look at; null when the disk did not take them. */
  kept: () => number | null;
  close: () => Promise<void>;
}>;

type OutletOptions = Readonly<{
  context: Context;
  name: string;
  profile: Profile;
  spool: Spool;
  onRejected: (call: RejectedCall) => void;
  onProgress?: () => void;
}>;

/** The way to a profile's server on which calls are delivered. Signed out, everything is answered with that. */
export const openOutlet = ({ context, name, profile, spool, onRejected, onProgress }: OutletOptions): Outlet => {
  const api = context.api(profile.server, profile.token);
  let kept: number | null = 0;
  return {
    deliver: (patience, signal) =>
      openDelivery({
        post: async (body, until) => (profile.token === null ? { ok: false, failure: signedOut(name) } : api.record(body, until)),
        patience,
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

/** "line 17" of a named import; other calls are known by what they were. */
export const describeRejected = ({ run, sequence, reason, call }: RejectedCall): string => {
  const operation = typeof call === 'object' && call !== null && 'operation' in call ? ` ${plain(String(call.operation))}` : '';
  return `${run ? `line ${sequence}` : `rejected${operation}`}: ${plain(reason)}`;
};

export type Outcome = Readonly<{
  /** Calls that this command put into the spool, or straight to the server; null when it records none. */
  recorded: number | null;
  accepted: number;
  duplicates: number;
  rejected: number;
  /** How many of these are kept in a file; null when the disk did not take them. */
  kept: number | null;
  lost: number;
  /** Why the spool could not be written. */
  problem: Error | null;
  failure: Failure | null;
  byAnother: boolean;
}>;

/** Says what became of calls, and gives the exit code. */
export const report = ({ output }: Context, spool: Spool, outcome: Outcome): ExitCode => {
  const { recorded, accepted, duplicates, rejected, kept, lost, problem, failure, byAnother } = outcome;
  const spooled = spool.pending();
  const counts = { accepted, duplicates, rejected, spooled };
  output.result(recorded === null ? counts : { recorded, ...counts }, () => {
    if (recorded === null && accepted + duplicates + rejected + spooled === 0) return ['Nothing is spooled'];
    const parts = [
      ...(accepted > 0 || (recorded === null && duplicates === 0) ? [`${count(accepted)} accepted`] : []),
      ...(duplicates > 0 ? [`${count(duplicates)} known already`] : []),
      ...(rejected > 0 ? [`${count(rejected)} rejected`] : []),
      ...(spooled > 0 ? [`${count(spooled)} spooled`] : []),
    ];
    return [[recorded === null ? 'Sent' : `Recorded ${counted(recorded, 'call')}`, parts.join(', ')].filter(Boolean).join(': ')];
  });
  if (problem !== null && lost === 0)
    output.note(`The spool could not be written, since ${plain(diskReason(problem))}; no call was lost.`);
  if (problem !== null && lost > 0) {
    output.warn(failed('not_recorded', `${counted(lost, 'call')} could not be recorded: ${diskReason(problem)}`));
  }
  if (kept === null) output.note('What the server refused could not be kept on disk.');
  else if (kept > 0) output.note(`Kept with the reason in ${spool.rejectedFile}`);
  if (failure !== null) output.warn(failure);
  if (spooled > 0 && failure !== null)
    output.note(`${counted(spooled, 'call')} spooled: the next record, or latchkey flush, sends ${spooled === 1 ? 'it' : 'them'}.`);
  if (spooled > 0 && byAnother) output.note('Another latchkey is sending them.');
  if (failure !== null) return failure.exit;
  return rejected > 0 || lost > 0 ? EXIT.failed : EXIT.done;
};
