import { Map as ImmutableMap, Set as ImmutableSet } from 'immutable';
import type { SeatKind } from '../customer/events.ts';
import { accept, type Command, type Decider, type Decision, refuse } from '../decider.ts';
import type { CustomerId, UserId } from '../ids.ts';
import type { SeatLeaseEnded, SeatLeaseEvent } from './events.ts';
import type { LeaseEndReason } from './reasons.ts';

type OfCustomer<Data extends object> = Data & { customerId: CustomerId };
/**
 * A user takes a floating seat, or keeps it. `limit` is how many seats of the kind may be held at the same time, as the license says; null
 * for any number.
 */
type LeaseSeat = Command<'LeaseSeat', OfCustomer<{ userId: UserId; kind: SeatKind; limit: number | null }>>;
/** Does nothing without a lease. */
type EndSeatLease = Command<'EndSeatLease', OfCustomer<{ userId: UserId; reason: LeaseEndReason; lastUsedAt: string | null }>>;

export type SeatLeaseCommand = LeaseSeat | EndSeatLease;
export type SeatLeaseRefusal = 'seat_limit_reached';

/** Who holds the floating seats of a customer. */
export type SeatLeases = Readonly<{
  kinds: ImmutableMap<UserId, SeatKind>;
  held: Readonly<Record<SeatKind, number>>;
  /** Users whose last lease was released by somebody: their tools do not take a seat again by themselves. */
  released: ImmutableSet<UserId>;
}>;

const ended = (userId: UserId, kind: SeatKind, reason: LeaseEndReason, lastUsedAt: string | null = null): SeatLeaseEnded => ({
  type: 'SeatLeaseEnded',
  data: { userId, kind, reason, lastUsedAt },
});

/** Leasing a seat that the user holds is a no-op, whatever the limit is now: a lower limit takes no seat away. */
const lease = (
  { data: { userId, kind, limit } }: LeaseSeat,
  { kinds, held }: SeatLeases,
): Decision<SeatLeaseEvent, SeatLeaseRefusal> => {
  const own = kinds.get(userId);
  if (own === kind) return accept();
  if (limit !== null && held[kind] >= limit) return refuse('seat_limit_reached');
  return accept<SeatLeaseEvent>(...(own === undefined ? [] : [ended(userId, own, 'not_allowed')]), {
    type: 'SeatLeased',
    data: { userId, kind },
  });
};

const decide = (command: SeatLeaseCommand, leases: SeatLeases): Decision<SeatLeaseEvent, SeatLeaseRefusal> => {
  switch (command.type) {
    case 'LeaseSeat':
      return lease(command, leases);
    case 'EndSeatLease': {
      const { userId, reason, lastUsedAt } = command.data;
      const kind = leases.kinds.get(userId);
      return kind === undefined ? accept() : accept(ended(userId, kind, reason, lastUsedAt));
    }
  }
};

const counted = ({ held }: SeatLeases, kind: SeatKind, difference: 1 | -1): SeatLeases['held'] => ({
  ...held,
  [kind]: held[kind] + difference,
});

const evolve = (leases: SeatLeases, { type, data }: SeatLeaseEvent): SeatLeases => {
  const { userId, kind } = data;
  switch (type) {
    case 'SeatLeased':
      return {
        kinds: leases.kinds.set(userId, kind),
        held: counted(leases, kind, 1),
        released: leases.released.delete(userId),
      };
    case 'SeatLeaseEnded':
      return {
        kinds: leases.kinds.delete(userId),
        held: counted(leases, kind, -1),
        released: data.reason === 'released' ? leases.released.add(userId) : leases.released.delete(userId),
      };
  }
};

/** The floating seats of a customer: one stream beside the customer's own, so that leases do not change the revision of the license. */
export const seatLeasesDecider: Decider<SeatLeaseCommand, SeatLeases, SeatLeaseEvent, SeatLeaseRefusal> = {
  initial: { kinds: ImmutableMap(), held: { developer: 0, stakeholder: 0 }, released: ImmutableSet() },
  decide,
  evolve,
};
