import type { DomainEvent } from '../event.ts';
import type { CustomerId, IntegratorId, UserId } from '../ids.ts';
import type { SignInMethod } from './methods.ts';

/** What someone signs in to: the three parts of the console, or the tool (`cli`). */
export type SignInAudience = 'admin' | 'customer' | 'integrator' | 'cli';
/** `throttled`: the key was not evaluated, as the address had used up its attempts. */
export type SignInOutcome = 'accepted' | 'rejected' | 'throttled';

/**
 * Sign-ins of one address with the same audience, outcome, reason, method and account. The first of a minute is an event of its own; those that
 * follow within the minute are one more.
 */
export type SignInsRecorded = DomainEvent<
  'SignInsRecorded',
  {
    audience: SignInAudience;
    outcome: SignInOutcome;
    /** The code of the problem in the reply to a rejected one; `break_glass` of an accepted key that only emergencies allow. */
    reason: string | null;
    /** How the client signed in or tried to; null where an earlier version recorded it. */
    method: SignInMethod | null;
    /** The client's address; a network where more addresses failed than are counted one by one, and null beyond that. */
    address: string | null;
    /** The account of the key, if known. */
    customerId: CustomerId | null;
    integratorId: IntegratorId | null;
    userId: UserId | null;
    /** Identifies the last key without disclosing it: sign-ins with the same key have the same fingerprint. */
    fingerprint: string | null;
    /** How many different keys were sent, counted up to 16. */
    keys: number;
    count: number;
    /** ISO-8601 UTC. */
    firstAt: string;
    lastAt: string;
  }
>;

/** The events of the stream of sign-ins, one stream for each UTC day. */
export type SignInEvent = SignInsRecorded;
