import { caseless } from '../caseless.ts';
import { accept, type Decision, refuse } from '../decider.ts';
import type { TeamId, UserId } from '../ids.ts';
import { API_TOKEN_LIFETIME_MS, MAX_API_TOKENS } from '../limits.ts';
import { FULL_ROLE, type Permission, permissionsOfRole, type Role, tokenScopesOf } from '../permissions.ts';
import type { CreateApiToken, RevokeApiToken, RevokeApiTokensOfKey } from './commands.ts';
import type { ApiTokenCreated, ApiTokenRevoked } from './events.ts';
import type { ApiToken, Team } from './evolve.ts';
import { tenantKindOf } from './teamId.ts';

/** Why a command about API tokens is refused. */
export type ApiTokenRefusal =
  | 'member_not_found'
  | 'api_token_not_found'
  | 'api_token_name_taken'
  | 'api_token_limit_reached'
  | 'api_token_scopes_refused'
  | 'api_token_expiry_refused';

type Decided = Decision<ApiTokenCreated | ApiTokenRevoked, ApiTokenRefusal>;

const revoked = ({ tokenId }: ApiToken): ApiTokenRevoked => ({ type: 'ApiTokenRevoked', data: { tokenId } });

const exceeds = (scopes: readonly Permission[], allowed: ReadonlySet<Permission>): boolean =>
  scopes.some((scope) => !allowed.has(scope));

/** Whether a token is past its expiry; `at` is ISO-8601 UTC or ms since 1970. */
export const isExpired = ({ expiresAt }: Pick<ApiToken, 'expiresAt'>, at: string | number): boolean =>
  new Date(at).getTime() >= Date.parse(expiresAt);

const revocationsOf = ({ tokens }: Team, isConcerned: (token: ApiToken) => boolean): ApiTokenRevoked[] =>
  [...tokens.values()].filter(isConcerned).map(revoked);

/** Revokes the tokens that a member created. */
export const revocationsOfMember = (team: Team, userId: UserId): ApiTokenRevoked[] =>
  revocationsOf(team, ({ createdBy }) => createdBy === userId);

/** Revokes the tokens that a member created and that may do more than the member's new role. */
export const revocationsOfRole = (teamId: TeamId, team: Team, userId: UserId, role: Role): ApiTokenRevoked[] => {
  const allowed = permissionsOfRole(tenantKindOf(teamId), role);
  return revocationsOf(team, ({ createdBy, scopes }) => createdBy === userId && exceeds(scopes, allowed));
};

/** The role of who creates a token; the key has the full role. Null for a member who is not in the team. */
const roleOfCreator = (teamId: TeamId, { members }: Team, createdBy: UserId | null): Role | null => {
  if (createdBy === null) return FULL_ROLE[tenantKindOf(teamId)];
  const member = members.get(createdBy);
  return member?.status === 'joined' ? member.role : null;
};

/** A token has no more permissions than its creator, and none by which a token could create or extend access. */
export const createApiToken = ({ data, meta }: CreateApiToken, team: Team): Decided => {
  const { teamId, tokenId, name, scopes, expiresAt, networks, tokenHash, createdBy } = data;
  const role = roleOfCreator(teamId, team, createdBy);
  if (role === null) return refuse('member_not_found');
  const kind = tenantKindOf(teamId);
  if (scopes.length === 0 || exceeds(scopes, tokenScopesOf(kind)) || exceeds(scopes, permissionsOfRole(kind, role))) {
    return refuse('api_token_scopes_refused');
  }
  const lifetime = Date.parse(expiresAt) - Date.parse(meta.at);
  if (!(lifetime > 0 && lifetime <= API_TOKEN_LIFETIME_MS)) return refuse('api_token_expiry_refused');
  const usable = [...team.tokens.values()].filter((token) => !isExpired(token, meta.at));
  if (usable.length >= MAX_API_TOKENS) return refuse('api_token_limit_reached');
  if (usable.some((token) => caseless(token.name) === caseless(name))) return refuse('api_token_name_taken');
  return accept({
    type: 'ApiTokenCreated',
    data: { teamId, tokenId, name, scopes, expiresAt, networks, tokenHash, createdBy, createdAt: meta.at },
  });
};

/** Revoking a revoked token is refused: its id is no longer known here. */
export const revokeApiToken = ({ data: { tokenId } }: RevokeApiToken, { tokens }: Team): Decided => {
  const token = tokens.get(tokenId);
  return token ? accept(revoked(token)) : refuse('api_token_not_found');
};

/** Tokens that were created after the rotation belong to holders of the new key. */
export const revokeApiTokensOfKey = ({ data: { createdBefore } }: RevokeApiTokensOfKey, team: Team): Decided =>
  accept(
    ...revocationsOf(team, ({ createdBy, createdAt }) => createdBy === null && Date.parse(createdAt) < Date.parse(createdBefore)),
  );
