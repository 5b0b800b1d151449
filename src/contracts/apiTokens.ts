import { z } from 'zod';
import type { ApiTokenId, UserId } from '../domain/ids.ts';
import { MAX_API_TOKEN_NETWORKS, MAX_NAME } from '../domain/limits.ts';
import { PERMISSIONS } from '../domain/permissions.ts';
import { instant, text } from './fields.ts';
import { ok } from './replies.ts';

const scope = z.enum(PERMISSIONS);

const apiToken = z.object({
  tokenId: z.custom<ApiTokenId>((value) => typeof value === 'string'),
  name: z.string(),
  scopes: z.array(scope),
  /** CIDR blocks; empty if requests may come from any address. */
  networks: z.array(z.string()),
  state: z.enum(['active', 'expired', 'revoked']),
  /** Null for a session of the tenant's key; the name is null after the named user was removed. */
  createdBy: z.object({ userId: z.custom<UserId>((value) => typeof value === 'string'), name: z.string().nullable() }).nullable(),
  createdAt: instant,
  expiresAt: instant,
  revokedAt: instant.nullable(),
  /** The name is that of a named user who is not removed. */
  revokedBy: z.object({ kind: z.enum(['user', 'key', 'policy']), name: z.string().nullable() }).nullable(),
  /** Null if the token was not used yet; written up to a minute late. */
  lastUse: z.object({ at: instant, address: z.string().nullable() }).nullable(),
});
/** An API token of the caller's tenant, without its secret. */
export type ApiToken = z.infer<typeof apiToken>;

/** The API tokens of the caller's tenant, the newest first, and the scopes that the caller may give a new one. */
export const apiTokensReply = ok({ tokens: z.array(apiToken), scopes: z.array(scope) });

/** `networks` are addresses or CIDR blocks; absent or empty allows requests from any address. */
export const createApiToken = z.strictObject({
  name: text(MAX_NAME),
  scopes: z.array(scope, 'Choose at least one permission').min(1, 'Choose at least one permission').max(PERMISSIONS.length),
  expiresAt: instant,
  networks: z.array(text(50)).max(MAX_API_TOKEN_NETWORKS, `Enter at most ${MAX_API_TOKEN_NETWORKS} networks`).optional(),
});
/** `secret` is the token itself, which is shown once. */
export const createApiTokenReply = ok({ token: apiToken, secret: z.string() });
export type ApiTokensReply = z.infer<typeof apiTokensReply>;
export type CreateApiTokenBody = z.infer<typeof createApiToken>;
export type CreateApiTokenReply = z.infer<typeof createApiTokenReply>;
