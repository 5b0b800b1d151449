import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { TokenRevoker } from '../../database/tables/apiTokens.ts';
import type { ApiTokenId, TeamId, UserId } from '../../domain/ids.ts';
import type { Permission } from '../../domain/permissions.ts';

/** The most tokens of a list: those that were not revoked first, then the newest. */
const MAX_LISTED = 300;

/** An API token as the read model has it. `createdBy` is null for the tenant's key; its name is null if the member was removed. */
export type ListedApiToken = Readonly<{
  tokenId: ApiTokenId;
  name: string;
  scopes: readonly Permission[];
  networks: string;
  createdBy: Readonly<{ userId: UserId; name: string | null }> | null;
  createdAt: string;
  expiresAt: string;
  revokedAt: string | null;
  revokedBy: Readonly<{ kind: TokenRevoker; name: string | null }> | null;
}>;

/** Queries on API tokens of tenants. */
export const apiTokenQueries = (db: Database) => {
  const tokens = (teamId: TeamId) =>
    db
      .selectFrom('read.api_token as t')
      .leftJoin('read.member as m', (join) => join.onRef('m.user_id', '=', 't.created_by').onRef('m.team_id', '=', 't.team_id'))
      .select(['t.token_id', 't.name', 't.scopes', 't.networks', 't.created_by', 't.created_at', 't.expires_at', 't.revoked_at'])
      .leftJoin('read.member as r', (join) =>
        join.onRef('r.user_id', '=', 't.revoked_by_user').onRef('r.team_id', '=', 't.team_id'),
      )
      .select(['m.name as creator', 't.revoked_by', 'r.name as revoker'])
      .where('t.team_id', '=', teamId);
  type Row = Awaited<ReturnType<ReturnType<typeof tokens>['executeTakeFirstOrThrow']>>;
  const shown = (row: Row): ListedApiToken => ({
    tokenId: row.token_id,
    name: row.name,
    scopes: row.scopes,
    networks: row.networks,
    createdBy: row.created_by === null ? null : { userId: row.created_by, name: row.creator },
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
    revokedBy: row.revoked_by === null ? null : { kind: row.revoked_by, name: row.revoker },
  });

  return {
    /** The tokens of a tenant: those in use first, the newest first. */
    list: async (teamId: TeamId): Promise<ListedApiToken[]> => {
      const rows = await tokens(teamId)
        .orderBy(sql`t.revoked_at is not null`)
        .orderBy('t.created_at', 'desc')
        .orderBy('t.token_id')
        .limit(MAX_LISTED)
        .execute();
      return rows.map(shown);
    },

    /** A token of a tenant, also a revoked one; null if there is none. */
    get: async (teamId: TeamId, tokenId: ApiTokenId): Promise<ListedApiToken | null> => {
      const row = await tokens(teamId).where('t.token_id', '=', tokenId).executeTakeFirst();
      return row ? shown(row) : null;
    },

    /** The names of tokens, as the actors of a history. */
    names: async (tokenIds: readonly ApiTokenId[]): Promise<Readonly<{ id: ApiTokenId; name: string }>[]> =>
      tokenIds.length === 0
        ? []
        : db
            .selectFrom('read.api_token')
            .select(['token_id as id', sql<string>`'token ' || name`.as('name')])
            .where('token_id', 'in', tokenIds)
            .execute(),

    /** Whose token has this SHA-256, also of a revoked one; null if there is none. */
    byHash: async (hash: string): Promise<Readonly<{ tokenId: ApiTokenId; teamId: TeamId }> | null> => {
      const row = await db
        .selectFrom('read.api_token')
        .select(['token_id', 'team_id'])
        .where('token_hash', '=', hash)
        .executeTakeFirst();
      return row ? { tokenId: row.token_id, teamId: row.team_id } : null;
    },
  };
};

export type ApiTokenQueries = ReturnType<typeof apiTokenQueries>;
