import { type Customer, isRegistered, seatKindOf } from '../domain/customer/state.ts';
import { SEAT_KINDS } from '../domain/enumerations.ts';
import type { EventMeta } from '../domain/event.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import type { LeaseEndReason } from '../domain/seatLeases/reasons.ts';
import { MINUTE_MS } from '../domain/time.ts';
import type { Commands } from './commands.ts';

/** How users of a customer use floating seats now; `usedAt` is ms since 1970. */
type Uses = ReadonlyMap<UserId, Readonly<{ usedAt: number | null; isConnected: boolean }>>;

type Deps = Readonly<{
  commands: Pick<Commands, 'customers' | 'seatLeases'>;
  usesOf: (customerId: CustomerId) => Promise<Uses>;
}>;

/**
 * `nextAt` (ms since 1970) is when a lease can end at the earliest, unless its user uses the tool until then; `againAt` is the same for a
 * lease that begins after the examination, too. Both are null without leases.
 */
export type Examined = Readonly<{ ended: number; held: number; nextAt: number | null; againAt: number | null }>;

const NO_LEASES: Examined = { ended: 0, held: 0, nextAt: null, againAt: null };

/** Connected users are looked at twice in the time after which an unused seat becomes free. */
const LOOKS = 2;

type Verdict = Readonly<{ ends: LeaseEndReason; lastUsedAt: string | null } | { ends: null; nextAt: number }>;

/** `offlineUntil` is until when an offline license holds the seat, undefined without one. */
const verdictOn = (
  customer: Customer,
  userId: UserId,
  use: ReturnType<Uses['get']>,
  { at, offlineUntil }: { at: number; offlineUntil: string | undefined },
): Verdict => {
  const user = customer.users.get(userId);
  const kind = user?.status === 'active' && user.seat !== null ? seatKindOf(user.role) : null;
  if (kind === null || customer.status !== 'active') return { ends: 'not_allowed', lastUsedAt: null };
  const minutes = customer.floatingMinutes[kind];
  if (minutes === null) return { ends: 'named', lastUsedAt: null };
  const until = Date.parse(offlineUntil ?? '');
  if (until > at) return { ends: null, nextAt: until };
  const ms = minutes * MINUTE_MS;
  if (use?.isConnected) return { ends: null, nextAt: at + ms / LOOKS };
  const usedAt = use?.usedAt ?? null;
  if (usedAt !== null && usedAt + ms > at) return { ends: null, nextAt: usedAt + ms };
  return { ends: 'unused', lastUsedAt: usedAt === null ? null : new Date(usedAt).toISOString() };
};

/** After how long a lease that begins now can end at the earliest. */
const shortestMs = ({ floatingMinutes }: Customer): number =>
  Math.min(...SEAT_KINDS.map((kind) => floatingMinutes[kind] ?? Number.POSITIVE_INFINITY)) * MINUTE_MS;

/**
 * Ends the leases of a customer that were not used for the minutes of its license, and those of users who may not hold one any more. The
 * stream decides, so that a repeated or concurrent examination ends nothing twice.
 */
export const endUnusedLeases = async ({ commands, usesOf }: Deps, customerId: CustomerId, meta: EventMeta): Promise<Examined> => {
  const { state: leases } = await commands.seatLeases.load(customerId);
  if (leases.kinds.isEmpty()) return NO_LEASES;
  const { state: customer } = await commands.customers.load(customerId);
  if (!isRegistered(customer)) return NO_LEASES;
  const uses = await usesOf(customerId);
  const at = Date.parse(meta.at);
  let ended = 0;
  let nextAt = Number.POSITIVE_INFINITY;
  for (const userId of leases.kinds.keys()) {
    const verdict = verdictOn(customer, userId, uses.get(userId), { at, offlineUntil: leases.offline.get(userId) });
    if (verdict.ends === null) {
      nextAt = Math.min(nextAt, verdict.nextAt);
      continue;
    }
    const { ends: reason, lastUsedAt } = verdict;
    const outcome = await commands.seatLeases.handle({
      type: 'EndSeatLease',
      data: { customerId, userId, reason, lastUsedAt },
      meta,
    });
    if (outcome.accepted) ended += 1;
  }
  const held = leases.kinds.size - ended;
  if (held === 0) return { ...NO_LEASES, ended };
  return { ended, held, nextAt, againAt: Math.min(nextAt, at + shortestMs(customer)) };
};
