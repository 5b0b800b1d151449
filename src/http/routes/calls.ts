import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type CallsQuery,
  callsQuery,
  callsReply,
  customerCallsQuery,
  integratorCallsQuery,
  ownCallsQuery,
} from '../../contracts/calls.ts';
import type { CallScope } from '../../projections/calls/search.ts';
import { normalizeInstanceUrl } from '../apiCalls/check.ts';
import type { Routes } from '../deps.ts';
import { exportedCalls, exportFormatOf, sendFile } from '../export.ts';
import { customerNameOf, periodOf } from '../exportNames.ts';
import { visibleCustomer } from '../ownership.ts';
import { principalAs } from '../principal.ts';
import { found, problems } from '../replies.ts';

const tags = ['Monitoring'];
const description =
  'A page is sorted by the second in which the calls were made. A search that finds few calls ends before it has examined all: ' +
  'then `searchedTo` is how far it came, and the next page continues it. With `Accept: text/csv` or `application/x-ndjson` all matching ' +
  'calls are streamed, newest first.';

const answer = async (request: FastifyRequest, reply: FastifyReply, scope: CallScope, { limit, cursor, ...query }: CallsQuery) => {
  const { customerId: _customer, serviceIntegratorId: _integrator, instanceUrl, ...rest } = query;
  // Recorded addresses are normalized, so what a user copied from elsewhere finds them too.
  const filter = instanceUrl === undefined ? rest : { ...rest, instanceUrl: normalizeInstanceUrl(instanceUrl) ?? instanceUrl };
  const format = exportFormatOf(request.headers.accept);
  if (format === null) {
    const page = await request.queries.calls.page(scope, { ...filter, limit, cursor });
    return { success: true as const, ...page };
  }
  const file = await exportedCalls(request.queries.calls.export(scope, filter), format);
  const of = scope !== 'all' && 'customerId' in scope ? await customerNameOf(request, scope.customerId) : undefined;
  return sendFile(reply, file, format, 'calls', of, ...periodOf(request, filter));
};

/** Single recorded calls: those of all customers for administrators, of the own customers for integrators, and of the own account. */
export const callRoutes: Routes<object> = (app) => {
  app.get(
    '/api/admin/calls',
    {
      config: { audience: ['admin'], permission: 'calls:read' },
      schema: {
        summary: 'List recorded calls of all customers, newest first',
        description,
        tags,
        querystring: callsQuery,
        response: { 200: callsReply, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { customerId, serviceIntegratorId: integratorId } = request.query;
      if (customerId) return answer(request, reply, await visibleCustomer(request, customerId), request.query);
      return answer(request, reply, integratorId ? { integratorId } : 'all', request.query);
    },
  );

  app.get(
    '/api/service-integrator/calls',
    {
      config: { audience: ['integrator'], permission: 'calls:read' },
      schema: {
        summary: "List recorded calls of the integrator's customers, newest first",
        description,
        tags,
        querystring: integratorCallsQuery,
        response: { 200: callsReply, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      const { customerId } = request.query;
      const scope = customerId ? await visibleCustomer(request, customerId) : { integratorId };
      return answer(request, reply, scope, request.query);
    },
  );

  app.get(
    '/api/customer/calls',
    {
      config: { audience: ['customer'], permission: 'calls:read' },
      schema: {
        summary: "List the account's recorded calls, newest first",
        description,
        tags,
        querystring: customerCallsQuery,
        response: { 200: callsReply, ...problems(400, 401, 403, 503) },
      },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      return answer(request, reply, { customerId }, request.query);
    },
  );

  app.get(
    '/api/customer/own-calls',
    {
      config: { audience: ['customer'], permission: 'ownUsage:read' },
      schema: {
        summary: 'List the recorded calls of the named user of the session, newest first',
        description,
        tags,
        querystring: ownCallsQuery,
        response: { 200: callsReply, ...problems(400, 401, 403, 503) },
      },
    },
    async (request, reply) => {
      const { customerId, userId } = principalAs(request, 'customer');
      return answer(request, reply, { customerId }, { ...request.query, userId: found(userId, 'member_required') });
    },
  );
};
