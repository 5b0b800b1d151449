import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { customerId, integratorId } from '../../contracts/fields.ts';
import { asOfQuery, type HistoryQuery, historyQuery, historyReply, integratorAsOfReply } from '../../contracts/history.ts';
import type { TenantHistory } from '../../projections/historyOwner.ts';
import type { App, HttpDeps } from '../deps.ts';
import { exported, exportFormatOf, sendFile } from '../export.ts';
import { customerNameOf, integratorNameOf, periodOf } from '../exportNames.ts';
import { readerOf } from '../historyReader.ts';
import { showIntegratorAsOf } from '../integratorAsOf.ts';
import { visibleCustomer } from '../ownership.ts';
import { principalAs } from '../principal.ts';
import { found, problems } from '../replies.ts';
import { verifiedExport } from '../verifiedExport.ts';

const tags = ['History'];
const response = { 200: historyReply, ...problems(400, 401, 403, 404) };
const description =
  'With `Accept: text/csv` or `application/x-ndjson` all matching entries are streamed, newest first. With `proofs=true` they are streamed as NDJSON with proofs of the audit log.';

const AS_OF_DESCRIPTION =
  'Account, brand, sign-in policy, custom themes, named users and number of customers, from the events until then. With `compareTo`, what differs at that time.';

/** What names the file of an export: the customer or the service integrator, by its id after it was deleted. */
const nameOf = async (request: FastifyRequest, owner: TenantHistory): Promise<string> => {
  if ('administration' in owner) return 'administration';
  if ('customerId' in owner) return (await customerNameOf(request, owner.customerId)) ?? owner.customerId;
  const integratorId = 'integratorId' in owner ? owner.integratorId : owner.ownIntegratorId;
  return (await integratorNameOf(request, integratorId)) ?? integratorId;
};

/** What happened to a customer or an integrator: as a page, or all of it as a file. */
export const historyRoutes = (app: App, deps: HttpDeps): void => {
  const answer = async (request: FastifyRequest, reply: FastifyReply, owner: TenantHistory, { proofs, ...query }: HistoryQuery) => {
    const reader = readerOf(request);
    const { limit: _limit, cursor: _cursor, ...filter } = query;
    const entries = () => request.queries.history.export(owner, filter, reader);
    if (proofs === 'true') {
      const file = await verifiedExport(deps, entries(), { of: owner, filter, withContent: reader.kind === 'admin' });
      return sendFile(reply, file, 'ndjson', 'history-verified', await nameOf(request, owner), ...periodOf(request, filter));
    }
    const format = exportFormatOf(request.headers.accept);
    if (format === null) return { success: true as const, ...(await request.queries.history.of(owner, query, reader)) };
    const file = await exported(entries(), format);
    return sendFile(reply, file, format, 'history', await nameOf(request, owner), ...periodOf(request, filter));
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
        const owner = principalAs(request, 'admin', 'integrator');
        const of = owner.kind === 'integrator' ? { customerId, since: owner.integratorId } : { customerId };
        return answer(request, reply, of, request.query);
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

  const asOf = { querystring: asOfQuery, response: { 200: integratorAsOfReply, ...problems(400, 401, 403, 404) } };

  app.get(
    '/api/admin/service-integrators/:integratorId/as-of',
    {
      config: { audience: ['admin'], permission: 'history:read' },
      schema: {
        summary: 'Get a service integrator at a point in time',
        description: AS_OF_DESCRIPTION,
        tags,
        params: z.strictObject({ integratorId }),
        ...asOf,
      },
    },
    async (request) => {
      const { integratorId } = request.params;
      found(await request.queries.integrators.account(integratorId), 'integrator_not_found');
      const { queries, query } = request;
      return showIntegratorAsOf({ ...deps, queries, reader: readerOf(request), of: { integratorId } }, integratorId, query);
    },
  );

  app.get(
    '/api/service-integrator/as-of',
    {
      config: { audience: ['integrator'], permission: 'history:read' },
      schema: { summary: 'Get the own account at a point in time', description: AS_OF_DESCRIPTION, tags, ...asOf },
    },
    async (request) => {
      const { integratorId } = principalAs(request, 'integrator');
      const of = { ownIntegratorId: integratorId };
      const { queries, query } = request;
      return showIntegratorAsOf({ ...deps, queries, reader: readerOf(request), of }, integratorId, query);
    },
  );

  app.get(
    '/api/admin/history',
    {
      config: { audience: ['admin'], permission: 'history:read' },
      schema: {
        summary: 'List the history of the administration itself',
        description: `Its named users, its sign-in policy and its key. ${description}`,
        tags,
        querystring: historyQuery,
        response,
      },
    },
    async (request, reply) => answer(request, reply, { administration: true }, request.query),
  );

  app.get(
    '/api/service-integrator/history',
    {
      config: { audience: ['integrator'], permission: 'history:read' },
      schema: {
        summary: 'List the own history of the service integrator',
        description: `What administrators wrote about its status is left out. ${description}`,
        tags,
        querystring: historyQuery,
        response,
      },
    },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      return answer(request, reply, { ownIntegratorId: integratorId }, request.query);
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
      return answer(request, reply, { customerId, isOwn: true }, request.query);
    },
  );
};
