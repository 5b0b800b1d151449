import type { z } from 'zod';
import { type ApiCall, apiCall } from '../../contracts/apiCalls.ts';
import { issuesOf } from '../../contracts/issues.ts';
import { isoTime } from '../io.ts';
import type { Line } from './lines.ts';

/** A call as it is spooled and sent, one line of JSON; or why it is not one. */
export type CheckedCall = Readonly<{ ok: true; line: string } | { ok: false; reason: string }>;

const reasonOf = (error: z.ZodError): string =>
  issuesOf(error)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ');

/** Checks a call by the server's own rules. `at` becomes the time given, in epoch ms, where there is none. */
export const checkCall = (value: unknown, now: number): CheckedCall => {
  const parsed = apiCall.safeParse(value);
  if (!parsed.success) return { ok: false, reason: reasonOf(parsed.error) };
  const { service, instanceUrl, operation, status, ok, durationMs, at } = parsed.data;
  const call: ApiCall = { service, instanceUrl, operation, durationMs, at: at ?? isoTime(now) };
  if (typeof status === 'number') call.status = status;
  if (typeof ok === 'boolean') call.ok = ok;
  return { ok: true, line: JSON.stringify(call) };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A line of NDJSON, checked. An empty one is no call and no mistake: null. */
export const checkLine = (line: Line, now: number): CheckedCall | null => {
  if (line.text === null) return { ok: false, reason: line.reason };
  if (line.text.trim() === '') return null;
  const value = parseJson(line.text);
  return value === undefined ? { ok: false, reason: 'Not JSON' } : checkCall(value, now);
};
