import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { SeatKind } from '../../domain/enumerations.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
import { DAY_MS } from '../../domain/time.ts';
import { isConnected } from '../presence.ts';
import { isFloatingKind } from './floating.ts';

/** A seat whose user is not connected, since the last use of the tool or the portal. */
export type IdleSeat = Readonly<{ userId: UserId; username: string; kind: SeatKind; idleSince: Date }>;

/** What is asked for: `days` until `now`. What was before `usableSince` does not count as idle; null for all. */
type IdleAsked = Readonly<{ days: number; now: number; usableSince: string | null }>;

/** The seats of a customer that have been idle for some days, and what the policy needs to know about the others. */
export type IdleSeats = Readonly<{
  /** The revision of the customer's stream that the read models have; null where they do not hold the customer. */
  revision: bigint | null;
  /** How late the counted calls are, in ms. */
  callsLagMs: number;
  /** Idle for the longest time first. */
  seats: readonly IdleSeat[];
  /** Since when the seat is idle that becomes due next; null without any. */
  nextSince: Date | null;
}>;

/**
 * The seats that have been idle for some days: since the last call, the last sign-in of the tool, the claim of the seat, or the last use of
 * the portal, whichever is latest. Floating seats become free by themselves, so their users are left out. Sign-ins and sessions say when the portal was used, as long as they are kept. The database is that of
 * the system: tenants do not see sessions.
 */
export const idleSeatsOf = async (
  db: Database,
  customerId: CustomerId,
  { days, now, usableSince }: IdleAsked,
): Promise<IdleSeats> => {
  const cutoff = new Date(now - days * DAY_MS);
  const used = sql`
    select u.user_id, u.username, u.seat,
      greatest(k.last_call_at, u.last_login, u.seat_since, p.at, ${usableSince}::timestamptz) as idle_since
    from read.portal_user u
    left join usage.user_call k on k.customer_id = u.customer_id and k.user_id = u.user_id
    left join (
      select s.user_id, max(s.at) as at from (
        select user_id, last_seen_at as at from auth.session
        where customer_id = ${customerId} and kind = 'customer' and user_id is not null
        union all
        select user_id, at from read.sign_in
        where customer_id = ${customerId} and user_id is not null and outcome = 'accepted'
      ) s group by s.user_id
    ) p on p.user_id = u.user_id
    where u.customer_id = ${customerId} and u.seat is not null and not ${isFloatingKind}
      and not ${isConnected('u.user_id')}`;
  const [{ rows }, { rows: others }] = await Promise.all([
    sql<{ user_id: UserId; username: string; seat: SeatKind; idle_since: Date }>`
      select * from (${used}) as used where idle_since <= ${cutoff} order by idle_since, user_id`.execute(db),
    sql<{ revision: number | null; calls_lag_ms: number; next_since: Date | null }>`
      select (select c.revision from read.customer c where c.customer_id = ${customerId}) as revision,
        (select lag_ms from usage.checkpoint) as calls_lag_ms,
        (select min(idle_since) from (${used}) as used where idle_since > ${cutoff}) as next_since`.execute(db),
  ]);
  const found = others[0];
  return {
    revision: found?.revision == null ? null : BigInt(found.revision),
    callsLagMs: found?.calls_lag_ms ?? 0,
    seats: rows.map((row) => ({ userId: row.user_id, username: row.username, kind: row.seat, idleSince: row.idle_since })),
    nextSince: found?.next_since ?? null,
  };
};
