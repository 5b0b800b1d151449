import { decideInOrder, type Refused } from '../decider.ts';
import { SEAT_KINDS, type SeatKind } from '../enumerations.ts';
import { UNLIMITED_SEATS } from '../limits.ts';
import type { CustomerCommand } from './commands.ts';
import { type CustomerRefusal, customerDecider } from './decider.ts';
import { licenseRefusalOf } from './decideUsers.ts';
import type { CustomerEvent } from './events.ts';
import { type Customer, type CustomerState, isRegistered, seatKindOf, type User } from './state.ts';

/** What commands would do to a customer's users. Users are as they were before. */
export type Consequences = Readonly<{
  accepted: true;
  /** What would be appended. */
  events: readonly CustomerEvent[];
  after: CustomerState;
  /** Users who could sign in before, and not afterwards. */
  lockedOut: readonly User[];
  /** Seats that are released and claimed, in the order of the events. */
  released: readonly Readonly<{ user: User; kind: SeatKind }>[];
  claimed: readonly Readonly<{ user: User; kind: SeatKind }>[];
  /** Kinds of seats of which users keep more than the new limit, with all users who hold one. */
  overLimit: readonly Readonly<{ kind: SeatKind; limit: number; holders: readonly User[] }>[];
  /** Kinds of seats whose number or kind of limit changes. `users` are active and share floating seats, or hold a named one each. */
  changedSeats: readonly Readonly<{ kind: SeatKind; limit: number; isFloating: boolean; isEnforced: boolean; users: number }>[];
}>;

/** Whether a user may sign in at an instant. */
const worksIn = (state: CustomerState, { userId }: User, at: string): boolean =>
  isRegistered(state) && licenseRefusalOf(state, at) === null && state.users.get(userId)?.status === 'active';

const changedSeatsIn = (before: Customer, after: CustomerState): Consequences['changedSeats'] => {
  if (!isRegistered(after)) return [];
  const { seatLimitsEnforced: isEnforced } = after;
  return SEAT_KINDS.flatMap((kind) => {
    const { allocated: limit, active } = after.seats[kind];
    const isFloating = after.floatingMinutes[kind] !== null;
    const isAsBefore =
      limit === before.seats[kind].allocated &&
      isEnforced === before.seatLimitsEnforced &&
      isFloating === (before.floatingMinutes[kind] !== null);
    if (isAsBefore) return [];
    const sharing = after.users.count(({ status, role }) => status === 'active' && seatKindOf(role) === kind);
    return [{ kind, limit, isFloating, isEnforced, users: isFloating ? sharing : active }];
  });
};

const overLimitIn = (changed: Consequences['changedSeats'], after: CustomerState): Consequences['overLimit'] =>
  isRegistered(after)
    ? changed
        .filter(({ limit, isFloating, users }) => !isFloating && limit !== UNLIMITED_SEATS && users > limit)
        .map(({ kind, limit }) => ({ kind, limit, holders: [...after.users.values()].filter(({ seat }) => seat === kind) }))
    : [];

const seatsIn = (events: readonly CustomerEvent[], type: 'SeatReleased' | 'SeatClaimed', { users }: Customer) =>
  events.flatMap((event) => {
    const user = event.type === type ? users.get(event.data.userId) : undefined;
    return user && event.type === type ? [{ user, kind: event.data.kind }] : [];
  });

/** What events that a decision leads to would do to the users of a customer. `at` (ISO-8601 UTC) is when. */
export const consequencesOfEvents = (
  events: readonly CustomerEvent[],
  { before, after, at }: Readonly<{ before: Customer; after: CustomerState; at: string }>,
): Consequences => {
  const changedSeats = changedSeatsIn(before, after);
  return {
    accepted: true,
    events,
    after,
    lockedOut: [...before.users.values()].filter((user) => worksIn(before, user, at) && !worksIn(after, user, at)),
    released: seatsIn(events, 'SeatReleased', before),
    claimed: seatsIn(events, 'SeatClaimed', before),
    overLimit: overLimitIn(changedSeats, after),
    changedSeats,
  };
};

/**
 * Decides commands on the state now without appending anything: what they would do to the users, or why they are refused. `at` (ISO-8601
 * UTC) is when; users of a license that has expired by then cannot sign in already.
 */
export const consequencesOf = (
  commands: readonly CustomerCommand[],
  before: Customer,
  at: string,
): Consequences | Refused<CustomerRefusal> => {
  const decided = decideInOrder(customerDecider, commands, before);
  if (!decided.accepted) return decided;
  return consequencesOfEvents(decided.events, { before, after: decided.state, at });
};
