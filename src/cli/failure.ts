import type { RequestedApproval } from '../contracts/machines.ts';
import { EXIT, type ExitCode } from './exit.ts';

/** Why something was not done, for people and for programs. Returned, not thrown. */
export type Failure = Readonly<{
  exit: ExitCode;
  /** Stable, for programs: a code of the server's or one of ours. */
  code: string;
  message: string;
  /** What to do about it, when there is something. */
  hint: string | null;
  /** Whether the same request may succeed later without anybody doing anything. */
  passing: boolean;
  /** Of the answer, when there was one. */
  status: number | null;
  /** How long the server asked to wait, in milliseconds. */
  retryAfterMs: number | null;
  /** The request for approval that the server recorded, with `machine_approval_required`. */
  approval: RequestedApproval | null;
}>;

export type Answer<Value> = Readonly<{ ok: true; value: Value } | { ok: false; failure: Failure }>;

type Details = {
  hint?: string | null;
  status?: number;
  retryAfterMs?: number | null;
  approval?: RequestedApproval | null;
};

const failure = (exit: ExitCode, passing: boolean, code: string, message: string, details: Details = {}): Failure => ({
  exit,
  code,
  message,
  hint: details.hint ?? null,
  passing,
  status: details.status ?? null,
  retryAfterMs: details.retryAfterMs ?? null,
  approval: details.approval ?? null,
});

/** The command was written wrongly: exit code 2. */
export const misused = (message: string, details?: Details): Failure => failure(EXIT.usage, false, 'wrong_usage', message, details);
/** A variable or option names something that is not there: exit code 2, as for wrong usage. */
export const missing = (code: string, message: string, details?: Details): Failure =>
  failure(EXIT.usage, false, code, message, details);
export const failed = (code: string, message: string, details?: Details): Failure =>
  failure(EXIT.failed, false, code, message, details);
export const notSignedIn = (code: string, message: string, details?: Details): Failure =>
  failure(EXIT.notSignedIn, false, code, message, { hint: 'Run: latchkey login', ...details });
export const refused = (code: string, message: string, details?: Details): Failure =>
  failure(EXIT.refused, false, code, message, details);
/** Nothing, or something that is not the server, answers. Waiting may help. */
export const unreachable = (code: string, message: string, details?: Details): Failure =>
  failure(EXIT.unreachable, true, code, message, details);
/** Nothing answers as it should, and it will not by waiting: a wrong address, a certificate. */
export const unreachableAsConfigured = (code: string, message: string, details?: Details): Failure =>
  failure(EXIT.unreachable, false, code, message, details);
