import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type ConfigureIdentityProviderBody,
  configureIdentityProvider,
  emailDomainsReply,
  type IdentityProviderReply,
  identityProviderReply,
  identityProviderTestReply,
} from '../../contracts/identityProvider.ts';
import { done } from '../../contracts/replies.ts';
import type { IdentityProviderId } from '../../domain/ids.ts';
import type { TeamCommand } from '../../domain/team/commands.ts';
import type { IdentityProvider, Team } from '../../domain/team/evolve.ts';
import { tenantKindOf } from '../../domain/team/teamId.ts';
import { verificationRecord } from '../../outbound/domainVerification.ts';
import type { OpenIdClient } from '../../outbound/openId.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { BODY_LIMIT, type Quotas } from '../limits.ts';
import { redirectUriOf } from '../openIdSignIn.ts';
import { principalAs, teamOf } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';
import { accepted, found, problems } from '../replies.ts';
import { boundTests } from '../requests/credentialTests.ts';
import { metaOf, newIdFor } from '../requests/meta.ts';
import type { Counters } from '../requests/metrics.ts';
import type { Origins } from '../requests/origins.ts';

const PATH = '/api/team/identity-provider';
const tags = ['Named users'];
const audience = ['admin', 'integrator', 'customer'] as const;
const CONNECTED = 'The identity provider can be used.';

/** The client that would be configured: without a secret, that of the same client is used, as the domain decides. */
const clientOf = (
  { issuer, clientId, clientSecret }: ConfigureIdentityProviderBody,
  provider: IdentityProvider | null,
): OpenIdClient => {
  const isSame = provider?.issuer === issuer && provider.clientId === clientId;
  const secret = clientSecret ?? (isSame ? provider.clientSecret : null);
  return { issuer, clientId, clientSecret: found(secret, 'identity_provider_secret_required') };
};

/** Where the named users of the caller's own tenant sign in with OpenID Connect. The secret goes in and never comes out. */
export const identityProviderRoutes: Routes<HttpDeps & { origins: Origins; counters: Counters; quotas: Quotas }> = (app, deps) => {
  const { commands, settle, emailDomains, verifyEmailDomain, openId, origins, counters, quotas } = deps;
  const preHandler = boundTests(counters.countLimit, quotas);
  const teamOfSession = (request: FastifyRequest) => teamOf(principalAs(request, ...audience));
  const loadTeam = async (request: FastifyRequest) => (await commands.teams.load(teamOfSession(request))).state;

  const change = async (reply: FastifyReply, command: TeamCommand): Promise<Team> => {
    const { state, position } = accepted(await commands.teams.handle(command));
    await settle(reply, position);
    return state;
  };

  const shown = async (request: FastifyRequest, { provider }: Team): Promise<IdentityProviderReply> => {
    const teamId = teamOfSession(request);
    const verified = await emailDomains.ofTeam(teamId);
    return {
      success: true as const,
      provider: provider && {
        issuer: provider.issuer,
        clientId: provider.clientId,
        domains: provider.domains.map((domain) => ({ domain, verifiedAt: verified.get(domain)?.toISOString() ?? null })),
        roleClaim: provider.roleClaim,
        roles: provider.roles.map(({ value, role }) => ({ value, role })),
        defaultRole: provider.defaultRole,
        newUsersJoin: provider.newUsersJoin,
        secondFactor: provider.secondFactor,
      },
      redirectUri: redirectUriOf(origins, request, tenantKindOf(teamId)),
      record: verificationRecord(emailDomains.tokenOf(teamId)),
    };
  };

  app.get(
    PATH,
    {
      config: { audience, permission: 'members:read' },
      schema: {
        summary: 'Get the identity provider of your tenant',
        tags,
        response: { 200: identityProviderReply, ...problems(401, 403) },
      },
    },
    async (request) => shown(request, await loadTeam(request)),
  );

  app.put(
    PATH,
    {
      config: { audience, permission: 'policy:write', reauthentication: true },
      bodyLimit: BODY_LIMIT.secrets,
      preHandler,
      schema: {
        summary: 'Set up sign-in with OpenID Connect',
        description: 'The configuration of the provider is fetched first. Each domain counts once its TXT record is verified.',
        tags,
        body: configureIdentityProvider,
        response: { 200: identityProviderReply, ...problems(400, 401, 403, 429) },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const teamId = teamOfSession(request);
      const checked = await openId.check(clientOf(body, (await loadTeam(request)).provider));
      if (!checked.ok) throw new HttpProblem('identity_provider_unusable', { text: checked.detail });
      const team = await change(reply, {
        type: 'ConfigureIdentityProvider',
        data: {
          teamId,
          providerId: newIdFor(request, 'identity provider') as IdentityProviderId,
          issuer: body.issuer,
          clientId: body.clientId,
          clientSecret: body.clientSecret ?? null,
          domains: body.domains,
          roleClaim: body.roleClaim,
          roles: body.roles,
          defaultRole: body.defaultRole,
          newUsersJoin: body.newUsersJoin,
          secondFactor: body.secondFactor,
        },
        meta: metaOf(request),
      });
      await emailDomains.keepOnly(teamId, body.domains);
      return shown(request, team);
    },
  );

  app.post(
    `${PATH}/test`,
    {
      config: { audience, permission: 'policy:write', reauthentication: true, idempotent: false },
      bodyLimit: BODY_LIMIT.secrets,
      preHandler,
      schema: {
        summary: 'Test whether an identity provider can be used',
        tags,
        body: configureIdentityProvider,
        response: { 200: identityProviderTestReply, ...problems(400, 401, 403, 429) },
      },
    },
    async (request) => {
      const checked = await openId.check(clientOf(request.body, (await loadTeam(request)).provider));
      return { success: true as const, connected: checked.ok, detail: checked.ok ? CONNECTED : checked.detail };
    },
  );

  app.post(
    `${PATH}/verify`,
    {
      config: { audience, permission: 'policy:write' },
      preHandler,
      schema: {
        summary: 'Verify the email domains of the identity provider by their TXT records',
        tags,
        response: { 200: emailDomainsReply, ...problems(401, 403, 404, 429) },
      },
    },
    async (request) => {
      const teamId = teamOfSession(request);
      const { domains } = found((await loadTeam(request)).provider, 'identity_provider_not_found');
      const verifyOne = async (domain: string) => ({ domain, ...(await verifyEmailDomain(teamId, domain)) });
      return { success: true as const, domains: await Promise.all(domains.map(verifyOne)) };
    },
  );

  app.delete(
    PATH,
    {
      config: { audience, permission: 'policy:write', reauthentication: true },
      schema: { summary: 'Remove the identity provider', tags, response: { 200: done, ...problems(401, 403) } },
    },
    async (request, reply) => {
      const teamId = teamOfSession(request);
      await change(reply, { type: 'RemoveIdentityProvider', data: { teamId }, meta: metaOf(request) });
      await emailDomains.keepOnly(teamId, []);
      return { success: true as const };
    },
  );
};
