import { z } from 'zod';
import { customerReply } from '../../contracts/customers.ts';
import { customerId } from '../../contracts/fields.ts';
import { acceptPlanOffer, planOfferReply } from '../../contracts/plans.ts';
import { showCustomer } from '../customerWrites.ts';
import type { App, HttpDeps, Settle } from '../deps.ts';
import { visibleCustomer } from '../ownership.ts';
import { planCommand, previewPlanOffer } from '../planOffers.ts';
import { accepted, ifMatch, problems } from '../replies.ts';
import { BODY_LIMIT } from '../requests/limits.ts';

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
    async (request) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      return { success: true as const, offer: await previewPlanOffer(deps, request, customerId) };
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
