import type { Database } from '../../database/database.ts';
import type { EventStore, Position } from '../../eventstore/port.ts';

export type Checkpoint = Readonly<{
  /** From where to go on; null from the start. */
  after: Position | null;
  save: (position: Position) => Promise<void>;
}>;

/** Forgets what a policy knows of a store that is not there any more. */
const startOver = async (db: Database, policy: string): Promise<void> => {
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('policy.checkpoint').where('policy', '=', policy).execute();
    await transaction.deleteFrom('policy.note').where('policy', '=', policy).execute();
  });
};

/** Where a policy left off. With another store, or one that was rolled back to before that, it starts over. */
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
