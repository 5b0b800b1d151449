import { z } from 'zod';
import { licenseEffects } from './impact.ts';
import { ok } from './replies.ts';

const planOffer = z.object({
  code: z.string(),
  name: z.string(),
  /** The version of the plan; it is sent along when the offer is accepted. */
  version: z.int(),
  /** What the plan changes in the license. */
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  /** Whom that affects. */
  effects: licenseEffects.optional(),
});
/** The changes of a plan since a license copied it. */
export type PlanOffer = z.infer<typeof planOffer>;
/** What the plan of a license offers now; `offer` is null where the license has what the plan includes. */
export const planOfferReply = ok({ offer: planOffer.nullable() });
export type PlanOfferReply = z.infer<typeof planOfferReply>;

/** What another plan makes of a license; null if the license has the plan. */
export const planMoveReply = ok({ move: planOffer.nullable() });
export type PlanMoveReply = z.infer<typeof planMoveReply>;
