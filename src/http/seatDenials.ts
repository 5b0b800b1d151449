import type { CustomerId, UserId } from '../domain/ids.ts';
import { SEAT_DENIAL_REASONS, type SeatDenialReason } from '../domain/seatDenials/reasons.ts';
import type { HttpDeps } from './deps.ts';

type Denied = Readonly<{ customerId: CustomerId; userId: UserId | undefined; username: string | null }>;

const isReason = (code: string): code is SeatDenialReason => SEAT_DENIAL_REASONS.some((reason) => reason === code);

/**
 * Records that someone who has proved to belong to the customer was refused a seat to work with. `userId` is undefined for a person who
 * is no user yet. Does nothing for other problems, such as a machine that needs approval.
 */
export const noteSeatDenial = (
  { seatDenials }: Pick<HttpDeps, 'seatDenials'>,
  { customerId, userId, username }: Denied,
  code: string,
): void => {
  if (!isReason(code)) return;
  // The tool needs a developer seat, whatever the role.
  seatDenials.record({ customerId, userId: userId ?? null, username: userId ? null : username, kind: 'developer', reason: code });
};
