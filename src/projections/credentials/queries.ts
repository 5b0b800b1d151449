import { sql } from 'kysely';
import type { Credential } from '../../contracts/credentials.ts';
import type { Database } from '../../database/database.ts';
import type { CredentialId, CustomerId } from '../../domain/ids.ts';
import type { QueryDeps } from '../queries.ts';

export type FoundCredential = { credential: Credential; customerId: CustomerId; revision: bigint };

/** A credential was last used when it was tested, or when an API call went to its instance, whichever is later. */
const rowsOf = (db: Database) =>
  db
    .selectFrom('read.credential as k')
    .leftJoin('usage.instance as i', (on) =>
      on.onRef('i.customer_id', '=', 'k.customer_id').onRef('i.instance_key', '=', 'k.instance_key'),
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
    hasApiToken: row.has_api_token,
    instanceUrl: row.instance_url,
    status: isOver(row) ? 'expired' : row.status,
    reason: isOver(row) ? null : row.reason,
    lastUsed: row.last_used?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  });

  return {
    /** A customer's credentials, oldest first. */
    list: async (customerId: CustomerId): Promise<Credential[]> => {
      const rows = await rowsOf(db)
        .where('k.customer_id', '=', customerId)
        .orderBy('k.created_at')
        .orderBy('k.credential_id')
        .execute();
      return rows.map(shown);
    },

    get: async (credentialId: CredentialId): Promise<FoundCredential | null> => {
      const row = await rowsOf(db).where('k.credential_id', '=', credentialId).executeTakeFirst();
      return row ? { credential: shown(row), customerId: row.customer_id, revision: BigInt(row.revision) } : null;
    },
  };
};
