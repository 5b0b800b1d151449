import { z } from 'zod';
import { MAX_CALL_QUOTA } from '../domain/limits.ts';
import { instant } from './fields.ts';

const kind = z.enum(['soft', 'hard']);

/** How many API calls are recorded in a calendar month of UTC. Beyond a hard quota calls are refused; a soft one only notifies. */
export const setCallQuota = z.strictObject({
  limit: z
    .int('Must be a whole number')
    .min(1, 'Must be 1 or more')
    .max(MAX_CALL_QUOTA, `Must be at most ${MAX_CALL_QUOTA.toLocaleString('en-US')}`),
  kind,
});
export type SetCallQuota = z.infer<typeof setCallQuota>;

/** The quota that a plan gives new licenses. */
export const planCallQuota = z.object({ limit: z.int(), kind });

/** How much of the quota of the month is used. */
export const callQuotaState = z.enum(['near', 'exceeded']);
export type CallQuotaState = z.infer<typeof callQuotaState>;

/** The quota of a license. `reached` is the last notice in the month, in percent: 70, 90 or 100; 0 before the first. */
export const licenseCallQuota = z.object({ limit: z.int(), kind, reached: z.int(), resetsAt: instant });
export type LicenseCallQuota = z.infer<typeof licenseCallQuota>;

/** How much of a quota is used. The month is that in which calls are recorded; it ends at `resetsAt`. */
export const callQuotaUse = z.object({ limit: z.int(), kind, used: z.int(), resetsAt: instant });
export type CallQuotaUse = z.infer<typeof callQuotaUse>;

/** What was rejected, by its sequence. */
export const rejectedCalls = z.array(
  z.object({
    sequence: z.int(),
    reason: z.string(),
    /** The call was made after the end of the license. */
    code: z.literal('license_expired').optional(),
  }),
);

/** With `quota_exceeded`: the calls before `refusedFrom` are done, and counted as in the reply of a whole batch. The others are to be sent again later. */
export const callsRefused = z.object({
  accepted: z.int(),
  duplicates: z.int(),
  rejected: rejectedCalls,
  refusedFrom: z.int(),
  quota: callQuotaUse,
});
export type CallsRefused = z.infer<typeof callsRefused>;
