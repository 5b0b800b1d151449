import { z } from 'zod';
import { customer } from './customers.ts';
import { instant, position } from './fields.ts';
import { listQuery, ok, page } from './replies.ts';

export const change = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() });

const historyEntry = z.object({
  id: z.uuid(),
  at: instant,
  type: z.string(),
  actor: z.object({ kind: z.enum(['admin', 'integrator', 'customer', 'user', 'system']), id: z.string(), name: z.string() }),
  /** The change as a sentence. */
  summary: z.string(),
  changes: z.array(change),
  position,
});
export type HistoryEntry = z.infer<typeof historyEntry>;

export const historyQuery = z.strictObject({
  ...listQuery,
  type: z.string().max(100).optional(),
  actor: z.string().max(100).optional(),
  from: instant.optional(),
  to: instant.optional(),
});
export type HistoryQuery = z.infer<typeof historyQuery>;

export const historyReply = page({ history: z.array(historyEntry) });
export type HistoryReply = z.infer<typeof historyReply>;

export const asOfQuery = z.strictObject({ at: instant, compareTo: instant.optional() });
export const asOfReply = ok({ customer, at: instant, position, changes: z.array(change).optional() });
export type AsOfReply = z.infer<typeof asOfReply>;
