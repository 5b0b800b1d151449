import { adminLogin, adminSessionReply } from '../../contracts/auth.ts';
import { done } from '../../contracts/replies.ts';
import type { AdminActivityEvent } from '../../domain/adminActivity/events.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { principalAs } from '../principal.ts';
import { found, problems } from '../replies.ts';
import { adminCookieName } from '../requests/guard.ts';
import { metaOf } from '../requests/meta.ts';
import type { Origins } from '../requests/origins.ts';
import { withinBudget } from './signIn.ts';

/** Administrators sign in with the admin key and hold their session in a cookie. */
export const adminSessionRoutes: Routes<HttpDeps & { origins: Origins }> = (app, deps) => {
  const { sessions, budget, verifyAdminKey, settings, origins, recordAdminActivity } = deps;
  const sessionUntil = (expiresAt: number) => ({ email: settings.adminEmail, expiresAt: new Date(expiresAt).toISOString() });

  app.post(
    '/api/auth/admin/login',
    {
      config: { audience: ['public'], idempotent: false },
      schema: {
        summary: 'Sign in as administrator',
        tags: ['Sessions'],
        body: adminLogin,
        response: { 200: adminSessionReply, ...problems(400, 401, 429) },
      },
    },
    async (request, reply) => {
      // The audit must not keep an administrator from looking at a server whose event store is away.
      const audit = (event: AdminActivityEvent): void => {
        recordAdminActivity(event, metaOf(request, { kind: 'admin', id: 'admin' })).catch((error: unknown) =>
          request.log.error({ err: error }, 'could not record a sign-in'),
        );
      };
      await withinBudget(request, budget, {
        wrong: 'wrong_admin_key',
        attempt: async () => ((await verifyAdminKey(request.body.adminKey)) ? true : null),
        onWrong: (isLast) => {
          audit({ type: 'AdminSignInRefused', data: { reason: 'wrong_key' } });
          if (isLast) audit({ type: 'AdminSignInRefused', data: { reason: 'too_many_attempts' } });
        },
      });
      const { token, session } = await sessions.open({ kind: 'admin' });
      audit({ type: 'AdminSignedIn', data: {} });
      const secure = origins.isTls(request);
      reply.setCookie(adminCookieName(secure), token, {
        path: '/',
        httpOnly: true,
        sameSite: 'strict',
        secure,
        expires: new Date(session.expiresAt),
      });
      return { success: true as const, session: sessionUntil(session.expiresAt) };
    },
  );

  app.post(
    '/api/auth/admin/logout',
    {
      config: { audience: ['admin'], idempotent: false },
      schema: { summary: 'Sign out', tags: ['Sessions'], response: { 200: done, ...problems(401) } },
    },
    async (request, reply) => {
      const { hash } = found(request.session, 'session_required');
      await sessions.end({ hash }, 'signed_out');
      const secure = origins.isTls(request);
      reply.clearCookie(adminCookieName(secure), { path: '/', httpOnly: true, sameSite: 'strict', secure });
      return { success: true as const };
    },
  );

  app.get(
    '/api/auth/admin/session',
    {
      config: { audience: ['admin'] },
      schema: { summary: 'The session', tags: ['Sessions'], response: { 200: adminSessionReply, ...problems(401) } },
    },
    async (request) => {
      principalAs(request, 'admin');
      return { success: true as const, session: sessionUntil(found(request.session, 'session_required').expiresAt) };
    },
  );
};
