import { z } from 'zod';
import { customer } from './customers.ts';
import { instant, position } from './fields.ts';
import { listQuery, ok, page } from './replies.ts';

/** A changed field of a history entry, or a difference between two times. */
export const change = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() });

const historyEntry = z.object({
  id: z.uuid(),
  at: instant,
  type: z.string(),
  actor: z.object({
    kind: z.enum(['admin', 'integrator', 'customer', 'user', 'system']),
    id: z.string(),
    name: z.string(),
  }),
  /** The change as a sentence. */
  summary: z.string(),
  changes: z.array(change),
  position,
});
/** An event as the history shows it, with the actor's current name. */
export type HistoryEntry = z.infer<typeof historyEntry>;

/** The query of all histories: by type of event, kind of actor, time and text. */
export const historyQuery = z.strictObject({
  ...listQuery,
  type: z.string().max(100).optional(),
  actor: z.string().max(100).optional(),
  from: instant.optional(),
  to: instant.optional(),
});
export type HistoryQuery = z.infer<typeof historyQuery>;

/** A page of a history, newest first. */
export const historyReply = page({ history: z.array(historyEntry) });
export type HistoryReply = z.infer<typeof historyReply>;

/** The time to show, and optionally another one to compare with. */
export const asOfQuery = z.strictObject({ at: instant, compareTo: instant.optional() });
/** A customer at a time. `position` is that of its last event; `changes` exist if `compareTo` was given. */
export const asOfReply = ok({ customer, at: instant, position, changes: z.array(change).optional() });
export type AsOfReply = z.infer<typeof asOfReply>;
