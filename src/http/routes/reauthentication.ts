import type { FastifyRequest } from 'fastify';
import { beginOpenIdReply } from '../../contracts/identityProvider.ts';
import { reauthenticate, reauthenticationReply } from '../../contracts/sessions.ts';
import { RECENT_MS } from '../../domain/limits.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { beginOpenIdProof } from '../openIdSignIn.ts';
import { principalAs } from '../principal.ts';
import { memberOfSession, proofsOf, prove } from '../reauthenticate.ts';
import { found, problems } from '../replies.ts';
import type { Origins } from '../requests/origins.ts';

const audience = ['admin', 'integrator', 'customer'] as const;
const tags = ['Sessions'];

const ownSession = (request: FastifyRequest) => ({
  owner: principalAs(request, ...audience),
  session: found(request.session, 'session_required'),
});

/** The holder of a session proves again who it is. */
export const reauthenticationRoutes: Routes<HttpDeps & { origins: Origins }> = (app, deps) => {
  const { sessions, now } = deps;

  const recentUntil = (authenticatedAt: number | null): string | null => {
    const until = (authenticatedAt ?? 0) + RECENT_MS;
    return until > now() ? new Date(until).toISOString() : null;
  };

  app.get(
    '/api/auth/reauthenticate',
    {
      config: { audience, permission: 'ownSession:read' },
      schema: {
        summary: 'Get what your session can authenticate again with',
        tags,
        response: { 200: reauthenticationReply, ...problems(401, 403) },
      },
    },
    async (request) => {
      const { owner, session } = ownSession(request);
      const { methods, codeRequired } = await proofsOf(deps, request, owner);
      const at = await sessions.authenticatedAt(session.hash);
      return { success: true as const, methods: [...methods], codeRequired, recentUntil: recentUntil(at) };
    },
  );

  app.post(
    '/api/auth/reauthenticate',
    {
      config: { audience, permission: 'ownSession:read', idempotent: false },
      bodyLimit: BODY_LIMIT.secrets,
      schema: {
        summary: 'Prove again who you are',
        description: 'Calls that ask for a recent authentication are then accepted for ten minutes.',
        tags,
        body: reauthenticate,
        response: { 200: reauthenticationReply, ...problems(400, 401, 403, 409, 429) },
      },
    },
    async (request, reply) => {
      const { owner, session } = ownSession(request);
      await prove(deps, request, reply, owner, request.body);
      const at = found(await sessions.renew(session.hash), 'session_required');
      const { methods, codeRequired } = await proofsOf(deps, request, owner);
      return { success: true as const, methods: [...methods], codeRequired, recentUntil: recentUntil(at) };
    },
  );

  app.post(
    '/api/auth/reauthenticate/openid',
    {
      config: { audience, permission: 'ownSession:read', idempotent: false },
      schema: {
        summary: 'Start to prove at the identity provider who you are',
        description: 'The reply has the address of the provider, which asks the user to sign in again.',
        tags,
        response: { 200: beginOpenIdReply, ...problems(401, 403, 409) },
      },
    },
    async (request, reply) => {
      const { owner, session } = ownSession(request);
      const member = await memberOfSession(deps, owner);
      return { success: true as const, url: await beginOpenIdProof(deps, request, reply, member, session.hash) };
    },
  );
};
