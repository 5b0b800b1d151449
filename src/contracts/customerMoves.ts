import { z } from 'zod';
import { integratorId } from './fields.ts';
import { customerImpact } from './impact.ts';
import { ok } from './replies.ts';

/** To which service integrator a customer moves, and whether tags, notes, custom fields and external id come along. */
export const moveCustomer = z.strictObject({
  serviceIntegratorId: integratorId,
  records: z.enum(['keep', 'clear']).default('keep'),
});
export type MoveCustomer = z.infer<typeof moveCustomer>;

const owner = z.object({ id: integratorId, name: z.string() });

const customerMove = z.object({
  from: owner,
  to: owner,
  /** What the move changes of the customer. */
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  /** Whether the new service integrator has another customer of this name. The move is not refused because of it. */
  isNameTaken: z.boolean(),
  /** What comes along: sessions and tools stay connected. */
  impact: customerImpact,
});
/** What a move does. */
export type CustomerMove = z.infer<typeof customerMove>;
/** The reply of `GET …/integrator-move`. */
export const customerMoveReply = ok({ move: customerMove });
export type CustomerMoveReply = z.infer<typeof customerMoveReply>;
