import { Map as ImmutableMap, Set as ImmutableSet } from 'immutable';
import { accept, type Command, type Decider, type Decision, refuse } from '../decider.ts';
import type { SeatKind } from '../enumerations.ts';
import type { CustomerId, UserId } from '../ids.ts';
import type { SeatHeldOffline, SeatLeaseEnded, SeatLeaseEvent } from './events.ts';
import type { LeaseEndReason } from './reasons.ts';

type OfCustomer<Data extends object> = Data & { customerId: CustomerId };
/**
 * A user takes a floating seat, or keeps it. `limit` is how many seats of the kind may be held at the same time, as the license says; null
 * for any number.
 */
type LeaseSeat = Command<'LeaseSeat', OfCustomer<{ userId: UserId; kind: SeatKind; limit: number | null }>>;
/** Leases a seat for an offline license: the user keeps the seat until it expires, since it cannot be revoked. */
type HoldSeatOffline = Command<
  'HoldSeatOffline',
  OfCustomer<{ userId: UserId; kind: SeatKind; limit: number | null; until: string }>
>;
/** Does nothing without a lease. */
type EndSeatLease = Command<'EndSeatLease', OfCustomer<{ userId: UserId; reason: LeaseEndReason; lastUsedAt: string | null }>>;

/** The commands for the floating seats of a customer. */
export type SeatLeaseCommand = LeaseSeat | HoldSeatOffline | EndSeatLease;
/** Why a lease was refused: all seats are taken, or an offline license holds the seat. */
export type SeatLeaseRefusal = 'seat_limit_reached' | 'seat_held_offline';

/** Who holds the floating seats of a customer. */
export type SeatLeases = Readonly<{
  kinds: ImmutableMap<UserId, SeatKind>;
  held: Readonly<Record<SeatKind, number>>;
  /** Until when offline licenses hold seats of users, ISO-8601 UTC. */
  offline: ImmutableMap<UserId, string>;
  /** Users whose last lease was released by another user: their tools do not take a seat again by themselves. */
  released: ImmutableSet<UserId>;
}>;

const ended = (userId: UserId, kind: SeatKind, reason: LeaseEndReason, lastUsedAt: string | null = null): SeatLeaseEnded => ({
  type: 'SeatLeaseEnded',
  data: { userId, kind, reason, lastUsedAt },
});

/** Leasing a seat that the user holds is a no-op, whatever the limit is now: a lower limit takes no seat away. */
const lease = (
  { data: { userId, kind, limit } }: LeaseSeat | HoldSeatOffline,
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

const heldOffline = ({ data: { userId, kind, until } }: HoldSeatOffline): SeatHeldOffline => ({
  type: 'SeatHeldOffline',
  data: { userId, kind, until },
});

/** A later expiry replaces an earlier one. */
const holdOffline = (command: HoldSeatOffline, leases: SeatLeases): Decision<SeatLeaseEvent, SeatLeaseRefusal> => {
  const leased = lease(command, leases);
  const isHeld = Date.parse(leases.offline.get(command.data.userId) ?? '') >= Date.parse(command.data.until);
  return leased.accepted && !isHeld ? accept<SeatLeaseEvent>(...leased.events, heldOffline(command)) : leased;
};

/**
 * Whether an offline license keeps the seat for this reason. It does not for users who may no longer use the tool, or who have a named seat.
 */
const outlasts: Readonly<Record<LeaseEndReason, boolean>> = {
  unused: true,
  signed_out: true,
  released: true,
  not_allowed: false,
  named: false,
};

const end = ({ data, meta }: EndSeatLease, leases: SeatLeases): Decision<SeatLeaseEvent, SeatLeaseRefusal> => {
  const { userId, reason, lastUsedAt } = data;
  const kind = leases.kinds.get(userId);
  if (kind === undefined) return accept();
  const isHeldOffline = Date.parse(leases.offline.get(userId) ?? '') > Date.parse(meta.at);
  if (!isHeldOffline || !outlasts[reason]) return accept(ended(userId, kind, reason, lastUsedAt));
  return reason === 'released' ? refuse('seat_held_offline') : accept();
};

const decide = (command: SeatLeaseCommand, leases: SeatLeases): Decision<SeatLeaseEvent, SeatLeaseRefusal> => {
  switch (command.type) {
    case 'LeaseSeat':
      return lease(command, leases);
    case 'HoldSeatOffline':
      return holdOffline(command, leases);
    case 'EndSeatLease':
      return end(command, leases);
  }
};

const counted = ({ held }: SeatLeases, kind: SeatKind, difference: 1 | -1): SeatLeases['held'] => ({
  ...held,
  [kind]: held[kind] + difference,
});

const evolve = (leases: SeatLeases, { type, data }: SeatLeaseEvent): SeatLeases => {
  const { userId, kind } = data;
  switch (type) {
    case 'SeatHeldOffline':
      return { ...leases, offline: leases.offline.set(userId, data.until) };
    case 'SeatLeased':
      return {
        ...leases,
        kinds: leases.kinds.set(userId, kind),
        held: counted(leases, kind, 1),
        released: leases.released.delete(userId),
      };
    case 'SeatLeaseEnded':
      return {
        offline: leases.offline.delete(userId),
        kinds: leases.kinds.delete(userId),
        held: counted(leases, kind, -1),
        released: data.reason === 'released' ? leases.released.add(userId) : leases.released.delete(userId),
      };
  }
};

/** The floating seats of a customer: one stream beside the customer's own, so that leases do not change the revision of the license. */
export const seatLeasesDecider: Decider<SeatLeaseCommand, SeatLeases, SeatLeaseEvent, SeatLeaseRefusal> = {
  initial: { offline: ImmutableMap(), kinds: ImmutableMap(), held: { developer: 0, stakeholder: 0 }, released: ImmutableSet() },
  decide,
  evolve,
};
