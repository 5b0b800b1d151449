import { sql } from 'kysely';
import type { Credential, CredentialQuery } from '../../contracts/credentials.ts';
import type { Database } from '../../database/database.ts';
import type { CredentialId, CustomerId } from '../../domain/ids.ts';
import { cursorOf, isInstant } from '../lists/cursor.ts';
import { isAfter, type Order, pageOf } from '../lists/paging.ts';
import type { QueryDeps } from '../queryDeps.ts';

export type CredentialPage = { credentials: Credential[]; total: number; nextCursor: string | null };
export type FoundCredential = { credential: Credential; customerId: CustomerId; revision: bigint };

const BY_CREATION: Order<CredentialId> = {
  sort: 'createdAt',
  column: sql.ref('k.created_at'),
  id: sql.ref<CredentialId>('k.credential_id'),
  fits: isInstant,
};

/** A credential was last used when it was tested, or when an API call went to its instance, whichever is later. */
const rowsOf = (db: Database) =>
  db
    .selectFrom('read.credential as k')
    .leftJoin('usage.instance as i', (on) =>
      on.onRef('i.customer_id', '=', 'k.customer_id').onRef('i.instance_key', '=', 'k.instance_key').on('i.calls', '>', 0),
    )
    .selectAll('k')
    .select(sql<Date | null>`greatest(k.tested_at, i.last_at)`.as('last_used'))
    .select(sql<string>`k.revision::text`.as('revision'));

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number];

/** Queries on customers' credentials; none of them knows a secret. */
export const credentialQueries = (db: Database, { now }: QueryDeps) => {
  const isOver = (row: Row): boolean => row.expires_at !== null && row.expires_at <= now();
  const shown = (row: Row): Credential => ({
    id: row.credential_id,
    service: row.service,
    username: row.username,
    hasPassword: row.has_password,
    hasApiToken: row.has_api_token,
    instanceUrl: row.instance_url,
    status: isOver(row) ? 'expired' : row.status,
    reason: isOver(row) ? null : row.reason,
    lastUsed: row.last_used?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  });

  return {
    /** A page of a customer's credentials, oldest first. */
    list: async (customerId: CustomerId, { limit, cursor }: CredentialQuery): Promise<CredentialPage> => {
      let query = rowsOf(db)
        .where('k.customer_id', '=', customerId)
        .orderBy('k.created_at')
        .orderBy('k.credential_id')
        .limit(limit + 1);
      if (cursor !== undefined) query = query.where(isAfter(cursor, BY_CREATION));
      const [rows, { total }] = await Promise.all([
        query.execute(),
        db
          .selectFrom('read.credential')
          .select((count) => count.fn.countAll<number>().as('total'))
          .where('customer_id', '=', customerId)
          .executeTakeFirstOrThrow(),
      ]);
      const { page, nextCursor } = pageOf(rows, limit, ({ created_at, credential_id }) =>
        cursorOf(BY_CREATION.sort, { value: created_at.toISOString(), id: credential_id }),
      );
      return { credentials: page.map(shown), total, nextCursor };
    },

    get: async (credentialId: CredentialId): Promise<FoundCredential | null> => {
      const row = await rowsOf(db).where('k.credential_id', '=', credentialId).executeTakeFirst();
      return row ? { credential: shown(row), customerId: row.customer_id, revision: BigInt(row.revision) } : null;
    },
  };
};
