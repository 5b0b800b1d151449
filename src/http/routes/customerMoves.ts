import { z } from 'zod';
import { customerMoveReply, moveCustomer } from '../../contracts/customerMoves.ts';
import { customerReply } from '../../contracts/customers.ts';
import { customerId } from '../../contracts/fields.ts';
import { moveToIntegrator, previewMove } from '../customerMoves.ts';
import { showCustomer } from '../customerWrites.ts';
import type { HttpDeps, Routes, Settle } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { visibleCustomer } from '../ownership.ts';
import { problems, tag } from '../replies.ts';

const params = z.strictObject({ customerId });
const tags = ['Customers'];
const url = '/api/admin/customers/:customerId/integrator-move';

/** Moving a customer to another service integrator, which administrators do. */
export const customerMoveRoutes: Routes<HttpDeps & { settle: Settle }> = (app, deps) => {
  app.get(
    url,
    {
      config: { audience: ['admin'], permission: 'customers:read' },
      schema: {
        summary: 'Preview the move of a customer to another service integrator',
        description:
          'License, users, machines, usage, sessions and tools come along. `If-Match` with the ETag of the preview refuses the move if ' +
          'the customer has changed since. Names of users need `users:read`.',
        tags,
        params,
        querystring: moveCustomer,
        response: { 200: customerMoveReply, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      const { move, revision } = await previewMove(deps, request, customerId, request.query);
      tag(reply, revision);
      return { success: true as const, move };
    },
  );

  app.post(
    url,
    {
      config: { audience: ['admin'], permission: 'customers:write', reauthentication: true },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Move a customer to another service integrator',
        description:
          'The former service integrator keeps the entries of its audit page until the move, and sees nothing else of the customer. ' +
          'The new one sees the history from the move on. Usage of all time counts with the new one.',
        tags,
        params,
        body: moveCustomer,
        response: { 200: customerReply, ...problems(400, 401, 403, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      const position = await moveToIntegrator(deps, request, customerId, request.body);
      return { success: true as const, customer: await showCustomer(deps, request, reply, customerId, position) };
    },
  );
};
