import { apiCall, type RecordApiCalls, recordApiCalls } from '../../contracts/apiCalls.ts';
import { instant } from '../../contracts/fields.ts';
import { issuesOf } from '../../contracts/issues.ts';
import type { RecordedCall } from '../../domain/apiCalls/events.ts';
import { isService } from '../../domain/enumerations.ts';
import { createInstants } from '../../domain/instant.ts';
import {
  MAX_CALL_AGE_MS,
  MAX_CALL_AHEAD_MS,
  MAX_CALL_DURATION_MS,
  MAX_CALLS,
  MAX_OPERATION,
  MAX_SEQUENCE,
  MAX_SOURCE_ID,
  MAX_URL,
} from '../../domain/limits.ts';
import { createCache } from '../../flow/cache.ts';

/*
 * The contract of recorded calls as plain code: the schema is too slow for 150,000 calls a second. A property test verifies that both
 * agree. If this check refuses a call, the schema provides the message.
 */

const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;
const REQUIRED_FIELDS = 4;
const CANONICAL_LENGTH = '2026-01-31T12:00:00.000Z'.length;
const REMEMBERED = 2_000;

/** Remembers the latest results of a pure function. */
const remembering = <T>(judge: (text: string) => T): ((text: string) => T) => {
  const known = createCache<string, { verdict: T }>(REMEMBERED);
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before.verdict;
    const verdict = judge(text);
    known.set(text, { verdict });
    return verdict;
  };
};

const textOf = (text: string, max: number): string | null => {
  const trimmed = text.trim();
  return trimmed.length > 0 && trimmed.length <= max && !FORBIDDEN.test(trimmed) ? trimmed : null;
};

/** One address a service instance: without query and fragment, host in lower case, no slash at the end. Null when it is none. */
export const normalizeInstanceUrl = remembering((text: string): string | null => {
  const trimmed = textOf(text, MAX_URL);
  if (trimmed === null || !URL.canParse(trimmed)) return null;
  const { protocol, username, password, origin, pathname } = new URL(trimmed);
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || password !== '') return null;
  return origin + pathname.replace(/\/+$/, '');
});

const operationOf = remembering((text: string): string | null => textOf(text, MAX_OPERATION));

const isStatus = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599;

/** What the schema says is wrong with a call. */
const wordsFor = (value: unknown): string => {
  const { error } = apiCall.safeParse(value);
  const [issue] = error ? issuesOf(error) : [];
  if (!issue) return 'Not valid';
  return issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const countOf = (value: object): number => {
  let count = 0;
  for (const _field in value) count += 1;
  return count;
};

/**
 * The call as it is recorded, or the reason why it is not. It comes from JSON. `receivedAt` is ISO-8601 UTC and stands in for an
 * absent `at`; `now` is the same in ms since 1970.
 */
export const checkCall = (value: unknown, receivedAt: string, now: number): RecordedCall | string => {
  if (!isRecord(value)) return wordsFor(value);
  const { service, status, ok, durationMs, at } = value;
  // JSON has no undefined values, so any further field is unknown.
  const known = REQUIRED_FIELDS + (status === undefined ? 0 : 1) + (ok === undefined ? 0 : 1) + (at === undefined ? 0 : 1);
  if (!isService(service)) return wordsFor(value);
  if (typeof value.instanceUrl !== 'string' || typeof value.operation !== 'string') return wordsFor(value);
  const instanceUrl = normalizeInstanceUrl(value.instanceUrl);
  const operation = operationOf(value.operation);
  if (instanceUrl === null || operation === null) return wordsFor(value);
  if (typeof durationMs !== 'number' || !(durationMs >= 0 && durationMs <= MAX_CALL_DURATION_MS)) return wordsFor(value);
  const hasStatus = status !== undefined && status !== null;
  if (hasStatus && !isStatus(status)) return wordsFor(value);
  const hasOk = typeof ok === 'boolean';
  if (!hasOk && ((ok !== undefined && ok !== null) || !hasStatus)) return wordsFor(value);
  if (countOf(value) !== known) return wordsFor(value);
  const ms = at === undefined || at === null ? now : msOf(at);
  if (ms === null) return wordsFor(value);
  if (ms > now + MAX_CALL_AHEAD_MS) return 'at: Must not be more than 5 minutes ahead. Check the clock of the machine.';
  if (ms < now - MAX_CALL_AGE_MS) return 'at: Must not be older than 400 days';
  return {
    service,
    instanceUrl,
    operation,
    ok: hasOk ? ok : Number(status) < 400,
    status: hasStatus ? status : null,
    durationMs: Math.round(durationMs),
    at: typeof at !== 'string' ? receivedAt : at.length === CANONICAL_LENGTH ? at : new Date(ms).toISOString(),
  };
};

const instants = createInstants();

/** ms since 1970; null for an invalid instant. */
const msOf = (at: unknown): number | null => {
  if (typeof at !== 'string') return null;
  const ms = instants.read(at);
  if (!Number.isNaN(ms)) return ms;
  return instant.safeParse(at).success ? Date.parse(at) : null;
};

export type CallBatch = Omit<RecordApiCalls, 'calls'> & { calls: readonly unknown[] };

/** The request around the calls; each call is judged alone. Throws the schema's own error. */
export const checkBatch = (body: unknown): CallBatch => {
  if (isRecord(body)) {
    const { sourceId, firstSequence, calls } = body;
    const source = typeof sourceId === 'string' ? textOf(sourceId, MAX_SOURCE_ID) : null;
    const isWhole =
      source !== null &&
      Number.isInteger(firstSequence) &&
      Number(firstSequence) >= 1 &&
      Number(firstSequence) <= MAX_SEQUENCE &&
      Array.isArray(calls) &&
      calls.length >= 1 &&
      calls.length <= MAX_CALLS &&
      Object.keys(body).length === 3;
    if (isWhole) return { sourceId: source, firstSequence: Number(firstSequence), calls };
  }
  return recordApiCalls.parse(body);
};
