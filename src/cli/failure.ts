import type { CallsRefused } from '../contracts/callQuotas.ts';
import type { RequestedApproval } from '../contracts/machines.ts';
import { EXIT, type ExitCode } from './exit.ts';

/** A failure for users and programs. Returned, not thrown. */
export type Failure = Readonly<{
  exit: ExitCode;
  /** A stable code for programs, from the server or from this tool. */
  code: string;
  message: string;
  /** How to resolve the failure, if known. */
  hint: string | null;
  /** Whether the failure is transient: the same request may succeed later without any change. */
  passing: boolean;
  /** The HTTP status of the response, if there was one. */
  status: number | null;
  /** The server's `Retry-After` in ms. */
  retryAfterMs: number | null;
  /** The request for approval that the server created, with the code `machine_approval_required`. */
  approval: RequestedApproval | null;
  /** What became of the calls of a batch that exceeds the quota. */
  calls: CallsRefused | null;
}>;

/** A value, or the failure to report in its place. */
export type Answer<Value> = Readonly<{ ok: true; value: Value } | { ok: false; failure: Failure }>;

type Details = {
  hint?: string | null;
  status?: number;
  retryAfterMs?: number | null;
  approval?: RequestedApproval | null;
  calls?: CallsRefused | null;
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
  calls: details.calls ?? null,
});

/** Wrong usage of a command: exit code 2. */
export const misused = (message: string, details?: Details): Failure => failure(EXIT.usage, false, 'wrong_usage', message, details);
/** A variable or an option names something that does not exist: exit code 2, as for wrong usage. */
export const missing = (code: string, message: string, details?: Details): Failure =>
  failure(EXIT.usage, false, code, message, details);
/** A failure with exit code 1. `code` is for programs, `message` for users. */
export const failed = (code: string, message: string, details?: Details): Failure =>
  failure(EXIT.failed, false, code, message, details);
/** A failure with the exit code for a missing session. */
export const notSignedIn = (code: string, message: string, details?: Details): Failure =>
  failure(EXIT.notSignedIn, false, code, message, { hint: 'Run: latchkey login', ...details });
/** A failure with the exit code for a refusal by the server, such as a suspended license. */
export const refused = (code: string, message: string, details?: Details): Failure =>
  failure(EXIT.refused, false, code, message, details);
/** A failure with the exit code for calls beyond the monthly quota. */
export const overQuota = (message: string, details?: Details): Failure =>
  failure(EXIT.overQuota, false, 'quota_exceeded', message, details);
/** A transient failure: the server, or a proxy in front of it, does not respond. */
export const unreachable = (code: string, message: string, details?: Details): Failure =>
  failure(EXIT.unreachable, true, code, message, details);
/** A permanent failure to reach the server, such as a wrong address or an untrusted certificate. */
export const unreachableAsConfigured = (code: string, message: string, details?: Details): Failure =>
  failure(EXIT.unreachable, false, code, message, details);
/** An offline license that is not valid, with the exit code for its reason. */
export const licenseInvalid = (exit: Extract<ExitCode, 6 | 7 | 8 | 9>, code: string, message: string, details?: Details): Failure =>
  failure(exit, false, code, message, details);
