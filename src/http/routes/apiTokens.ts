import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ApiToken, apiTokensReply, createApiToken, createApiTokenReply } from '../../contracts/apiTokens.ts';
import { apiTokenId } from '../../contracts/fields.ts';
import { done } from '../../contracts/replies.ts';
import type { TeamId } from '../../domain/ids.ts';
import { PERMISSIONS, tokenScopesOf } from '../../domain/permissions.ts';
import type { TeamCommand } from '../../domain/team/commands.ts';
import { tenantKindOf } from '../../domain/team/teamId.ts';
import type { ListedApiToken } from '../../projections/apiTokens/queries.ts';
import { apiTokenHash, newApiToken } from '../../security/apiTokenFormat.ts';
import { cidrOf } from '../../security/clientNetworks.ts';
import type { Routes } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { API_TOKENS, exportRows, FILE_DESCRIPTION } from '../listExport.ts';
import { principalAs, teamOf } from '../principal.ts';
import { accepted, found, problems } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';
import { validationProblem } from '../requests/validation.ts';

const tags = ['API tokens'];
const audience = ['admin', 'integrator', 'customer'] as const;

const teamOfSession = (request: FastifyRequest): TeamId => teamOf(principalAs(request, ...audience));

/** The networks in their normal form. Throws a validation problem for what is none. */
const networksOf = (texts: readonly string[]): string => {
  const blocks = texts.map((text) => cidrOf(text));
  const issues = blocks.flatMap((block, index) =>
    block === null ? [{ path: `networks.${index}`, message: 'Enter an address or a network like 203.0.113.0/24' }] : [],
  );
  if (issues.length > 0) throw validationProblem(issues);
  return [...new Set(blocks)].join(',');
};

/** The API tokens of the caller's own tenant. A token is returned once, so the replies are not kept for an `Idempotency-Key`. */
export const apiTokenRoutes: Routes = (app, deps) => {
  const { apiTokens, commands, settle, now, newId } = deps;

  const shown = ({ revokedAt, networks, scopes, ...token }: ListedApiToken, lastUse: ApiToken['lastUse'] = null): ApiToken => ({
    ...token,
    scopes: PERMISSIONS.filter((permission) => scopes.includes(permission)),
    networks: networks === '' ? [] : networks.split(','),
    revokedAt,
    state: revokedAt !== null ? 'revoked' : now() >= Date.parse(token.expiresAt) ? 'expired' : 'active',
    lastUse,
  });

  app.get(
    '/api/tokens',
    {
      config: { audience, permission: 'tokens:read' },
      schema: {
        summary: 'List the API tokens of your account',
        description: `With the permissions that a new token may have. ${FILE_DESCRIPTION}`,
        tags,
        response: { 200: apiTokensReply, ...problems(401, 403) },
      },
    },
    async (request, reply) => {
      const teamId = teamOfSession(request);
      const [listed, uses] = await Promise.all([request.queries.apiTokens.list(teamId), apiTokens.usesOf(teamId)]);
      const tokens = listed.map((token) => shown(token, uses.get(token.tokenId)));
      if (await exportRows(request, reply, API_TOKENS, tokens)) return reply;
      const allowed = tokenScopesOf(tenantKindOf(teamId));
      const scopes = [...(request.session?.permissions ?? [])].filter((permission) => allowed.has(permission));
      return { success: true as const, tokens, scopes };
    },
  );

  app.post(
    '/api/tokens',
    {
      config: { audience, permission: 'tokens:write', reauthentication: true, idempotent: false },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Create an API token',
        description:
          'The reply has the token, which is shown once. Send it as `Authorization: Bearer`. A repeated request is refused, since a name is used once.',
        tags,
        body: createApiToken,
        response: { 201: createApiTokenReply, ...problems(400, 401, 403, 409) },
      },
    },
    async (request, reply) => {
      const { name, scopes, expiresAt, networks = [] } = request.body;
      const owner = principalAs(request, ...audience);
      const teamId = teamOf(owner);
      const secret = newApiToken();
      const data = {
        teamId,
        tokenId: apiTokenId.parse(newId()),
        name,
        scopes: PERMISSIONS.filter((permission) => scopes.includes(permission)),
        expiresAt: new Date(expiresAt).toISOString(),
        networks: networksOf(networks),
        tokenHash: apiTokenHash(secret),
        createdBy: ('userId' in owner && owner.userId) || null,
      };
      const command: TeamCommand = { type: 'CreateApiToken', data, meta: metaOf(request) };
      await settle(reply, accepted(await commands.teams.handle([command])).position);
      const token = found(await request.queries.apiTokens.get(teamId, data.tokenId), 'api_token_not_found');
      reply.code(201);
      return { success: true as const, token: shown(token), secret };
    },
  );

  app.delete(
    '/api/tokens/:tokenId',
    {
      config: { audience, permission: 'tokens:write' },
      schema: {
        summary: 'Revoke an API token',
        tags,
        params: z.strictObject({ tokenId: apiTokenId }),
        response: { 200: done, ...problems(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const data = { teamId: teamOfSession(request), tokenId: request.params.tokenId };
      const command: TeamCommand = { type: 'RevokeApiToken', data, meta: metaOf(request) };
      const { position } = accepted(await commands.teams.handle([command]));
      await apiTokens.end(data.tokenId);
      await settle(reply, position);
      return { success: true as const };
    },
  );
};
