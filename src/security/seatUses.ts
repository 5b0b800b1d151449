import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import { MAX_FLOATING_MINUTES } from '../domain/limits.ts';
import { MINUTE_MS } from '../domain/time.ts';

/** How a user uses a floating seat now: `usedAt` is the last use in ms since 1970, null if none is known. */
type SeatUse = Readonly<{ usedAt: number | null; isConnected: boolean }>;

/** The last uses of floating seats, in a table beside the events: a use is too frequent for an event. */
export type SeatUses = Readonly<{
  /** A user uses the tool. It is noted before the lease, so that nobody sees a lease without a use. */
  note: (customerId: CustomerId, userId: UserId) => Promise<void>;
  /** The tool of a user has disconnected. Does nothing for users without a floating seat. */
  noteIfKnown: (userId: UserId) => Promise<void>;
  /** The uses of the users of a customer. A connected user uses the seat now, which is noted. */
  of: (customerId: CustomerId) => Promise<ReadonlyMap<UserId, SeatUse>>;
}>;

/** Uses are kept for longer than any lease lasts without one. */
const KEPT_MS = 2 * MAX_FLOATING_MINUTES * MINUTE_MS;

/** `now` is ms since 1970, by the clock of this node: times never come from the database or from a tool. */
export const createSeatUses = ({ db, now }: { db: Database; now: () => number }): SeatUses => ({
  note: async (customerId, userId) => {
    await sql`
      insert into live.seat_use (user_id, customer_id, used_at) values (${userId}, ${customerId}, ${new Date(now())})
      on conflict (user_id) do update set used_at = greatest(live.seat_use.used_at, excluded.used_at)`.execute(db);
  },

  noteIfKnown: async (userId) => {
    await sql`
      update live.seat_use set used_at = greatest(used_at, ${new Date(now())}::timestamptz) where user_id = ${userId}`.execute(db);
  },

  of: async (customerId) => {
    // A lease of a connection that has run out counts until it is swept, as for presence.
    const { rows } = await sql<{ user_id: UserId; used_at: Date | null; connected: boolean }>`
      with connected as (select distinct user_id from live.connection where customer_id = ${customerId}),
      noted as (
        update live.seat_use u set used_at = greatest(u.used_at, ${new Date(now())}::timestamptz)
        from connected c where c.user_id = u.user_id),
      outdated as (
        delete from live.seat_use u where customer_id = ${customerId} and used_at < ${new Date(now() - KEPT_MS)}::timestamptz
          and not exists (select from connected c where c.user_id = u.user_id))
      select coalesce(u.user_id, c.user_id) as user_id, u.used_at, c.user_id is not null as connected
      from (select user_id, used_at from live.seat_use where customer_id = ${customerId}) u
      full join connected c on c.user_id = u.user_id`.execute(db);
    return new Map(
      rows.map((row) => [row.user_id, { usedAt: row.used_at?.getTime() ?? null, isConnected: row.connected }] as const),
    );
  },
});
