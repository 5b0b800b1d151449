import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sessionId } from '../../contracts/fields.ts';
import { done } from '../../contracts/replies.ts';
import { type OpenSession, revokedReply, revokeOthersQuery, sessionsReply } from '../../contracts/sessions.ts';
import type { SessionKind } from '../../database/tables/sessions.ts';
import type { SessionId, UserId } from '../../domain/ids.ts';
import { teamIdOf } from '../../domain/team/teamId.ts';
import type { Session, SessionMatch } from '../../security/session.ts';
import type { ListedSession } from '../../security/sessionRows.ts';
import type { Sessions } from '../../security/sessions.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { exportRows, FILE_DESCRIPTION, SESSIONS } from '../listExport.ts';
import { REVOKED } from '../otherSessions.ts';
import { principalAs, tenantOf } from '../principal.ts';
import type { ConsoleOwner } from '../reauthenticate.ts';
import { accepted, found, problems } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';

const audience = ['admin', 'integrator', 'customer'] as const;
const params = z.strictObject({ sessionId });
const tags = ['Sessions'];

type Match = SessionMatch & { kind: SessionKind };

const userIdOf = (owner: Session['owner']): UserId | null => ('userId' in owner ? owner.userId : undefined) ?? null;

/** The console's sessions of a tenant: those of its named users and of its key. */
const sessionsOfTenant = (owner: ConsoleOwner): Match => {
  switch (owner.kind) {
    case 'admin':
      return { kind: 'admin' };
    case 'integrator':
      return { kind: 'integrator', integratorId: owner.integratorId };
    case 'customer':
      return { kind: 'customer', customerId: owner.customerId };
  }
};

/** The sessions of the same named user; of a session of the key, those of the key. An API token has none. */
const sessionsOfUser = (owner: ConsoleOwner): Match => {
  if (owner.tokenId !== undefined) return { ...sessionsOfTenant(owner), ids: [] };
  const userId = userIdOf(owner);
  return { ...sessionsOfTenant(owner), ...(userId === null ? { isByKey: true } : { userId }) };
};

/** The sessions of each user, and those of the key. */
const byUser = (open: readonly ListedSession[]): ListedSession[][] => {
  const users = new Map<UserId | null, ListedSession[]>();
  for (const one of open) {
    const userId = userIdOf(one.session.owner);
    users.set(userId, [...(users.get(userId) ?? []), one]);
  }
  return [...users.values()];
};

const ownSession = (request: FastifyRequest): { owner: ConsoleOwner; session: Session } => ({
  owner: principalAs(request, ...audience),
  session: found(request.session, 'session_required'),
});

const shown = ({ session, lastSeenAt }: ListedSession, own: Session, now: number): Omit<OpenSession, 'name'> => ({
  sessionId: session.id,
  userId: userIdOf(session.owner),
  method: session.method,
  address: session.client.address,
  browser: session.client.browser,
  startedAt: new Date(session.openedAt).toISOString(),
  lastSeenAt: new Date(session.hash === own.hash ? now : lastSeenAt).toISOString(),
  expiresAt: new Date(session.expiresAt).toISOString(),
  isCurrent: session.hash === own.hash,
});

/** The open sessions that match, and of a customer those of the tool that its named users signed in by a device code. */
const listOpen = async (sessions: Sessions, match: Match): Promise<readonly ListedSession[]> => {
  const open = await sessions.list(match);
  if (match.kind !== 'customer') return open;
  const tools = await sessions.list({ ...match, kind: 'cli', isByName: true });
  return [...open, ...tools].sort((one, other) => other.lastSeenAt - one.lastSeenAt);
};

/** The sessions of the console and of tools that a named user signed in: list them and end them. */
export const sessionRoutes: Routes<HttpDeps> = (app, deps) => {
  const { sessions, commands, settle, now } = deps;

  const listed = async (request: FastifyRequest, match: Match): Promise<OpenSession[]> => {
    const { owner, session } = ownSession(request);
    const open = await listOpen(sessions, match);
    const members = await request.queries.team.members(teamIdOf(tenantOf(owner)));
    const names = new Map(members.map(({ userId, name }) => [userId, name]));
    return open
      .map((entry) => shown(entry, session, now()))
      .map((entry) => ({ ...entry, name: (entry.userId && names.get(entry.userId)) ?? null }));
  };

  /** Records that sessions of one user are revoked, and ends them. A policy ends them too, should the process be killed in between. */
  const revoke = async (
    request: FastifyRequest,
    reply: FastifyReply,
    match: Match,
    ended: readonly ListedSession[],
  ): Promise<void> => {
    const teamId = teamIdOf(tenantOf(ownSession(request).owner));
    const userId = ended[0] ? userIdOf(ended[0].session.owner) : null;
    for (let at = 0; at < ended.length; at += REVOKED) {
      const sessionIds = ended.slice(at, at + REVOKED).map(({ session }) => session.id);
      const data = { teamId, userId, sessionIds };
      const outcome = await commands.teams.handle({ type: 'RevokeMemberSessions', data, meta: metaOf(request) });
      // The removal of a named user ends the sessions too; a policy may not have done so yet.
      const isRemoved = !outcome.accepted && outcome.refusal === 'member_not_found';
      const position = isRemoved ? null : accepted(outcome).position;
      for (const kind of match.kind === 'customer' ? (['customer', 'cli'] as const) : [match.kind]) {
        await sessions.end({ ...match, kind, ids: sessionIds }, 'sessions_revoked');
      }
      await settle(reply, position);
    }
  };

  const revokeOne = async (request: FastifyRequest, reply: FastifyReply, match: Match, id: SessionId): Promise<void> => {
    const open = await listOpen(sessions, { ...match, ids: [id] });
    await revoke(request, reply, match, [found(open[0], 'session_not_found')]);
  };

  app.get(
    '/api/account/sessions',
    {
      config: { audience, permission: 'ownSession:read' },
      schema: {
        summary: 'List your own open sessions; of a sign-in with the key, those of the key',
        description: FILE_DESCRIPTION,
        tags,
        response: { 200: sessionsReply, ...problems(401, 403) },
      },
    },
    async (request, reply) => {
      const open = await listed(request, sessionsOfUser(principalAs(request, ...audience)));
      return (await exportRows(request, reply, SESSIONS, open)) ? reply : { success: true as const, sessions: open };
    },
  );

  app.delete(
    '/api/account/sessions/:sessionId',
    {
      config: { audience, permission: 'ownSession:end' },
      schema: { summary: 'End one of your own sessions', tags, params, response: { 200: done, ...problems(400, 401, 403, 404) } },
    },
    async (request, reply) => {
      await revokeOne(request, reply, sessionsOfUser(principalAs(request, ...audience)), request.params.sessionId);
      return { success: true as const };
    },
  );

  app.post(
    '/api/account/sessions/revoke-others',
    {
      config: { audience, permission: 'ownSession:end' },
      schema: {
        summary: 'End all your own sessions but this one',
        tags,
        response: { 200: revokedReply, ...problems(401, 403) },
      },
    },
    async (request, reply) => {
      const { owner, session } = ownSession(request);
      const match = { ...sessionsOfUser(owner), except: session.hash };
      const others = await listOpen(sessions, match);
      await revoke(request, reply, match, others);
      return { success: true as const, revoked: others.length };
    },
  );

  app.get(
    '/api/sessions',
    {
      config: { audience, permission: 'sessions:read' },
      schema: {
        summary: 'List the open sessions of your tenant: those of all named users, and of the key',
        description: FILE_DESCRIPTION,
        tags,
        response: { 200: sessionsReply, ...problems(401, 403) },
      },
    },
    async (request, reply) => {
      const open = await listed(request, sessionsOfTenant(principalAs(request, ...audience)));
      return (await exportRows(request, reply, SESSIONS, open)) ? reply : { success: true as const, sessions: open };
    },
  );

  app.post(
    '/api/sessions/revoke-others',
    {
      config: { audience, permission: 'sessions:revoke', reauthentication: true },
      schema: {
        summary: 'End all sessions of your tenant but this one',
        description: 'With `openedBefore`, those that were opened before this time.',
        tags,
        querystring: revokeOthersQuery,
        response: { 200: revokedReply, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const { owner, session } = ownSession(request);
      // Sessions that are opened during this request stay open, so that the loop ends.
      const openedBefore = request.query.openedBefore === undefined ? now() : Date.parse(request.query.openedBefore);
      const match = { ...sessionsOfTenant(owner), except: session.hash, openedBefore };
      let revoked = 0;
      // A list has the sessions that were used last only: the next ones follow when they have ended.
      for (let open = await listOpen(sessions, match); open.length > 0; open = await listOpen(sessions, match)) {
        for (const ofUser of byUser(open)) await revoke(request, reply, match, ofUser);
        revoked += open.length;
      }
      return { success: true as const, revoked };
    },
  );

  app.delete(
    '/api/sessions/:sessionId',
    {
      config: { audience, permission: 'sessions:revoke' },
      schema: { summary: 'End a session of your tenant', tags, params, response: { 200: done, ...problems(400, 401, 403, 404) } },
    },
    async (request, reply) => {
      await revokeOne(request, reply, sessionsOfTenant(principalAs(request, ...audience)), request.params.sessionId);
      return { success: true as const };
    },
  );
};
