import type { Database } from '../../database/database.ts';
import type { EventStore, Position } from '../../eventstore/port.ts';

export type Checkpoint = Readonly<{
  /** The position to continue after; null for the start. */
  after: Position | null;
  save: (position: Position) => Promise<void>;
}>;

type Store = Pick<EventStore, 'identity' | 'head'>;

/** Why an event store is not taken for the one that a policy followed. */
type Difference = 'different' | 'rolled_back';

/**
 * The event store is another one, or ends before the position that the policy reached. The policy does not continue until an operator
 * confirms what is the case, because its notes exist nowhere else.
 */
class StoreNotConfirmed extends Error {
  override readonly name = 'StoreNotConfirmed';

  constructor(difference: Difference) {
    const what =
      difference === 'different'
        ? 'The event store is not the one that this policy followed'
        : 'The event store ends before the position that this policy reached';
    super(`${what}. Run latchkey-admin confirm-store.`);
  }
}

type Saved = { position: string; store_id: string | null };

const differenceOf = ({ position, store_id }: Saved, identity: string, head: Position | null): Difference | null => {
  if (store_id !== null && store_id !== identity) return 'different';
  return head === null || BigInt(position) > head ? 'rolled_back' : null;
};

/** The progress of a policy. Throws `StoreNotConfirmed`. */
export const openCheckpoint = async (db: Database, policy: string, events: Store): Promise<Checkpoint> => {
  const storeId = await events.identity();
  const saved = await db
    .selectFrom('policy.checkpoint')
    .select(['position', 'store_id'])
    .where('policy', '=', policy)
    .executeTakeFirst();
  const difference = saved && differenceOf(saved, storeId, await events.head());
  if (difference) throw new StoreNotConfirmed(difference);
  return {
    after: saved ? BigInt(saved.position) : null,
    save: async (reached) => {
      const position = reached.toString();
      await db
        .insertInto('policy.checkpoint')
        .values({ policy, position, store_id: storeId })
        .onConflict((conflict) => conflict.column('policy').doUpdateSet({ position, store_id: storeId }))
        .execute();
    },
  };
};

/** A policy that does not continue until the event store is confirmed. */
export type UnconfirmedPolicy = Readonly<{ policy: string; difference: Difference; notes: number }>;

/** The policies that wait for `confirmStore`, by name. */
export const unconfirmedPolicies = async (db: Database, events: Store): Promise<UnconfirmedPolicy[]> => {
  const [identity, head] = [await events.identity(), await events.head()];
  const saved = await db
    .selectFrom('policy.checkpoint as c')
    .select(['c.policy', 'c.position', 'c.store_id'])
    .select((eb) =>
      eb
        .selectFrom('policy.note as n')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .whereRef('n.policy', '=', 'c.policy')
        .as('notes'),
    )
    .orderBy('c.policy')
    .execute();
  return saved.flatMap(({ policy, notes, ...checkpoint }) => {
    const difference = differenceOf(checkpoint, identity, head);
    return difference ? [{ policy, difference, notes: Number(notes) }] : [];
  });
};

/**
 * Confirms the event store for waiting policies. With `same` they continue where they left off. With `different` their checkpoints and
 * notes are deleted, and they start over with its first event.
 */
export const confirmStore = async (
  db: Database,
  events: Store,
  policies: readonly string[],
  answer: 'same' | 'different',
): Promise<void> => {
  if (policies.length === 0) return;
  const store_id = await events.identity();
  await db.transaction().execute(async (transaction) => {
    if (answer === 'same') {
      await transaction.updateTable('policy.checkpoint').set({ store_id }).where('policy', 'in', policies).execute();
      return;
    }
    await transaction.deleteFrom('policy.checkpoint').where('policy', 'in', policies).execute();
    await transaction.deleteFrom('policy.note').where('policy', 'in', policies).execute();
  });
};
