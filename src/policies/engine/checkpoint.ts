import type { Database } from '../../database/database.ts';
import { type LastEventRow, lastEventOf, lastEventRow } from '../../database/lastEvent.ts';
import { type EventStore, holds, type LastEvent, type Position, type TypedItem } from '../../eventstore/port.ts';

/** How far a policy has come: all events up to the position, and the last event of them that it handled. */
export type PolicyProgress = Readonly<{ position: Position; last: LastEvent | null }>;

/** The progress with an item of the subscription, after `last` was handled. */
export const progressAfter = (item: Exclude<TypedItem, { kind: 'caughtUp' }>, last: LastEvent | null): PolicyProgress => {
  if (item.kind === 'checkpoint') return { position: item.position, last };
  if (item.kind === 'skipped') return { position: item.skipped.position, last: item.skipped };
  const { stream, revision, id, position } = item.kind === 'event' ? item.recorded : item.undecodable;
  return { position, last: { stream, revision, id, position } };
};

export type PolicyCheckpoint = Readonly<{
  /** What to continue after; null for the start. */
  from: PolicyProgress | null;
  save: (progress: PolicyProgress) => Promise<void>;
}>;

type Store = Pick<EventStore, 'identity' | 'head' | 'read'>;

/** Why an event store is not taken for the one that a policy followed. */
type Difference = 'different' | 'rolled_back';

/**
 * The event store is another one, or lacks events that the policy handled. The policy does not continue until an operator confirms
 * what is the case, because its notes exist nowhere else.
 */
class StoreNotConfirmed extends Error {
  override readonly name = 'StoreNotConfirmed';

  constructor(difference: Difference) {
    super(
      difference === 'different'
        ? 'The event store is not the one that this policy followed. Run latchkey-admin confirm-store.'
        : 'The event store lacks events that this policy has handled. Run latchkey-admin confirm-store different.',
    );
  }
}

const COLUMNS = ['position', 'store_id', 'last_stream', 'last_revision', 'last_event', 'last_position'] as const;
type Saved = LastEventRow & { position: string; store_id: string | null };

const differenceOf = async (events: Store, saved: Saved): Promise<Difference | null> => {
  const [identity, head, last] = [await events.identity(), await events.head(), lastEventOf(saved)];
  if (head === null || BigInt(saved.position) > head) return 'rolled_back';
  if (last && (await holds(events, last)) === false) return 'rolled_back';
  return saved.store_id !== null && saved.store_id !== identity ? 'different' : null;
};

/** The progress of a policy. Throws `StoreNotConfirmed`. */
export const openCheckpoint = async (db: Database, policy: string, events: Store): Promise<PolicyCheckpoint> => {
  const store_id = await events.identity();
  const saved = await db.selectFrom('policy.checkpoint').select(COLUMNS).where('policy', '=', policy).executeTakeFirst();
  const difference = saved && (await differenceOf(events, saved));
  if (difference) throw new StoreNotConfirmed(difference);
  return {
    from: saved ? { position: BigInt(saved.position), last: lastEventOf(saved) } : null,
    save: async ({ position, last }) => {
      const reached = {
        position: position.toString(),
        store_id,
        ...lastEventRow(last),
      };
      await db
        .insertInto('policy.checkpoint')
        .values({ policy, ...reached })
        .onConflict((conflict) => conflict.column('policy').doUpdateSet(reached))
        .execute();
    },
  };
};

/** A policy that does not continue until the event store is confirmed. */
export type UnconfirmedPolicy = Readonly<{ policy: string; difference: Difference; notes: number }>;

/** The policies that wait for `confirmStore`, by name. */
export const unconfirmedPolicies = async (db: Database, events: Store): Promise<UnconfirmedPolicy[]> => {
  const saved = await db
    .selectFrom('policy.checkpoint as c')
    .select('c.policy')
    .select(COLUMNS)
    .select((eb) =>
      eb
        .selectFrom('policy.note as n')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .whereRef('n.policy', '=', 'c.policy')
        .as('notes'),
    )
    .orderBy('c.policy')
    .execute();
  const unconfirmed: UnconfirmedPolicy[] = [];
  for (const { policy, notes, ...checkpoint } of saved) {
    const difference = await differenceOf(events, checkpoint);
    if (difference) unconfirmed.push({ policy, difference, notes: Number(notes) });
  }
  return unconfirmed;
};

/**
 * Confirms the event store for waiting policies; resolves to the names of those that continue. With `same` they continue where they left
 * off, except those whose events the store lacks: lost events changed their notes, so they must start over. With `different` checkpoints
 * and notes are deleted, and policies start over with the first event.
 */
export const confirmStore = async (
  db: Database,
  events: Store,
  waiting: readonly UnconfirmedPolicy[],
  answer: 'same' | 'different',
): Promise<string[]> => {
  const policies = waiting
    .filter(({ difference }) => answer === 'different' || difference === 'different')
    .map(({ policy }) => policy);
  if (policies.length === 0) return [];
  const store_id = await events.identity();
  await db.transaction().execute(async (transaction) => {
    if (answer === 'same') {
      await transaction.updateTable('policy.checkpoint').set({ store_id }).where('policy', 'in', policies).execute();
      return;
    }
    await transaction.deleteFrom('policy.checkpoint').where('policy', 'in', policies).execute();
    await transaction.deleteFrom('policy.note').where('policy', 'in', policies).execute();
  });
  return policies;
};
