import { adminSessionReply, integratorLoginReply } from '../../contracts/auth.ts';
import { beginOpenId, beginOpenIdReply, finishOpenId } from '../../contracts/identityProvider.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { completeMemberSignIn } from '../memberSignIn.ts';
import { beginOpenIdSignIn, finishOpenIdSignIn } from '../openIdSignIn.ts';
import { grantsOf } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';
import { found, problems } from '../replies.ts';
import { BODY_LIMIT } from '../requests/limits.ts';
import type { Origins } from '../requests/origins.ts';
import { setAdminCookie } from './adminSessions.ts';

const tags = ['Sessions'];

/** The areas of the console whose named users may sign in at an identity provider, as the paths name them. */
const areas = [
  { path: 'admin', kind: 'administration' },
  { path: 'service-integrator', kind: 'integrator' },
] as const;

/** Named users sign in at the identity provider of their tenant, which sends the browser back to a screen of the console. */
export const openIdSessionRoutes: Routes<HttpDeps & { origins: Origins }> = (app, deps) => {
  for (const { path, kind } of areas) {
    app.post(
      `/api/auth/${path}/openid`,
      {
        config: { audience: ['public'], idempotent: false },
        bodyLimit: BODY_LIMIT.short,
        schema: {
          summary: 'Start a sign-in with OpenID Connect',
          tags,
          body: beginOpenId,
          response: { 200: beginOpenIdReply, ...problems(400, 403, 404, 429) },
        },
      },
      async (request, reply) => ({
        success: true as const,
        url: await beginOpenIdSignIn(deps, request, reply, kind, request.body.email),
      }),
    );
  }

  app.post(
    '/api/auth/admin/openid/callback',
    {
      config: { audience: ['public'], idempotent: false, signIn: 'admin' },
      bodyLimit: BODY_LIMIT.secrets,
      schema: {
        summary: 'Finish a sign-in with OpenID Connect as a named user of the administration',
        tags,
        body: finishOpenId,
        response: { 200: adminSessionReply, ...problems(400, 401, 403, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      const member = await finishOpenIdSignIn(deps, request, reply, 'administration', request.body);
      const { token, session } = await completeMemberSignIn(deps, request, member, 'openid');
      setAdminCookie(request, reply, deps, token, session.expiresAt);
      const expiresAt = new Date(session.expiresAt).toISOString();
      return { success: true as const, session: { email: member.member.email, expiresAt, ...grantsOf(session) } };
    },
  );

  app.post(
    '/api/auth/service-integrator/openid/callback',
    {
      config: { audience: ['public'], idempotent: false, signIn: 'integrator' },
      bodyLimit: BODY_LIMIT.secrets,
      schema: {
        summary: 'Finish a sign-in with OpenID Connect as a named user of a service integrator',
        tags,
        body: finishOpenId,
        response: { 200: integratorLoginReply, ...problems(400, 401, 403, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      const member = await finishOpenIdSignIn(deps, request, reply, 'integrator', request.body);
      const { token, session } = await completeMemberSignIn(deps, request, member, 'openid');
      if (session.owner.kind !== 'integrator') throw new HttpProblem('openid_state_invalid');
      const integrator = await deps.systemQueries.integrators.get(session.owner.integratorId);
      const { serviceIntegrator } = found(integrator, 'openid_state_invalid');
      return { success: true as const, token, serviceIntegrator, ...grantsOf(session) };
    },
  );
};
