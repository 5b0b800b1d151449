import { z } from 'zod';
import { customerReply } from '../../contracts/customers.ts';
import { customerId } from '../../contracts/fields.ts';
import { planMoveReply, planOfferReply } from '../../contracts/planOffers.ts';
import { acceptPlanOffer, moveToPlan, planMoveQuery } from '../../contracts/plans.ts';
import { showCustomer } from '../customerWrites.ts';
import type { App, HttpDeps, Routes, Settle } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { visibleCustomer } from '../ownership.ts';
import { planCommand, planMoveCommand, previewPlanMove, previewPlanOffer } from '../planOffers.ts';
import { accepted, ifMatch, problems, tag } from '../replies.ts';

const params = z.strictObject({ customerId });
const tags = ['Plans'];

/** Changes of plans that are offered to existing licenses, of which administrators see each, and integrators their own. */
export const planOfferRoutes = (
  app: App,
  deps: HttpDeps & { settle: Settle },
  { prefix, audience }: { prefix: '/api/admin' | '/api/service-integrator'; audience: 'admin' | 'integrator' },
): void => {
  app.get(
    `${prefix}/customers/:customerId/plan-offer`,
    {
      config: { audience: [audience], permission: 'customers:read' },
      schema: {
        summary: 'Preview the changes of a plan for a license',
        description:
          'What the plan changed since the license copied it, with the values before and after. Other values of the license stay. ' +
          'Null if the license has the newest version of its plan, or the built-in plan.',
        tags,
        params,
        response: { 200: planOfferReply, ...problems(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      const { offer, revision } = await previewPlanOffer(deps, request, customerId);
      tag(reply, revision);
      return { success: true as const, offer };
    },
  );

  app.post(
    `${prefix}/customers/:customerId/plan-offer`,
    {
      config: { audience: [audience], permission: 'customers:write' },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Apply the changes of a plan to a license',
        description: 'In the version that the preview had.',
        tags,
        params,
        body: acceptPlanOffer,
        response: { 200: customerReply, ...problems(400, 401, 403, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      const command = await planCommand(deps, request, customerId, request.body.version);
      const position = command ? accepted(await deps.commands.customers.handle(command, ifMatch(request))).position : null;
      return { success: true as const, customer: await showCustomer(deps, request, reply, customerId, position) };
    },
  );
};

/** Moving a license to another plan, which administrators do. */
export const planMoveRoutes: Routes = (app, deps) => {
  const url = '/api/admin/customers/:customerId/plan-move';
  app.get(
    url,
    {
      config: { audience: ['admin'], permission: 'customers:read' },
      schema: {
        summary: 'Preview the move of a license to another plan',
        description:
          'The license gets all values of the plan. With `term=start` the term of the plan starts now; otherwise the license keeps its ' +
          'expiry. Null if the license has the plan. `If-Match` with the ETag of the preview refuses the move if the customer has changed since.',
        tags,
        params,
        querystring: planMoveQuery,
        response: { 200: planMoveReply, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      const { offer, revision } = await previewPlanMove(deps, request, customerId, request.query);
      tag(reply, revision);
      return { success: true as const, move: offer };
    },
  );

  app.post(
    url,
    {
      config: { audience: ['admin'], permission: 'customers:write' },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Move a license to another plan',
        description: 'In the version that the preview had. The license key stays; a rotation gives it the code of the plan.',
        tags,
        params,
        body: moveToPlan,
        response: { 200: customerReply, ...problems(400, 401, 403, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      const command = await planMoveCommand(deps, request, customerId, request.body);
      const { position } = accepted(await deps.commands.customers.handle(command, ifMatch(request)));
      return { success: true as const, customer: await showCustomer(deps, request, reply, customerId, position) };
    },
  );
};
