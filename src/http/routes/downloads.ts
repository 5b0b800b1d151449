import { downloadParams, downloadReply, prepareDownload } from '../../contracts/downloads.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { HttpProblem } from '../problems/problems.ts';
import { found, problems } from '../replies.ts';
import { type Downloads, downloadCookie, startedCookie } from '../requests/downloads.ts';
import { tokenOf } from '../requests/guard.ts';
import type { Origins } from '../requests/origins.ts';

const tags = ['Downloads'];

/** Files that a browser downloads itself, for which it cannot send the headers that a program sends. */
export const downloadRoutes: Routes<HttpDeps & { origins: Origins; downloads: Downloads }> = (
  app,
  { downloads, origins, newId },
) => {
  app.post(
    '/api/downloads',
    {
      config: { audience: ['admin', 'integrator', 'customer'], permission: 'ownSession:read', idempotent: false },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Prepare the download of an export by a browser',
        description:
          'Programs send `Accept` to the exporting call instead. The reply sets a cookie with which the browser that called can get ' +
          '`url` once, within a minute, as this session. When the file begins to arrive, the cookie `startedCookie` has its name.',
        tags,
        body: prepareDownload,
        response: { 200: downloadReply, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const { owner } = found(request.session, 'session_required');
      const token = owner.kind === 'admin' ? null : tokenOf(request, owner.kind);
      const id = newId();
      const { url, sealed } = downloads.prepare(id, { ...request.body, token });
      const isTls = origins.isTls(request);
      reply.setCookie(...downloadCookie(sealed, url, isTls));
      return { success: true as const, url, startedCookie: startedCookie(id, isTls) };
    },
  );

  app.get(
    '/api/downloads/:downloadId',
    {
      config: { audience: ['public'] },
      schema: {
        summary: 'Get a prepared download',
        description: 'The reply is that of the call that it was prepared for. It needs the cookie of the preparation.',
        tags,
        params: downloadParams,
        response: problems(400, 404),
      },
    },
    async () => {
      throw new HttpProblem('download_not_found');
    },
  );
};
