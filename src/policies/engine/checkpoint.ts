import type { Database } from '../../database/database.ts';
import type { EventStore, Position } from '../../eventstore/port.ts';

export type Checkpoint = Readonly<{
  /** The position to continue after; null for the start. */
  after: Position | null;
  save: (position: Position) => Promise<void>;
}>;

/** Deletes the state of a policy that belongs to another event store. */
const startOver = async (db: Database, policy: string): Promise<void> => {
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('policy.checkpoint').where('policy', '=', policy).execute();
    await transaction.deleteFrom('policy.note').where('policy', '=', policy).execute();
  });
};

/** The progress of a policy. With another store, or one that was rolled back to an earlier position, it starts over. */
export const openCheckpoint = async (
  db: Database,
  policy: string,
  events: Pick<EventStore, 'identity' | 'head'>,
): Promise<Checkpoint> => {
  let storeId = await events.identity();
  const saved = await db
    .selectFrom('policy.checkpoint')
    .select(['position', 'store_id'])
    .where('policy', '=', policy)
    .executeTakeFirst();
  const head = saved ? await events.head() : null;
  const isOurs = saved && saved.store_id === storeId && head !== null && BigInt(saved.position) <= head;
  if (saved && !isOurs) await startOver(db, policy);
  return {
    after: isOurs ? BigInt(saved.position) : null,
    save: async (reached) => {
      storeId ??= await events.identity();
      const position = reached.toString();
      await db
        .insertInto('policy.checkpoint')
        .values({ policy, position, store_id: storeId })
        .onConflict((conflict) => conflict.column('policy').doUpdateSet({ position, store_id: storeId }))
        .execute();
    },
  };
};
