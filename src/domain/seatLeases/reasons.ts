/**
 * Why a user gave a floating seat back: it was not used for the minutes of the license, the tool was signed out, another user released
 * it, the user or the customer may no longer use the tool, or seats of the kind became named.
 */
export const LEASE_END_REASONS = ['unused', 'signed_out', 'released', 'not_allowed', 'named'] as const;
/** Why a lease ended; see `LEASE_END_REASONS`. */
export type LeaseEndReason = (typeof LEASE_END_REASONS)[number];
