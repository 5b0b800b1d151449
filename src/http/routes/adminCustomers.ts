import { z } from 'zod';
import { createCustomerAsAdmin, customerQuery, customerReply, customersReply } from '../../contracts/customers.ts';
import { customerId } from '../../contracts/fields.ts';
import { done } from '../../contracts/replies.ts';
import { createCustomer } from '../customerWrites.ts';
import type { Routes } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { CUSTOMERS, exportList, LIST_DESCRIPTION } from '../listExport.ts';
import { accepted, ifMatch, problems } from '../replies.ts';
import { searchedKeyFragments } from '../requests/maskedKeys.ts';
import { followUp, metaOf } from '../requests/meta.ts';

const audience = ['admin'] as const;
const tags = ['Customers'];

/** Administrators run every customer. What they share with integrators is in `customers.ts`. */
export const adminCustomerRoutes: Routes = (app, deps) => {
  const { commands, settle, keys } = deps;

  app.get(
    '/api/admin/customers',
    {
      config: { audience, permission: 'customers:read' },
      schema: {
        summary: 'List customers',
        description: LIST_DESCRIPTION,
        tags,
        querystring: customerQuery,
        response: { 200: customersReply, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const { query, queries } = request;
      const keyFragments = searchedKeyFragments(request, keys, { search: query.search, permission: 'keys:read' });
      const isSent = await exportList(request, reply, CUSTOMERS, async (page) => {
        const { customers: rows, nextCursor } = await queries.customers.list({ ...query, keyFragments, ...page });
        return { rows, nextCursor };
      });
      return isSent ? reply : { success: true as const, ...(await queries.customers.list({ ...query, keyFragments })) };
    },
  );

  app.post(
    '/api/admin/customers',
    {
      config: { audience, permission: 'customers:write' },
      bodyLimit: BODY_LIMIT.records,
      schema: {
        summary: 'Create a customer and generate its license key',
        tags,
        body: createCustomerAsAdmin,
        description: 'With the external id of a customer that is the same already, it replies 200 with that customer.',
        response: { 200: customerReply, 201: customerReply, ...problems(400, 401, 403, 409) },
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
      config: { audience, permission: 'customers:delete', reauthentication: true },
      schema: {
        summary: 'Delete a customer and erase its data',
        tags,
        params: z.strictObject({ customerId }),
        response: { 200: done, ...problems(400, 401, 403, 404, 412) },
      },
    },
    async (request, reply) => {
      const { customerId } = request.params;
      const meta = metaOf(request);
      const { position, state } = accepted(
        await commands.customers.handle({ type: 'DeleteCustomer', data: { customerId }, meta }, ifMatch(request)),
      );
      // A policy withdraws it too, after a crash here; without waiting for that, the service integrator can be deleted right away.
      if (state.status === 'deleted' && state.integratorId !== null) {
        const { integratorId } = state;
        accepted(
          await commands.integrators.handle({
            type: 'WithdrawCustomer',
            data: { integratorId, customerId },
            meta: followUp(meta, 'withdraw'),
          }),
        );
      }
      await settle(reply, position);
      return { success: true as const };
    },
  );
};
