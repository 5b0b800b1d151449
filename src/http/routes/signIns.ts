import { signInsQuery, signInsReply } from '../../contracts/signIns.ts';
import type { App } from '../deps.ts';
import { problems } from '../replies.ts';

/** The sign-ins of all audiences, for administrators. */
export const signInRoutes = (app: App): void => {
  app.get(
    '/api/admin/sign-ins',
    {
      config: { audience: ['admin'], permission: 'signIns:read' },
      schema: {
        summary: 'List successful and rejected sign-ins of the last 90 days, newest first',
        tags: ['Monitoring'],
        querystring: signInsQuery,
        response: { 200: signInsReply, ...problems(400, 401, 403) },
      },
    },
    async (request) => ({ success: true as const, ...(await request.queries.signIns.page(request.query)) }),
  );
};
