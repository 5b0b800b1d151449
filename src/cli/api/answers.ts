import type { z } from 'zod';
import { problem } from '../../contracts/replies.ts';
import { DAY_MS } from '../../domain/time.ts';
import {
  type Answer,
  type Failure,
  failed,
  notSignedIn,
  overQuota,
  refused,
  unreachable,
  unreachableAsConfigured,
} from '../failure.ts';
import type { Reply } from './transport.ts';
import { outOfDate } from './version.ts';

const LONGEST_RETRY_AFTER_MS = DAY_MS;

/** Parses `Retry-After`, which is seconds or a date, into ms; null if it is neither. */
const retryAfter = (value: string | null, now: number): number | null => {
  if (value === null) return null;
  const ms = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? null : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, ms));
};

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

const WRONG_ADDRESS = 'Check the address. Use the address of the portal, without a path.';

/** The failure for a reply that is not from the server, but from a proxy, a captive portal or another program. */
const foreignReply = ({ status, header }: Reply, server: string, now: number): Failure => {
  const location = header('location');
  if (status >= 300 && status < 400 && location !== null) {
    const hint = `If that is correct, run: latchkey login --server ${new URL(location, server).origin}`;
    return unreachableAsConfigured('moved', `${server} redirects to ${location}`, { hint, status });
  }
  if (status === 407) {
    const hint = 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.';
    return unreachableAsConfigured('proxy', 'The proxy requires a username and a password', { hint, status });
  }
  if (status === 413) return failed('too_large', 'A proxy in front of the server rejects requests of this size', { status });
  if (status === 408 || status === 429 || status >= 500) {
    const retryAfterMs = retryAfter(header('retry-after'), now);
    return unreachable('unavailable', `${server} replied with status ${status}`, { status, retryAfterMs });
  }
  const what = header('content-type')?.includes('html') ? 'a web page' : 'an unexpected response';
  return unreachableAsConfigured('not_latchkey', `${server} is not a Latchkey server: it replied with ${what} (status ${status})`, {
    hint: WRONG_ADDRESS,
    status,
  });
};

/** The failure for the server's problem reply. Its message is shown unchanged, because it says what to do. */
const refusal = (
  reply: Reply,
  { error, code, issues, approval, calls }: z.infer<typeof problem>,
  now: number,
  server: string,
): Failure => {
  const { status } = reply;
  // The server's text can contain the first issue.
  const others = (issues ?? []).filter((issue) => !error.includes(issue.message)).map((issue) => `${issue.path}: ${issue.message}`);
  const message = others.length === 0 ? error : `${error} (${others.join('; ')})`;
  if (status === 401) return notSignedIn(code, message, { status });
  if (calls !== undefined) return overQuota(message, { status, calls });
  if (status === 403 || status === 409) return refused(code, message, { status, approval: approval ?? null });
  if ((status === 404 && code === 'not_found') || status === 426) return outOfDate({ server, status });
  if (status === 408 || status === 429 || status >= 500) {
    return unreachable(code, message, { status, retryAfterMs: retryAfter(reply.header('retry-after'), now) });
  }
  return failed(code, message, { status });
};

/** Parses a reply into its value or a failure. `now` is in epoch ms. */
export const answerOf = <Schema extends z.ZodType>(
  schema: Schema,
  reply: Reply,
  server: string,
  now: number,
): Answer<z.output<Schema>> => {
  const body = parseJson(reply.body);
  if (reply.status >= 200 && reply.status < 300) {
    const parsed = schema.safeParse(body);
    if (parsed.success) return { ok: true, value: parsed.data };
    const ours = typeof body === 'object' && body !== null && 'success' in body;
    return { ok: false, failure: ours ? outOfDate({ server, status: reply.status }) : foreignReply(reply, server, now) };
  }
  const details = problem.safeParse(body);
  return { ok: false, failure: details.success ? refusal(reply, details.data, now, server) : foreignReply(reply, server, now) };
};
