import { adminSessionReply, customerLoginReply, integratorLoginReply } from '../../contracts/auth.ts';
import { beginOpenId, beginOpenIdReply, finishOpenId } from '../../contracts/identityProvider.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { beginOpenIdSignIn, finishOpenIdSignIn } from '../openIdSignIn.ts';
import { problems } from '../replies.ts';
import type { Origins } from '../requests/origins.ts';
import { replyToAdmin, replyToCustomer, replyToIntegrator } from './memberSessions.ts';

const tags = ['Sessions'];

/** The areas of the console whose named users may sign in at an identity provider, as the paths name them. */
const areas = [
  { path: 'admin', kind: 'administration' },
  { path: 'service-integrator', kind: 'integrator' },
  { path: 'customer', kind: 'customer' },
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
      return replyToAdmin(deps, request, reply, member, 'openid');
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
      return replyToIntegrator(deps, request, member, 'openid');
    },
  );

  app.post(
    '/api/auth/customer/openid/callback',
    {
      config: { audience: ['public'], idempotent: false, signIn: 'customer' },
      bodyLimit: BODY_LIMIT.secrets,
      schema: {
        summary: 'Finish a sign-in with OpenID Connect as a named user of a customer',
        tags,
        body: finishOpenId,
        response: { 200: customerLoginReply, ...problems(400, 401, 403, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      const member = await finishOpenIdSignIn(deps, request, reply, 'customer', request.body);
      return replyToCustomer(deps, request, member, 'openid');
    },
  );
};
