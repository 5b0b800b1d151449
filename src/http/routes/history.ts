import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { customerId, integratorId } from '../../contracts/fields.ts';
import { type HistoryQuery, historyQuery, historyReply } from '../../contracts/history.ts';
import type { HistoryOwner } from '../../projections/history/queries.ts';
import type { App } from '../deps.ts';
import { EXPORT_TYPES, exported, exportFormatOf } from '../export.ts';
import { visibleCustomer } from '../ownership.ts';
import { principalAs } from '../principal.ts';
import { found, problems } from '../replies.ts';

const tags = ['History'];
const response = { 200: historyReply, ...problems(400, 401, 403, 404) };
const description = 'With `Accept: text/csv` or `application/x-ndjson` all matching entries are streamed, newest first.';

/** What happened to a customer or an integrator: as a page, or all of it as a file. */
export const historyRoutes = (app: App): void => {
  const answer = async (request: FastifyRequest, reply: FastifyReply, owner: HistoryOwner, query: HistoryQuery) => {
    const format = exportFormatOf(request.headers.accept);
    if (format === null) return { success: true as const, ...(await request.queries.history.of(owner, query)) };
    const { limit: _limit, cursor: _cursor, ...filter } = query;
    const file = await exported(request.queries.history.export(owner, filter), format);
    reply
      .type(EXPORT_TYPES[format])
      .header('content-disposition', `attachment; filename="history-${Object.values(owner)[0]}.${format}"`)
      .header('cache-control', 'no-store');
    return reply.send(file);
  };

  for (const [prefix, audience] of [
    ['/api/admin', 'admin'],
    ['/api/service-integrator', 'integrator'],
  ] as const) {
    app.get(
      `${prefix}/customers/:customerId/history`,
      {
        config: { audience: [audience], permission: 'history:read' },
        schema: {
          summary: 'List the history of a customer',
          description,
          tags,
          params: z.strictObject({ customerId }),
          querystring: historyQuery,
          response,
        },
      },
      async (request, reply) => {
        const { customerId } = request.params;
        // A deleted customer's history stays for the audit, for administrators alone.
        const isKept = audience === 'admin' && (await request.queries.history.isKept({ customerId }));
        if (!isKept) await visibleCustomer(request, customerId);
        return answer(request, reply, { customerId }, request.query);
      },
    );
  }

  app.get(
    '/api/admin/service-integrators/:integratorId/history',
    {
      config: { audience: ['admin'], permission: 'history:read' },
      schema: {
        summary: 'List the history of a service integrator',
        description,
        tags,
        params: z.strictObject({ integratorId }),
        querystring: historyQuery,
        response,
      },
    },
    async (request, reply) => {
      const { integratorId } = request.params;
      if (!(await request.queries.history.isKept({ integratorId }))) {
        found(await request.queries.integrators.get(integratorId), 'integrator_not_found');
      }
      return answer(request, reply, { integratorId }, request.query);
    },
  );

  app.get(
    '/api/customer/history',
    {
      config: { audience: ['customer'], permission: 'history:read' },
      schema: { summary: 'List the history', description, tags, querystring: historyQuery, response },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      return answer(request, reply, { customerId }, request.query);
    },
  );
};
