import type { FastifyRequest } from 'fastify';
import { isRegistered } from '../domain/customer/state.ts';
import type { ApiTokenId, SessionId, TeamId } from '../domain/ids.ts';
import { tokenScopesOf } from '../domain/permissions.ts';
import { isExpired } from '../domain/team/apiTokens.ts';
import type { ApiToken } from '../domain/team/evolve.ts';
import { type TeamTenant, tenantOfTeam } from '../domain/team/teamId.ts';
import type { ApiTokenProblem, ApiTokens, LoadedApiToken, ResolvedApiToken } from '../security/apiTokens.ts';
import type { SessionOwner } from '../security/session.ts';
import type { HttpDeps } from './deps.ts';
import { evaluateGuess, right, wrong } from './guesses.ts';

type OwnerOfTenant = Readonly<{ owner: SessionOwner }> | Readonly<{ problem: ApiTokenProblem }>;

/** Whom a token of a tenant speaks for; a deleted tenant has no tokens. */
const ownerOf = async (
  { commands }: Pick<HttpDeps, 'commands'>,
  tenant: TeamTenant,
  tokenId: ApiTokenId,
): Promise<OwnerOfTenant> => {
  switch (tenant.kind) {
    case 'administration':
      return { owner: { kind: 'admin', tokenId } };
    case 'integrator': {
      const { integratorId } = tenant;
      const { state } = await commands.integrators.load(integratorId);
      if (state.status === 'active') return { owner: { kind: 'integrator', integratorId, tokenId } };
      if (state.status === 'suspended') return { problem: 'integrator_suspended' };
      return { problem: state.status === 'churned' ? 'integrator_closed' : 'api_token_unknown' };
    }
    case 'customer': {
      const { customerId } = tenant;
      const { state } = await commands.customers.load(customerId);
      if (!isRegistered(state)) return { problem: 'api_token_unknown' };
      if (state.status === 'suspended') return { problem: 'customer_suspended' };
      if (state.status === 'churned') return { problem: 'customer_churned' };
      return { owner: { kind: 'customer', customerId, integratorId: state.integratorId, tokenId } };
    }
  }
};

/** Why the named user who created a customer's token may not use it now; null if the user may. The other kinds of tenant suspend no user. */
const creatorRefusal = async (
  { commands }: Pick<HttpDeps, 'commands'>,
  tenant: TeamTenant,
  { createdBy }: ApiToken,
): Promise<ApiTokenProblem | null> => {
  if (tenant.kind !== 'customer' || createdBy === null) return null;
  const { state } = await commands.customers.load(tenant.customerId);
  const user = isRegistered(state) ? state.users.get(createdBy) : undefined;
  if (user?.status === 'active') return null;
  return user?.status === 'suspended' ? 'user_suspended' : 'api_token_revoked';
};

/** Reads what a token may do now: whose it is from the read model, and everything that can end it from the write side. */
export const loadApiToken =
  ({ commands, systemQueries, now }: Pick<HttpDeps, 'commands' | 'systemQueries' | 'now'>) =>
  async (hash: string): Promise<LoadedApiToken> => {
    const found: { tokenId: ApiTokenId; teamId: TeamId } | null = await systemQueries.apiTokens.byHash(hash);
    if (!found) return { problem: 'api_token_unknown' };
    const tenant = tenantOfTeam(found.teamId);
    const [{ state: team }, owned] = await Promise.all([
      commands.teams.load(found.teamId),
      ownerOf({ commands }, tenant, found.tokenId),
    ]);
    if ('problem' in owned && owned.problem === 'api_token_unknown') return owned;
    const token = team.tokens.get(found.tokenId);
    if (!token) return { problem: 'api_token_revoked' };
    if (isExpired(token, now())) return { problem: 'api_token_expired' };
    if ('problem' in owned) return owned;
    const refusal = await creatorRefusal({ commands }, tenant, token);
    if (refusal) return { problem: refusal };
    const allowed = tokenScopesOf(tenant.kind);
    return {
      problem: null,
      session: {
        hash,
        id: found.tokenId as string as SessionId,
        owner: owned.owner,
        role: null,
        permissions: new Set(token.scopes.filter((scope) => allowed.has(scope))),
        method: null,
        client: { address: null, browser: null },
        // A program cannot prove again who it is: its token was created after its owner did.
        authenticatedAt: Number.POSITIVE_INFINITY,
        openedAt: Date.parse(token.createdAt),
        expiresAt: Date.parse(token.expiresAt),
      },
      networks: token.networks === '' ? [] : token.networks.split(','),
    };
  };

/** What resolves the API token of a request or a socket. */
export type ApiTokenDeps = Pick<HttpDeps, 'permits' | 'tiers' | 'turns'> & Readonly<{ apiTokens: ApiTokens }>;

/**
 * The session of an API token. A token that this node has not found before is a guess: an unknown one spends a permit of the client's
 * address. Throws `api_token_unknown` and `too_many_attempts`.
 */
export const resolveApiToken = (
  deps: ApiTokenDeps,
  client: Pick<FastifyRequest, 'ip'>,
  token: string,
): ResolvedApiToken | Promise<ResolvedApiToken> => {
  const { apiTokens } = deps;
  const cached = apiTokens.cached(token, client.ip);
  if (cached) return cached;
  if (apiTokens.isKnown(token)) return apiTokens.resolve(token, client.ip);
  return evaluateGuess(client, deps, {
    evaluate: async () => {
      const resolved = await apiTokens.resolve(token, client.ip);
      return resolved.problem === 'api_token_unknown' ? wrong(resolved.problem) : right(resolved);
    },
  });
};
