/** Why the tool of someone who proved to belong to a customer got no seat to work with, as the codes of the problems in the replies. */
export const SEAT_DENIAL_REASONS = [
  'seat_limit_reached',
  'customer_suspended',
  'customer_churned',
  'license_expired',
  'user_suspended',
  'user_inactive',
  'role_not_allowed',
] as const;
/** Why a seat was denied; see `SEAT_DENIAL_REASONS`. */
export type SeatDenialReason = (typeof SEAT_DENIAL_REASONS)[number];
