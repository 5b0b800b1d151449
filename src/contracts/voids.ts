import { z } from 'zod';
import type { CallVoidId } from '../domain/ids.ts';
import { MAX_REASON, MAX_SEQUENCE, MAX_SOURCE_ID } from '../domain/limits.ts';
import { day, idOf, instant, service, text } from './fields.ts';
import { ok } from './replies.ts';

/** A UUID, in lower case after parsing. */
export const callVoidId = idOf<CallVoidId>();

const sequence = z.int('Must be a whole number').min(1).max(MAX_SEQUENCE);
const sequenceText = z.coerce.number('Must be a number').int().min(1).max(MAX_SEQUENCE);

/** Calls of a source: all of them, or those of a range of sequences (inclusive) and of times (`until` is not among them). */
const range = {
  sourceId: text(MAX_SOURCE_ID),
  firstSequence: sequence.optional(),
  lastSequence: sequence.optional(),
  from: instant.optional(),
  until: instant.optional(),
};
type Range = Readonly<{
  firstSequence?: number | undefined;
  lastSequence?: number | undefined;
  from?: string | undefined;
  until?: string | undefined;
}>;

const checkRange = ({ firstSequence, lastSequence, from, until }: Range, context: z.RefinementCtx): void => {
  const fail = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
  if (firstSequence !== undefined && lastSequence !== undefined && firstSequence > lastSequence)
    fail('lastSequence', 'Must not be less than the first number');
  if (from !== undefined && until !== undefined && Date.parse(from) >= Date.parse(until)) fail('until', 'Must be after from');
};

/** The query of the preview of a void. */
export const previewVoid = z
  .strictObject({ ...range, firstSequence: sequenceText.optional(), lastSequence: sequenceText.optional() })
  .superRefine(checkRange);
export type PreviewVoid = z.infer<typeof previewVoid>;

/** The body of a void. The reason is shown to all who see the history of the customer. */
export const voidCalls = z.strictObject({ ...range, reason: text(MAX_REASON) }).superRefine(checkRange);
export type VoidCalls = z.infer<typeof voidCalls>;

const part = { calls: z.int() };

/** The calls that a void would take out of the usage now. */
const voidPreview = z.object({
  calls: z.int(),
  errors: z.int(),
  firstSequence: z.int().nullable(),
  lastSequence: z.int().nullable(),
  /** Days of UTC. */
  days: z.array(z.object({ day, ...part })),
  services: z.array(z.object({ service, ...part })),
  users: z.array(z.object({ userId: z.uuid(), username: z.string().nullable(), ...part })),
  /** Where there are too many calls to count: earlier ones are not counted. Null where all are. */
  countedFrom: instant.nullable(),
});
/** What a void would take out. */
export type VoidPreview = z.infer<typeof voidPreview>;

/** The reply of `GET …/voids/preview`. */
export const voidPreviewReply = ok({ preview: voidPreview });

const callVoid = z.object({
  voidId: z.uuid(),
  at: instant,
  /** Who voided the calls. */
  by: z.string(),
  reason: z.string().nullable(),
  sourceId: z.string(),
  firstSequence: z.int().nullable(),
  lastSequence: z.int().nullable(),
  from: instant.nullable(),
  until: instant.nullable(),
  /** The calls that counted until then, those of them that failed, and how many users made them. */
  calls: z.int(),
  errors: z.int(),
  users: z.int(),
  /** The quarter of an hour in which the first of them was made, and when the last one was; null without calls. */
  firstAt: instant.nullable(),
  lastAt: instant.nullable(),
});
/** Calls that do not count any more. */
export type CallVoid = z.infer<typeof callVoid>;

/** The reply of `GET …/voids`: newest first. */
export const voidsReply = ok({ voids: z.array(callVoid) });
export type VoidsReply = z.infer<typeof voidsReply>;

/** The reply to a void. It is in the list once the usage is counted again. */
export const voidReply = ok({ voidId: z.uuid() });
