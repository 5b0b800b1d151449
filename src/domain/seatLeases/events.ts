import type { SeatKind } from '../enumerations.ts';
import type { DomainEvent } from '../event.ts';
import type { UserId } from '../ids.ts';
import type { LeaseEndReason } from './reasons.ts';

/** A user took one of the floating seats of the customer. */
export type SeatLeased = DomainEvent<'SeatLeased', { userId: UserId; kind: SeatKind }>;
/** The seat became free. `lastUsedAt` (ISO-8601 UTC) is the last use that the server knows; null where it did not matter. */
export type SeatLeaseEnded = DomainEvent<
  'SeatLeaseEnded',
  { userId: UserId; kind: SeatKind; reason: LeaseEndReason; lastUsedAt: string | null }
>;

/** An offline license of the user holds the seat until an instant (ISO-8601 UTC), whatever is used. */
export type SeatHeldOffline = DomainEvent<'SeatHeldOffline', { userId: UserId; kind: SeatKind; until: string }>;

/** The events of the stream of a customer's floating seats. */
export type SeatLeaseEvent = SeatLeased | SeatLeaseEnded | SeatHeldOffline;
