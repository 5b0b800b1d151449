import { adminLogin, adminSessionReply } from '../../contracts/auth.ts';
import { done } from '../../contracts/replies.ts';
import { networksOf } from '../../security/clientNetworks.ts';
import type { Session } from '../../security/session.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { grantsOf, principalAs } from '../principal.ts';
import { found, problems } from '../replies.ts';
import { adminCookieName } from '../requests/guard.ts';
import type { Origins } from '../requests/origins.ts';
import { forgetSite } from '../requests/securityHeaders.ts';
import { evaluateGuess, right, wrong } from './signIn.ts';

/** Administrators sign in with the admin key and hold their session in a cookie. */
export const adminSessionRoutes: Routes<HttpDeps & { origins: Origins }> = (app, deps) => {
  const { sessions, verifyAdminKey, settings, origins } = deps;
  const shown = (session: Session) => ({
    email: settings.adminEmail,
    expiresAt: new Date(session.expiresAt).toISOString(),
    ...grantsOf(session),
  });

  app.post(
    '/api/auth/admin/login',
    {
      config: { audience: ['public'], idempotent: false, signIn: 'admin' },
      schema: {
        summary: 'Sign in as administrator',
        tags: ['Sessions'],
        body: adminLogin,
        response: { 200: adminSessionReply, ...problems(400, 401, 429) },
      },
    },
    async (request, reply) => {
      await evaluateGuess(request, deps, {
        kind: 'admin',
        evaluate: async () => {
          const isRight = await verifyAdminKey(request.body.adminKey, networksOf(request.ip).address);
          return isRight ? right(true) : wrong('wrong_admin_key');
        },
      });
      const { token, session } = await sessions.open({ kind: 'admin' });
      const secure = origins.isTls(request);
      reply.setCookie(adminCookieName(secure), token, {
        path: '/',
        httpOnly: true,
        sameSite: 'strict',
        secure,
        expires: new Date(session.expiresAt),
      });
      return { success: true as const, session: shown(session) };
    },
  );

  app.post(
    '/api/auth/admin/logout',
    {
      config: { audience: ['admin'], permission: 'ownSession:end', idempotent: false },
      schema: { summary: 'Sign out', tags: ['Sessions'], response: { 200: done, ...problems(401) } },
    },
    async (request, reply) => {
      const { hash } = found(request.session, 'session_required');
      await sessions.end({ hash }, 'signed_out');
      const secure = origins.isTls(request);
      forgetSite(reply);
      reply.clearCookie(adminCookieName(secure), { path: '/', httpOnly: true, sameSite: 'strict', secure });
      return { success: true as const };
    },
  );

  app.get(
    '/api/auth/admin/session',
    {
      config: { audience: ['admin'], permission: 'ownSession:read' },
      schema: { summary: 'Get the session', tags: ['Sessions'], response: { 200: adminSessionReply, ...problems(401) } },
    },
    async (request) => {
      principalAs(request, 'admin');
      return { success: true as const, session: shown(found(request.session, 'session_required')) };
    },
  );
};
