import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type SignInsChartQuery,
  type SignInsQuery,
  signInsChartQuery,
  signInsChartReply,
  signInsQuery,
  signInsReply,
} from '../../contracts/signIns.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { SignInOwner } from '../../projections/signIns/queries.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { exportedSignIns, exportFormatOf, sendFile } from '../export.ts';
import { periodOf, tenantNameOf } from '../exportNames.ts';
import { principalAs } from '../principal.ts';
import { problems } from '../replies.ts';

/** Whose sign-ins the caller sees: administrators those of all accounts, others those that name their own account. */
const ownerOf = (request: FastifyRequest): SignInOwner => {
  const owner = principalAs(request, 'admin', 'integrator', 'customer');
  switch (owner.kind) {
    case 'admin':
      return 'all';
    case 'integrator':
      return { integratorId: owner.integratorId };
    case 'customer':
      return { customerId: owner.customerId };
  }
};

/** What a chart shows: at most the retention period up to the end, which is at most now. In ms since 1970. */
const rangeOf = ({ from, to }: SignInsChartQuery, now: number, retentionDays: number): { from: number; to: number } => {
  const end = Math.min(to === undefined ? now : Date.parse(to), now);
  const start = from === undefined ? end - DAY_MS : Date.parse(from);
  return { from: Math.max(start, end - retentionDays * DAY_MS), to: end };
};

/** The sign-ins of all audiences for administrators, and of the own account for others. */
export const signInRoutes: Routes<Pick<HttpDeps, 'settings' | 'now'>> = (app, { settings: { signInRetentionDays }, now }) => {
  const answer = async (request: FastifyRequest, reply: FastifyReply, query: SignInsQuery) => {
    const owner = ownerOf(request);
    const format = exportFormatOf(request.headers.accept);
    if (format === null) {
      const page = await request.queries.signIns.page(owner, query);
      return { success: true as const, ...page, retentionDays: signInRetentionDays };
    }
    const { limit: _limit, cursor: _cursor, ...filter } = query;
    const file = await exportedSignIns(request.queries.signIns.export(owner, filter), format);
    return sendFile(reply, file, format, 'sign-ins', await tenantNameOf(request), ...periodOf(request, filter));
  };

  for (const [prefix, audience, whose] of [
    ['/api/admin', 'admin', 'of all accounts'],
    ['/api/service-integrator', 'integrator', 'of the own account'],
    ['/api/customer', 'customer', 'of the own account'],
  ] as const) {
    app.get(
      `${prefix}/sign-ins`,
      {
        config: { audience: [audience], permission: 'signIns:read' },
        schema: {
          summary: `List successful and rejected sign-ins ${whose}, newest first`,
          description: 'With `Accept: text/csv` or `application/x-ndjson` all matching sign-ins are streamed, newest first.',
          tags: ['Monitoring'],
          querystring: signInsQuery,
          response: { 200: signInsReply, ...problems(400, 401, 403) },
        },
      },
      async (request, reply) => answer(request, reply, request.query),
    );

    app.get(
      `${prefix}/sign-ins/chart`,
      {
        config: { audience: [audience], permission: 'signIns:read' },
        schema: {
          summary: `Count successful and rejected sign-ins ${whose} over time`,
          description: 'Without `from`, of the 24 hours up to `to`; without `to`, up to now.',
          tags: ['Monitoring'],
          querystring: signInsChartQuery,
          response: { 200: signInsChartReply, ...problems(400, 401, 403) },
        },
      },
      async (request) => {
        const { from: _from, to: _to, ...filter } = request.query;
        const range = rangeOf(request.query, now(), signInRetentionDays);
        return { success: true as const, ...(await request.queries.signIns.chart(ownerOf(request), filter, range)) };
      },
    );
  }
};
