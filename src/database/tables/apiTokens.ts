import type { ApiTokenId, CustomerId, IntegratorId, TeamId, UserId } from '../../domain/ids.ts';
import type { Permission } from '../../domain/permissions.ts';
import { defineTable, json, nullable, type RowOf, text, timestamptz, uuid } from './defineTable.ts';

/** Who revoked a token: a named user, a session of the tenant's key, or a policy, such as after the removal of its creator. */
export type TokenRevoker = 'user' | 'key' | 'policy';

/**
 * One row for each API token, also of a revoked one: the history names it. `customer_id` and `integrator_id` are null where the tenant is
 * none or the administration.
 */
export const apiTokenTable = defineTable('read.api_token', {
  key: ['token_id'],
  owners: ['customer_id', 'integrator_id'],
  columns: {
    token_id: uuid<ApiTokenId>(),
    team_id: text<TeamId>(),
    customer_id: nullable(uuid<CustomerId>()),
    integrator_id: nullable(uuid<IntegratorId>()),
    name: text(),
    scopes: json<readonly Permission[]>(),
    /** CIDR blocks, separated by commas; empty for any address. */
    networks: text(),
    /** SHA-256 of the token, hex. */
    token_hash: text(),
    /** The named user who created it; null for the tenant's key. */
    created_by: nullable(uuid<UserId>()),
    created_at: timestamptz(),
    expires_at: timestamptz(),
    revoked_at: nullable(timestamptz()),
    /** Null as long as the token is not revoked. */
    revoked_by: nullable(text<TokenRevoker>()),
    /** The named user who revoked it. */
    revoked_by_user: nullable(uuid<UserId>()),
  },
});

/** A row of `read.api_token` in a projection's memory. */
export type ApiTokenRow = RowOf<typeof apiTokenTable>;

/** When and from where an API token was used last, written late. */
export const apiTokenUseTable = defineTable('auth.api_token_use', {
  key: ['token_id'],
  columns: { token_id: uuid<ApiTokenId>(), team_id: text<TeamId>(), used_at: timestamptz(), address: nullable(text()) },
});
