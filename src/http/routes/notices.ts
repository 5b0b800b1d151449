import { dismissNotices, noticesReply } from '../../contracts/notices.ts';
import { done } from '../../contracts/replies.ts';
import type { Routes } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { principalAs, teamOf } from '../principal.ts';
import { accepted, found, problems } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';

const tags = ['Named users'];
const audience = ['admin', 'integrator', 'customer'] as const;
const config = { audience, permission: 'ownSession:read' } as const;

/** The notices of the named user of the session. */
export const noticeRoutes: Routes = (app, { commands, settle }) => {
  app.get(
    '/api/account/notices',
    {
      config,
      schema: {
        summary: 'List the own notices that were not dismissed, newest first',
        tags,
        response: { 200: noticesReply, ...problems(401, 403) },
      },
    },
    async (request) => {
      const owner = principalAs(request, ...audience);
      const notices = owner.userId === undefined ? [] : await request.queries.team.notices(teamOf(owner), owner.userId);
      return { success: true as const, notices };
    },
  );

  app.post(
    '/api/account/notices/dismiss',
    {
      config: { ...config, idempotent: false },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Dismiss own notices; others and unknown ones are ignored',
        tags,
        body: dismissNotices,
        response: { 200: done, ...problems(400, 401, 403, 409) },
      },
    },
    async (request, reply) => {
      const owner = principalAs(request, ...audience);
      const userId = found(owner.userId, 'member_required');
      const data = { teamId: teamOf(owner), userId, noticeIds: request.body.noticeIds };
      const { position } = accepted(await commands.teams.handle({ type: 'DismissNotices', data, meta: metaOf(request) }));
      await settle(reply, position);
      return { success: true as const };
    },
  );
};
