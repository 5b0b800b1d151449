import { createCustomerAsIntegrator, customerQuery, customerReply, customersReply } from '../../contracts/customers.ts';
import { dashboardStatsReply } from '../../contracts/stats.ts';
import { arrivedPartsReply, customersUsageQuery, customersUsageReply } from '../../contracts/usage.ts';
import { createCustomer } from '../customerWrites.ts';
import type { Routes } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { CUSTOMERS, exportList, LIST_DESCRIPTION } from '../listExport.ts';
import { principalAs } from '../principal.ts';
import { problems } from '../replies.ts';
import { searchedKeyFragments } from '../requests/maskedKeys.ts';
import { answerCustomersUsage, rangeAsked } from '../usage.ts';

const audience = ['integrator'] as const;
const tags = ['Customers'];

/** Integrators run their own customers. What they share with administrators is in `customers.ts`. */
export const integratorCustomerRoutes: Routes = (app, deps) => {
  const { keys, now } = deps;

  app.get(
    '/api/service-integrator/customers',
    {
      config: { audience, permission: 'customers:read' },
      schema: {
        summary: 'List the customers',
        description: LIST_DESCRIPTION,
        tags,
        querystring: customerQuery.omit({ serviceIntegratorId: true }),
        response: { 200: customersReply, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      const { query } = request;
      const keyFragments = searchedKeyFragments(request, keys, { search: query.search, permission: 'keys:read' });
      const filter = { ...query, serviceIntegratorId: integratorId, keyFragments };
      const isSent = await exportList(request, reply, CUSTOMERS, async (page) => {
        const { customers: rows, nextCursor } = await request.queries.customers.list({ ...filter, ...page });
        return { rows, nextCursor };
      });
      return isSent ? reply : { success: true as const, ...(await request.queries.customers.list(filter)) };
    },
  );

  app.post(
    '/api/service-integrator/customers',
    {
      config: { audience, permission: 'customers:write' },
      bodyLimit: BODY_LIMIT.records,
      schema: {
        summary: 'Create a customer and generate its license key',
        tags,
        body: createCustomerAsIntegrator,
        description: 'With the external id of a customer that is the same already, it replies 200 with that customer.',
        response: { 200: customerReply, 201: customerReply, ...problems(400, 401, 403, 409) },
      },
    },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      const customer = await createCustomer(deps, request, reply, {
        ...request.body,
        integratorId,
      });
      return { success: true as const, customer };
    },
  );

  app.get(
    '/api/service-integrator/usage',
    {
      config: { audience, permission: 'usage:read' },
      schema: {
        summary: 'Get the API usage of all customers together',
        description:
          'Days are those of the time zone `zone`, by the time of the call; `zone` of the reply is UTC if there are too many customers ' +
          'to divide UTC days. The customers with most calls and all others add up to the calls of the range. `arrived` has the calls by ' +
          'the hour of their arrival, of the last 62 days: response times, hours of the week and outcomes. With `Accept: text/csv` or ' +
          '`application/x-ndjson` the same is sent as a file, a row for each day, customer, hour of the week and part.',
        tags: ['Dashboards'],
        querystring: customersUsageQuery,
        response: { 200: customersUsageReply, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      return answerCustomersUsage(deps, request, reply, integratorId, request.query, now());
    },
  );

  app.get(
    '/api/service-integrator/usage/parts',
    {
      config: { audience, permission: 'usage:read' },
      schema: {
        summary: 'Get the API usage of all customers together by service and operation',
        description: 'By the hour of the arrival of the calls, of the last 62 days, as `arrived` of the usage.',
        tags: ['Dashboards'],
        querystring: customersUsageQuery,
        response: { 200: arrivedPartsReply, ...problems(400, 401, 403) },
      },
    },
    async (request) => {
      const { integratorId } = principalAs(request, 'integrator');
      const parts = await request.queries.usage.partsOfCustomers(integratorId, rangeAsked(request.query, now()));
      return { success: true as const, parts };
    },
  );

  app.get(
    '/api/service-integrator/stats/dashboard',
    {
      config: { audience, permission: 'usage:read' },
      schema: {
        summary: 'Get the dashboard statistics',
        tags: ['Dashboards'],
        response: { 200: dashboardStatsReply, ...problems(401, 403) },
      },
    },
    async (request) => ({
      success: true as const,
      stats: await request.queries.stats.integrator(principalAs(request, 'integrator').integratorId),
    }),
  );
};
