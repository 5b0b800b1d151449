import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type CallsQuery,
  callSourcesQuery,
  callSourcesReply,
  callsQuery,
  callsReply,
  customerCallsQuery,
  integratorCallsQuery,
  ownCallsQuery,
} from '../../contracts/calls.ts';
import { CHART_RANGES } from '../../contracts/chartSpans.ts';
import { customerId } from '../../contracts/fields.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
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

/** Calls of one user are those of a customer, in which they are found sooner. A removed user may have calls of any customer. */
const scopeOfUser = async ({ queries }: FastifyRequest, scope: CallScope, userId: UserId): Promise<CallScope | null> => {
  const user = await queries.users.owner(userId);
  if (!user || scope === 'all') return user ? { customerId: user.customerId } : scope;
  const isInScope = 'customerId' in scope ? scope.customerId === user.customerId : scope.integratorId === user.integratorId;
  return isInScope ? { customerId: user.customerId } : null;
};

/** The period of a query, with the start of its range. */
const between = ({ receivedAt }: FastifyRequest, { range, from, to }: CallsQuery): Pick<CallsQuery, 'from' | 'to'> =>
  range === undefined ? { from, to } : { from: new Date(receivedAt - CHART_RANGES[range] * 1000).toISOString(), to: undefined };

async function* noCalls(): AsyncGenerator<never> {}

/** Lists or exports the calls of a scope; none if nothing can be in all its parts. */
const answer = async (request: FastifyRequest, reply: FastifyReply, of: CallScope | null, query: CallsQuery) => {
  const { customerId: _customer, serviceIntegratorId: _integrator, range: _range, limit, cursor, instanceUrl, ...rest } = query;
  const filter = {
    ...rest,
    ...between(request, query),
    // Recorded addresses are normalized, so what a user copied from elsewhere finds them too.
    ...(instanceUrl !== undefined && { instanceUrl: normalizeInstanceUrl(instanceUrl) ?? instanceUrl }),
  };
  const scope = of && filter.userId ? await scopeOfUser(request, of, filter.userId) : of;
  const format = exportFormatOf(request.headers.accept);
  if (format === null) {
    if (scope === null) return { success: true as const, calls: [], nextCursor: null, searchedTo: null };
    const page = await request.queries.calls.page(scope, { ...filter, limit, cursor });
    return { success: true as const, ...page };
  }
  const calls = scope === null ? noCalls() : request.queries.calls.export(scope, filter);
  const file = await exportedCalls(calls, format);
  const customerId = scope !== null && scope !== 'all' && 'customerId' in scope ? scope.customerId : undefined;
  const name = customerId && (await customerNameOf(request, customerId));
  return sendFile(reply, file, format, 'calls', name, ...periodOf(request, filter));
};

const sources = {
  summary: 'List sources of recorded calls',
  description: 'Those of all time that begin with `search`, by name; the first 50.',
  tags,
  querystring: callSourcesQuery,
  response: { 200: callSourcesReply, ...problems(400, 401, 403, 404) },
};

const sourcesOf = async ({ queries }: FastifyRequest, id: CustomerId, search = '') => ({
  success: true as const,
  sources: await queries.usage.sources(id, search),
});

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
      if (!customerId) return answer(request, reply, integratorId ? { integratorId } : 'all', request.query);
      const customer = await visibleCustomer(request, customerId);
      const isInScope = integratorId === undefined || integratorId === customer.integratorId;
      return answer(request, reply, isInScope ? { customerId } : null, request.query);
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

  for (const [audience, prefix] of [
    ['admin', '/api/admin'],
    ['integrator', '/api/service-integrator'],
  ] as const) {
    app.get(
      `${prefix}/customers/:customerId/call-sources`,
      {
        config: { audience: [audience], permission: 'calls:read' },
        schema: { ...sources, params: z.strictObject({ customerId }) },
      },
      async (request) => {
        const visible = await visibleCustomer(request, request.params.customerId);
        return sourcesOf(request, visible.customerId, request.query.search);
      },
    );
  }

  app.get(
    '/api/customer/call-sources',
    { config: { audience: ['customer'], permission: 'calls:read' }, schema: sources },
    async (request) => sourcesOf(request, principalAs(request, 'customer').customerId, request.query.search),
  );
};
