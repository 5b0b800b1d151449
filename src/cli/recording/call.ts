import type { z } from 'zod';
import { type ApiCall, apiCall } from '../../contracts/apiCalls.ts';
import { issuesOf } from '../../contracts/issues.ts';
import { isoTime } from '../io.ts';
import type { Line } from './lines.ts';
import { GAP } from './sourceSpool.ts';

/** The line of JSON that is spooled and sent for a call, or why the call is not valid. */
export type CheckedCall = Readonly<{ ok: true; line: string; service: string; at: string } | { ok: false; reason: string }>;

const reasonOf = (error: z.ZodError): string =>
  issuesOf(error)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ');

/** Validates a call with the server's schema. A missing `at` becomes `now` (epoch ms). */
export const checkCall = (value: unknown, now: number): CheckedCall => {
  const parsed = apiCall.safeParse(value);
  if (!parsed.success) return { ok: false, reason: reasonOf(parsed.error) };
  const { service, instanceUrl, operation, status, ok, durationMs, at } = parsed.data;
  const call: ApiCall = { service, instanceUrl, operation, durationMs, at: at ?? isoTime(now) };
  if (typeof status === 'number') call.status = status;
  if (typeof ok === 'boolean') call.ok = ok;
  return { ok: true, line: JSON.stringify(call), service, at: call.at ?? isoTime(now) };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Validates a line of NDJSON. Null for an empty line, which is not an error. */
export const checkLine = (line: Line, now: number): CheckedCall | null => {
  if (line.text === null) return { ok: false, reason: line.reason };
  if (line.text.trim() === '') return null;
  const value = parseJson(line.text);
  return value === undefined ? { ok: false, reason: 'Not JSON' } : checkCall(value, now);
};

export type LineParser = Readonly<{
  counts: Readonly<{ calls: number; invalid: number }>;
  /** Returns the lines to spool. */
  parse: (lines: readonly Line[]) => string[];
}>;

type LineParserOptions = Readonly<{
  now: () => number;
  /** Numbers calls by line: a line without a call becomes a gap. */
  byLine: boolean;
  onCall: (service: string, at: string) => void;
  onInvalid: (line: number, reason: string) => void;
}>;

/** Validates lines of NDJSON, counts calls and invalid lines, and skips empty lines. */
export const openLineParser = ({ now, byLine, onCall, onInvalid }: LineParserOptions): LineParser => {
  const counts = { calls: 0, invalid: 0 };
  return {
    counts,
    parse: (lines) =>
      lines.flatMap((line) => {
        const checked = checkLine(line, now());
        if (checked?.ok) {
          counts.calls++;
          onCall(checked.service, checked.at);
          return [checked.line];
        }
        if (checked !== null) {
          counts.invalid++;
          onInvalid(line.number, checked.reason);
        }
        return byLine ? [GAP] : [];
      }),
  };
};
