import { z } from 'zod';
import { MAX_EXTENSION_DAYS, MAX_GRACE_DAYS, MAX_RENEWAL_MONTHS } from '../domain/limits.ts';
import { instant, toMilliseconds } from './fields.ts';

/**
 * `expiring` begins 30 days before the expiry. In `grace` the license has passed its expiry and still works; once `expired` the
 * command-line tool is refused.
 */
const termState = z.enum(['active', 'expiring', 'grace', 'expired']);

/** How long a license runs, and where it is in its term now. */
export const licenseTerm = z.object({
  startsAt: instant,
  expiresAt: instant,
  /** When the license stops working: the expiry and the days of grace. */
  endsAt: instant,
  graceDays: z.int(),
  isTrial: z.boolean(),
  state: termState,
  /** While the license is expiring: whether the first warning of its term is due. Short terms have none when they begin. */
  isRenewalDue: z.boolean().optional(),
});
export type LicenseTerm = z.infer<typeof licenseTerm>;

/** The term of a license. Without `startsAt` it starts now, or stays as it is. */
export const setTerm = z.strictObject({
  startsAt: toMilliseconds.optional(),
  expiresAt: toMilliseconds,
  graceDays: z
    .int('Must be a whole number')
    .min(0, 'Must be 0 or more')
    .max(MAX_GRACE_DAYS, `Must be at most ${MAX_GRACE_DAYS}`)
    .default(0),
  isTrial: z.boolean().default(false),
});
export type SetTerm = z.infer<typeof setTerm>;

/** From the expiry on, or from now on if the license has expired. */
export const renewal = z.strictObject({
  months: z
    .int('Must be a whole number')
    .min(1, 'Must be 1 or more')
    .max(MAX_RENEWAL_MONTHS, `Must be at most ${MAX_RENEWAL_MONTHS}`),
});

/** Moves the expiry. */
export const extension = z.strictObject({
  days: z
    .int('Must be a whole number')
    .min(1, 'Must be 1 or more')
    .max(MAX_EXTENSION_DAYS, `Must be at most ${MAX_EXTENSION_DAYS.toLocaleString('en-US')}`),
});

/** Licenses by their term: in one of its states, on trial, or without a term. */
export const termFilter = z.enum([...termState.options, 'trial', 'perpetual']);
export type TermFilter = z.infer<typeof termFilter>;
