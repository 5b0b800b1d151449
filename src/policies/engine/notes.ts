import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

export type Note = Readonly<{ key: string; value: string; dueAt: Date | null }>;

/** The notes of one policy by key. */
export type Notes = Readonly<{
  /** Replaces the note of the key. `onDue` is called at `dueAt`. */
  put: (key: string, value: string, dueAt?: Date | null) => Promise<void>;
  remove: (key: string) => Promise<void>;
  get: (key: string) => Promise<Note | undefined>;
  /** Every key that has this value. */
  keysOf: (value: string) => Promise<string[]>;
}>;

/** The most due notes of one query. */
export const DUE_BATCH = 100;

export const notesOf = (db: Database, policy: string): Notes => ({
  put: async (key, value, dueAt = null) => {
    await db
      .insertInto('policy.note')
      .values({ policy, key, value, due_at: dueAt })
      .onConflict((conflict) => conflict.columns(['policy', 'key']).doUpdateSet({ value, due_at: dueAt }))
      .execute();
  },
  remove: async (key) => {
    await db.deleteFrom('policy.note').where('policy', '=', policy).where('key', '=', key).execute();
  },
  get: async (key) => {
    const row = await db
      .selectFrom('policy.note')
      .select(['key', 'value', 'due_at as dueAt'])
      .where('policy', '=', policy)
      .where('key', '=', key)
      .executeTakeFirst();
    return row;
  },
  keysOf: async (value) => {
    const rows = await db
      .selectFrom('policy.note')
      .select('key')
      .where('policy', '=', policy)
      .where('value', '=', value)
      .orderBy('key')
      .execute();
    return rows.map(({ key }) => key);
  },
});

/** The notes that are due at an instant, the oldest first. */
export const dueNotes = (db: Database, policy: string, at: Date): Promise<Note[]> =>
  db
    .selectFrom('policy.note')
    .select(['key', 'value', 'due_at as dueAt'])
    .where('policy', '=', policy)
    .where('due_at', '<=', at)
    .orderBy('due_at')
    .limit(DUE_BATCH)
    .execute();

/** Which of the policies have notes that are due at an instant. */
export const policiesWithDueNotes = async (db: Database, policies: readonly string[], at: Date): Promise<string[]> => {
  const { rows } = await sql<{ policy: string }>`
    select policy from unnest(${[...policies]}::text[]) as p (policy)
    where exists (select from policy.note n where n.policy = p.policy and n.due_at <= ${at})`.execute(db);
  return rows.map(({ policy }) => policy);
};

/** Deletes a note that was due, unless it was written again in the meantime. */
export const settleNote = async (db: Database, policy: string, { key, dueAt }: Note): Promise<void> => {
  await db.deleteFrom('policy.note').where('policy', '=', policy).where('key', '=', key).where('due_at', '=', dueAt).execute();
};
