import { z } from 'zod';
import { customerId, integratorId } from '../../contracts/fields.ts';
import { customerImpactReply, integratorImpactReply } from '../../contracts/impact.ts';
import type { App, HttpDeps } from '../deps.ts';
import { visibleCustomer } from '../ownership.ts';
import { found, problems } from '../replies.ts';

/** What suspending, churning or deleting a customer affects: for administrators, and for the customer's service integrator. */
export const customerImpactRoutes = (
  app: App,
  { sessions }: HttpDeps,
  { prefix, audience }: { prefix: '/api/admin' | '/api/service-integrator'; audience: 'admin' | 'integrator' },
): void => {
  app.get(
    `${prefix}/customers/:customerId/impact`,
    {
      config: { audience: [audience], permission: 'customers:read' },
      schema: {
        summary: 'Count what suspending, churning or deleting a customer affects',
        tags: ['Customers'],
        params: z.strictObject({ customerId }),
        response: { 200: customerImpactReply, ...problems(401, 403, 404) },
      },
    },
    async (request) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      const [impact, portalSessions] = await Promise.all([
        request.queries.impact.ofCustomer(customerId),
        sessions.count({ kind: 'customer', customerId }),
      ]);
      return { success: true as const, impact: { ...found(impact, 'customer_not_found'), portalSessions } };
    },
  );
};

/** What suspending, churning or deleting a service integrator affects. */
export const integratorImpactRoutes = (app: App, { sessions }: HttpDeps): void => {
  app.get(
    '/api/admin/service-integrators/:integratorId/impact',
    {
      config: { audience: ['admin'], permission: 'integrators:read' },
      schema: {
        summary: 'Count what suspending, churning or deleting a service integrator affects',
        tags: ['Service integrators'],
        params: z.strictObject({ integratorId }),
        response: { 200: integratorImpactReply, ...problems(401, 403, 404) },
      },
    },
    async ({ params: { integratorId }, queries }) => {
      const [impact, open] = await Promise.all([
        queries.impact.ofIntegrator(integratorId),
        sessions.count({ kind: 'integrator', integratorId }),
      ]);
      return { success: true as const, impact: { ...found(impact, 'integrator_not_found'), sessions: open } };
    },
  );
};
