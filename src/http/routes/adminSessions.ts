import type { FastifyReply, FastifyRequest } from 'fastify';
import { adminLogin, adminSessionReply } from '../../contracts/auth.ts';
import { done } from '../../contracts/replies.ts';
import type { TeamMember } from '../../contracts/team.ts';
import { teamIdOf } from '../../domain/team/teamId.ts';
import { networksOf } from '../../security/clientNetworks.ts';
import type { Session } from '../../security/session.ts';
import { completeSignIn } from '../completeSignIn.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { evaluateGuess, right, wrong } from '../guesses.ts';
import { admitKey } from '../notices.ts';
import { grantsOf, shownMember } from '../principal.ts';
import { found, problems } from '../replies.ts';
import { adminCookieName } from '../requests/guard.ts';
import type { Origins } from '../requests/origins.ts';
import { forgetSite } from '../requests/securityHeaders.ts';

/** Gives the browser the token of an administrator's session. `expiresAt` is ms since 1970. */
export const setAdminCookie = (
  request: FastifyRequest,
  reply: FastifyReply,
  { origins }: { origins: Origins },
  token: string,
  expiresAt: number,
): void => {
  const secure = origins.isTls(request);
  const expires = new Date(expiresAt);
  reply.setCookie(adminCookieName(secure), token, { path: '/', httpOnly: true, sameSite: 'strict', secure, expires });
};

/** Administrators sign in with the admin key and hold their session in a cookie. */
export const adminSessionRoutes: Routes<HttpDeps & { origins: Origins }> = (app, deps) => {
  const { sessions, verifyAdminKey, settings, origins } = deps;
  const shown = (session: Session, member: Pick<TeamMember, 'name' | 'email'> | null) => ({
    email: member?.email ?? settings.adminEmail,
    expiresAt: new Date(session.expiresAt).toISOString(),
    ...grantsOf(session, member?.name ?? null),
  });

  app.post(
    '/api/auth/admin/login',
    {
      config: { audience: ['public'], idempotent: false, signIn: 'admin' },
      schema: {
        summary: 'Sign in as administrator',
        tags: ['Sessions'],
        body: adminLogin,
        response: { 200: adminSessionReply, ...problems(400, 401, 403, 429) },
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
      const check = () => admitKey(deps, request, teamIdOf({ kind: 'administration' }));
      const { token, session } = await completeSignIn(deps, request, { owner: { kind: 'admin' }, method: 'key', check });
      setAdminCookie(request, reply, deps, token, session.expiresAt);
      return { success: true as const, session: shown(session, null) };
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
      const session = found(request.session, 'session_required');
      return { success: true as const, session: shown(session, await shownMember(request, request.queries)) };
    },
  );
};
