import { z } from 'zod';
import { MAX_CALL_DURATION_MS, MAX_CALLS, MAX_OPERATION, MAX_SEQUENCE, MAX_SOURCE_ID } from '../domain/limits.ts';
import { rejectedCalls } from './callQuotas.ts';
import { httpUrl, instant, service, text } from './fields.ts';
import { ok } from './replies.ts';

/** A call as it is sent, and a line of NDJSON. One of `ok` and `status` is required; `at` defaults to now. */
export const apiCall = z
  .strictObject({
    service,
    instanceUrl: httpUrl,
    operation: text(MAX_OPERATION),
    status: z.int().min(100).max(599).nullish(),
    ok: z.boolean().nullish(),
    durationMs: z.number().min(0).max(MAX_CALL_DURATION_MS),
    at: instant.nullish(),
  })
  .refine((call) => typeof call.ok === 'boolean' || typeof call.status === 'number', 'Set ok, status or both');
/** A call as programs pass it to the recorder, before defaults. */
export type ApiCall = z.input<typeof apiCall>;

/** Names a series of recorded calls. A source and a sequence identify a call. */
export const sourceId = text(MAX_SOURCE_ID);

/** Call `i` has the sequence `firstSequence + i`. Each call is judged alone: see `rejected` in the reply. */
export const recordApiCalls = z.strictObject({
  sourceId,
  firstSequence: z.int().min(1).max(MAX_SEQUENCE),
  calls: z.array(z.unknown()).min(1).max(MAX_CALLS),
});
/** The body of `POST /api/cli/api-calls` as a tool builds it. */
export type RecordApiCalls = { sourceId: string; firstSequence: number; calls: ApiCall[] };

/** `accepted` + `duplicates` + the length of `rejected` is the number of calls sent. */
export const apiCallsReply = ok({
  accepted: z.int(),
  duplicates: z.int(),
  rejected: rejectedCalls,
  nextSequence: z.int(),
});
/** The reply to a batch of recorded calls. `nextSequence` is the first sequence after all known ones of the source. */
export type ApiCallsReply = z.infer<typeof apiCallsReply>;
