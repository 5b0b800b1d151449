import type { Commands } from '../commands/commands.ts';
import { ownersRefusalOf } from '../commands/expectOwners.ts';
import { ownerOf } from '../commands/streams.ts';
import { licenseRefusalOf } from '../domain/customer/decideUsers.ts';
import { isRegistered } from '../domain/customer/state.ts';
import type { CustomerId } from '../domain/ids.ts';
import { teamIdOf } from '../domain/team/teamId.ts';
import { DAY_MS, HOUR_MS } from '../domain/time.ts';
import type { IdleSeat, IdleSeats } from '../projections/seats/idle.ts';
import { type Policy, type PolicyContext, policyOn } from './engine/policy.ts';

/** The name of the policy, which is the actor of what it does. */
export const RELEASE_IDLE_SEATS = 'releaseIdleSeats';

/** Seats that are released by one append. */
const BATCH = 200;
/** Read models that are not up to date are asked again after so long. */
const AGAIN_MS = 5_000;
/** Calls that are counted later than this could make a used seat look idle. */
const MAX_CALLS_LAG_MS = 60_000;
const CONCURRENT = 8;

type Deps = Readonly<{
  commands: Pick<Commands, 'customers' | 'teams'>;
  idleSeats: (customerId: CustomerId, asked: { days: number; now: number; usableSince: string | null }) => Promise<IdleSeats>;
}>;

/**
 * Releases the seats that were idle for as many days as the license says, by deactivating their users. Each license with such a number
 * has one note, due when the next seat may be, at most a day later. Its value is the time before which nobody could use the license, for
 * then it was suspended or expired.
 *
 * The read models decide who is idle, so nothing is released unless they have the whole stream of the customer, and the append fails if
 * the stream has changed since. So a late, repeated or concurrent reaction releases nobody twice, and nobody who was activated again.
 * The last administrator of the portal keeps the seat.
 */
export const releaseIdleSeats = ({ commands, idleSeats }: Deps): Policy => {
  /** Releases the seats; resolves to false if the customer changed in the meantime. */
  const release = async (
    customerId: CustomerId,
    { days, revision, seats }: Readonly<{ days: number; revision: bigint; seats: readonly IdleSeat[] }>,
    { metaFor }: PolicyContext,
  ): Promise<boolean> => {
    let ifRevision = revision;
    const releasing = async (some: readonly IdleSeat[]): Promise<boolean> => {
      const meta = metaFor(null);
      const all = some.map(({ userId }) => ({ type: 'ReleaseIdleSeat' as const, data: { customerId, userId, days }, meta }));
      const outcome = await commands.customers.handle(all, { ifRevision });
      if (outcome.accepted) ifRevision = outcome.revision;
      return outcome.accepted;
    };
    const { members } = (await commands.teams.load(teamIdOf({ kind: 'customer', customerId }))).state;
    const others = seats.filter(({ userId }) => !members.has(userId));
    for (let first = 0; first < others.length; first += BATCH) {
      if (!(await releasing(others.slice(first, first + BATCH)))) return false;
    }
    // One after the other, because each may be the last administrator after the one before.
    for (const seat of seats.filter(({ userId }) => members.has(userId))) {
      const change = { customerId, userId: seat.userId, role: null };
      const refusal = await ownersRefusalOf(commands, change, { expecting: metaFor(null), following: metaFor(null) });
      if (refusal === null && !(await releasing([seat]))) return false;
    }
    return true;
  };

  return policyOn({
    name: RELEASE_IDLE_SEATS,
    eventTypes: ['IdleReleaseSet', 'CustomerDeleted'],
    react: async ({ event, stream }, { notes, now }) => {
      if (event.type === 'CustomerDeleted' || event.data.days === null) return notes.remove(stream);
      await notes.put(stream, '', new Date(now()));
    },
    concurrentDue: CONCURRENT,
    onDue: async ({ key, value, dueAt }, context) => {
      const { notes, now } = context;
      const at = now();
      const again = (ms: number, usableSince = value): Promise<void> => notes.put(key, usableSince, new Date(at + ms));
      // No server ran: tools first get a day to connect, and to send the calls of the time between.
      if (dueAt !== null && at - dueAt.getTime() > HOUR_MS) return again(DAY_MS);
      const customerId = ownerOf.customer(key);
      const { state, revision } = await commands.customers.load(customerId);
      if (!isRegistered(state) || state.idleReleaseDays === null) return;
      const time = new Date(at).toISOString();
      if (licenseRefusalOf(state, time) !== null) return again(DAY_MS, time);
      const days = state.idleReleaseDays;
      const found = await idleSeats(customerId, { days, now: at, usableSince: value === '' ? null : value });
      if (found.revision !== revision || found.callsLagMs > MAX_CALLS_LAG_MS) return again(AGAIN_MS);
      if (!(await release(customerId, { days, revision, seats: found.seats }, context))) return again(AGAIN_MS);
      const nextMs = found.nextSince === null ? DAY_MS : found.nextSince.getTime() + days * DAY_MS - at;
      await again(Math.min(DAY_MS, Math.max(AGAIN_MS, nextMs)));
    },
  });
};
