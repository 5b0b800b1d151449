import { type Examined, endUnusedLeases } from '../commands/seatLeases.ts';
import { type Customer, enforcedLimitOf, seatKindOf, type User } from '../domain/customer/state.ts';
import type { EventMeta } from '../domain/event.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import { DAY_MS, MINUTE_MS } from '../domain/time.ts';
import type { HttpDeps } from './deps.ts';
import { HttpProblem } from './problems/problems.ts';
import { noteSeatDenial } from './seatDenials.ts';

type Deps = Pick<HttpDeps, 'commands' | 'seatUses'>;

/** The lease of a user. `until` is when it ends without another use, ISO-8601 UTC; null while the tool is connected. */
export type ShownLease = Readonly<{ until: string | null }>;

/** Unused leases end by the rule of the license, so the actor is the system and not the user who needs the seat. */
const asSystem = (meta: EventMeta): EventMeta => ({ ...meta, actor: { kind: 'system', id: 'seatLeases' } });

/** A time of today without the day. */
const clockOf = (ms: number, now: number): string => {
  const text = new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
  return `${ms < now + DAY_MS ? text.slice(11) : text} UTC`;
};

/** A session is needed to wait for a seat, and a refused sign-in opens none. */
const NEXT_STEP = { signIn: 'Sign in again when one is free', use: 'Wait with "latchkey connect --wait"' } as const;

const refusalText = (
  kind: string,
  limit: number | null,
  { nextAt }: Examined,
  { at, by }: { at: string; by: keyof typeof NEXT_STEP },
): string =>
  `Every floating ${kind} seat is in use${limit === null ? '' : ` (${limit} of ${limit})`}.` +
  `${nextAt === null ? '' : ` The next one becomes free at ${clockOf(nextAt, Date.parse(at))} at the earliest.`}` +
  ` ${NEXT_STEP[by]}, or ask the person who manages your license to release a seat or to add seats.`;

/** Who uses the tool, and how. An offline license holds the seat until `offlineUntil`. */
type SeatClaim = Readonly<{ meta: EventMeta; by?: keyof typeof NEXT_STEP; offlineUntil?: string }>;

/**
 * A user uses the tool: takes a floating seat, or keeps the one that the user holds. Does nothing where seats are named. Throws
 * `seat_limit_reached` where every seat is in use. Resolves to the position of what was written, null for nothing.
 */
const claimSeat = async (
  deps: Deps,
  customer: Customer,
  user: User,
  { meta, by = 'use', offlineUntil }: SeatClaim,
): Promise<bigint | null> => {
  const kind = seatKindOf(user.role);
  if (customer.floatingMinutes[kind] === null) return null;
  const { commands, seatUses } = deps;
  const { customerId } = customer;
  const { userId } = user;
  const limit = enforcedLimitOf(customer, kind);
  await seatUses.note(customerId, userId);
  const data = { customerId, userId, kind, limit };
  const lease = () =>
    commands.seatLeases.handle(
      offlineUntil === undefined
        ? { type: 'LeaseSeat', data, meta }
        : { type: 'HoldSeatOffline', data: { ...data, until: offlineUntil }, meta },
    );
  const outcome = await lease();
  if (outcome.accepted) return outcome.position;
  const examined = await endUnusedLeases({ commands, usesOf: seatUses.of }, customerId, asSystem(meta));
  const again = examined.ended > 0 ? await lease() : outcome;
  if (again.accepted) return again.position;
  throw new HttpProblem('seat_limit_reached', { text: refusalText(kind, limit, examined, { at: meta.at, by }) });
};

/** Throws `seat_limit_reached` where a new user could not take a floating seat now, so that nobody is registered without one. */
export const expectFreeSeat = async ({ commands, seatUses }: Deps, customer: Customer, meta: EventMeta): Promise<void> => {
  const limit = enforcedLimitOf(customer, 'developer');
  if (customer.floatingMinutes.developer === null || limit === null) return;
  const { customerId } = customer;
  const isFull = async () => (await commands.seatLeases.load(customerId)).state.held.developer >= limit;
  if (!(await isFull())) return;
  const examined = await endUnusedLeases({ commands, usesOf: seatUses.of }, customerId, asSystem(meta));
  if (await isFull())
    throw new HttpProblem('seat_limit_reached', { text: refusalText('developer', limit, examined, { at: meta.at, by: 'signIn' }) });
};

/** As `claimSeat`, for a sign-in, a connection, recorded calls or an offline license: a refusal is recorded as a denied seat. */
export const claimSeatOrDeny = async (
  deps: Deps & Pick<HttpDeps, 'seatDenials'>,
  customer: Customer,
  user: User,
  claim: SeatClaim,
): Promise<bigint | null> =>
  claimSeat(deps, customer, user, claim).catch((error: unknown) => {
    const { customerId } = customer;
    if (error instanceof HttpProblem) noteSeatDenial(deps, { customerId, userId: user.userId, username: null }, error.code);
    throw error;
  });

/**
 * Gives a floating seat back. Does nothing if the user holds none, or signs out while an offline license holds it. Throws
 * `seat_held_offline` for a release of such a seat. Resolves to the position of what was written, null for nothing.
 */
export const endLease = async (
  { commands }: Pick<HttpDeps, 'commands'>,
  { customerId, userId }: Readonly<{ customerId: CustomerId; userId: UserId }>,
  reason: 'released' | 'signed_out',
  meta: EventMeta,
): Promise<bigint | null> => {
  const data = { customerId, userId, reason, lastUsedAt: null };
  const outcome = await commands.seatLeases.handle({ type: 'EndSeatLease', data, meta });
  if (!outcome.accepted) throw new HttpProblem(outcome.refusal);
  return outcome.position;
};

/** How a tool sees the floating seats of its license; nothing where seats are named. `lease` is null for a user without a seat. */
export const describeLease = async (
  { commands, seatUses }: Deps,
  customer: Customer,
  { userId, role }: User,
): Promise<{ lease: ShownLease | null; floating: { minutes: number; leased: number } } | null> => {
  const kind = seatKindOf(role);
  const minutes = customer.floatingMinutes[kind];
  if (minutes === null) return null;
  const [{ state: leases }, uses] = await Promise.all([
    commands.seatLeases.load(customer.customerId),
    seatUses.of(customer.customerId),
  ]);
  const use = uses.get(userId);
  const unusedAt = use?.isConnected || !use?.usedAt ? null : new Date(use.usedAt + minutes * MINUTE_MS).toISOString();
  const offlineUntil = leases.offline.get(userId) ?? '';
  const until = unusedAt !== null && offlineUntil > unusedAt ? offlineUntil : unusedAt;
  return {
    floating: { minutes, leased: leases.held[kind] },
    lease: leases.kinds.get(userId) === kind ? { until } : null,
  };
};
