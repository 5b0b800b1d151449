import { z } from 'zod';
import { createCustomerAsAdmin, customerQuery, customerReply, customersReply } from '../../contracts/customers.ts';
import { customerId } from '../../contracts/fields.ts';
import { done } from '../../contracts/replies.ts';
import { createCustomer } from '../customerWrites.ts';
import type { Routes } from '../deps.ts';
import { accepted, ifMatch, problems } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';

const config = { audience: ['admin'] } as const;
const tags = ['Customers'];

/** Administrators run every customer. What they share with integrators is in `customers.ts`. */
export const adminCustomerRoutes: Routes = (app, deps) => {
  const { queries, dispatch, settle, keys } = deps;

  app.get(
    '/api/admin/customers',
    {
      config,
      schema: {
        summary: 'List customers',
        tags,
        querystring: customerQuery,
        response: { 200: customersReply, ...problems(400, 401, 403) },
      },
    },
    async ({ query }) => ({
      success: true as const,
      ...(await queries.customers.list(query.search ? { ...query, searchDigest: keys.digest(query.search) } : query)),
    }),
  );

  app.post(
    '/api/admin/customers',
    {
      config,
      schema: {
        summary: 'Create a customer; its license key is generated',
        tags,
        body: createCustomerAsAdmin,
        response: { 201: customerReply, ...problems(400, 401, 403, 409) },
      },
    },
    async (request, reply) => {
      const { serviceIntegratorId, ...wanted } = request.body;
      const customer = await createCustomer(deps, request, reply, { ...wanted, integratorId: serviceIntegratorId });
      return { success: true as const, customer };
    },
  );

  app.delete(
    '/api/admin/customers/:customerId',
    {
      config,
      schema: {
        summary: 'Delete a customer and erase what is known of it',
        tags,
        params: z.strictObject({ customerId }),
        response: { 200: done, ...problems(400, 401, 403, 404, 412) },
      },
    },
    async (request, reply) => {
      const { customerId } = request.params;
      const outcome = await dispatch({ type: 'DeleteCustomer', data: { customerId }, meta: metaOf(request) }, ifMatch(request));
      await settle(reply, accepted(outcome).position);
      return { success: true as const };
    },
  );
};
