import type { SeatKind } from '../enumerations.ts';
import type { DomainEvent } from '../event.ts';
import type { CustomerId, UserId } from '../ids.ts';
import type { SeatDenialReason } from './reasons.ts';

/**
 * Sign-ins of the tool by one person that were refused a seat for the same reason. The first of a minute is an event of its own; those that
 * follow within the minute are one more.
 */
export type SeatDenied = DomainEvent<
  'SeatDenied',
  {
    customerId: CustomerId;
    /** Null for a person who is no user, and for several persons together. */
    userId: UserId | null;
    /** What a person who is no user gave as username; null for users, whose name the customer has, and for several persons together. */
    username: string | null;
    kind: SeatKind;
    reason: SeatDenialReason;
    count: number;
    /** ISO-8601 UTC. */
    firstAt: string;
    lastAt: string;
  }
>;

/** The events of the stream of a customer's denied seats, which are recorded without a decision. */
export type SeatDenialEvent = SeatDenied;
