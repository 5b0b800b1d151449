import { z } from 'zod';
import { httpUrl, instant, service, text } from './fields.ts';
import { ok } from './replies.ts';

/** Calls one request may carry. */
export const MAX_CALLS = 1000;
export const MAX_SEQUENCE = 1_000_000_000_000;
/** How far a call's own time may be off the server's. */
export const MAX_AHEAD_MS = 5 * 60_000;
export const MAX_AGE_MS = 400 * 86_400_000;

/** A call as it is sent, and a line of NDJSON. One of `ok` and `status` is required; `at` defaults to now. */
export const apiCall = z
  .strictObject({
    service,
    instanceUrl: httpUrl,
    operation: text(200),
    status: z.int().min(100).max(599).nullish(),
    ok: z.boolean().nullish(),
    durationMs: z.number().min(0).max(86_400_000),
    at: instant.nullish(),
  })
  .refine((call) => typeof call.ok === 'boolean' || typeof call.status === 'number', 'Give ok, status or both');
export type ApiCall = z.input<typeof apiCall>;

export const sourceId = text(200);

/** Call `i` has the sequence `firstSequence + i`. Each call is judged alone: see `rejected` in the reply. */
export const recordApiCalls = z.strictObject({
  sourceId,
  firstSequence: z.int().min(1).max(MAX_SEQUENCE),
  calls: z.array(z.unknown()).min(1).max(MAX_CALLS),
});
export type RecordApiCalls = { sourceId: string; firstSequence: number; calls: ApiCall[] };

/** `accepted` + `duplicates` + the length of `rejected` is the number of calls sent. */
export const apiCallsReply = ok({
  accepted: z.int(),
  duplicates: z.int(),
  rejected: z.array(z.object({ sequence: z.int(), reason: z.string() })),
  nextSequence: z.int(),
});
export type ApiCallsReply = z.infer<typeof apiCallsReply>;
