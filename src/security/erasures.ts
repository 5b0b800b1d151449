import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Whether the data key of an owner was destroyed. */
export type Erasure = Readonly<{ owner: string; isErased: boolean }>;

/** The erasures of owners, by owner; an owner that never had a key is not erased. */
export const erasuresOf = async (db: Database, owners: readonly string[]): Promise<Map<string, Erasure>> => {
  const rows = await db
    .selectFrom('vault.data_key')
    .select('owner')
    .where('owner', '=', sql<string>`any(${owners}::text[])`)
    .where('wrapped', 'is', null)
    .execute();
  const erased = new Set(rows.map(({ owner }) => owner));
  return new Map(owners.map((owner) => [owner, { owner, isErased: erased.has(owner) }]));
};
