import type { FastifyRequest } from 'fastify';
import type { SessionKind } from '../database/tables/sessions.ts';
import type { TeamId, UserId } from '../domain/ids.ts';
import type { TeamCommand } from '../domain/team/commands.ts';
import type { HttpDeps } from './deps.ts';
import { found } from './replies.ts';
import { metaOf } from './requests/meta.ts';

/** The most sessions of one event, whose ids also fit into one notification of PostgreSQL (8,000 bytes). */
export const REVOKED = 100;

/**
 * The commands that revoke the other sessions of the session's named user. They are appended with the change because of which these
 * sessions end: should the process be killed before it ends them, a policy does.
 */
export const revocationOfOthers = async (
  { sessions }: Pick<HttpDeps, 'sessions'>,
  request: FastifyRequest,
  { teamId, userId }: { teamId: TeamId; userId: UserId },
  kinds: readonly SessionKind[],
): Promise<TeamCommand[]> => {
  const { hash } = found(request.session, 'session_required');
  const open = await Promise.all(kinds.map((kind) => sessions.list({ kind, userId, except: hash })));
  const ids = open.flat().map(({ session }) => session.id);
  const meta = metaOf(request);
  return Array.from({ length: Math.ceil(ids.length / REVOKED) }, (_, index) => ({
    type: 'RevokeMemberSessions',
    data: { teamId, userId, sessionIds: ids.slice(index * REVOKED, (index + 1) * REVOKED) },
    meta,
  }));
};
