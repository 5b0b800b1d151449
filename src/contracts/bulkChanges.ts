import { z } from 'zod';
import { BULK_CHANGES } from '../domain/limits.ts';
import { ok } from './replies.ts';

const MAX_ROWS = 1_000_000;

/** The body of `POST /api/admin/bulk-changes`. `id` is what the changes have as `Bulk-Id`; `refused` is how many rows could not be changed. */
export const finishBulkChange = z.strictObject({
  id: z.string().regex(/^[\x21-\x7e]{1,200}$/, 'Must be 1 to 200 visible ASCII characters'),
  kind: z.enum(BULK_CHANGES),
  refused: z.int('Must be a whole number').min(0, 'Must be 0 or more').max(MAX_ROWS, `Must be at most ${MAX_ROWS}`),
});
export type FinishBulkChange = z.infer<typeof finishBulkChange>;

/** The body of `POST /api/service-integrator/bulk-changes`. */
export const finishOwnBulkChange = finishBulkChange.extend({ kind: z.enum(BULK_CHANGES).exclude(['integratorStatus']) });

/** How many customers, or service integrators, were changed. Without any there is no entry. */
export const bulkChangeReply = ok({ changed: z.int() });
export type BulkChangeReply = z.infer<typeof bulkChangeReply>;
