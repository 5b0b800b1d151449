import { z } from 'zod';
import { customerId, integratorId, userId } from '../../contracts/fields.ts';
import {
  customerImpactQuery,
  customerImpactReply,
  integratorImpactQuery,
  integratorImpactReply,
  memberImpactQuery,
  memberImpactReply,
  userImpactQuery,
  userImpactReply,
} from '../../contracts/impact.ts';
import type { App, HttpDeps } from '../deps.ts';
import { visibleCustomer, visibleUser } from '../ownership.ts';
import { previewCustomer, previewIntegrator, previewMember, previewUser } from '../previews.ts';
import { type Audience, principalAs, teamOf } from '../principal.ts';
import { problems } from '../replies.ts';

/** What suspending, churning or deleting a customer affects: for administrators, and for the customer's service integrator. */
export const customerImpactRoutes = (
  app: App,
  deps: HttpDeps,
  { prefix, audience }: { prefix: '/api/admin' | '/api/service-integrator'; audience: 'admin' | 'integrator' },
): void => {
  app.get(
    `${prefix}/customers/:customerId/impact`,
    {
      config: { audience: [audience], permission: 'customers:read' },
      schema: {
        summary: 'Preview what suspending, churning or deleting a customer, or a change of its seats, affects',
        description:
          'With the fields of a change, the decision on it is made without recording it: who can no longer sign in, and which users ' +
          'hold more seats than the limit. Names of users need `users:read`.',
        tags: ['Customers'],
        params: z.strictObject({ customerId }),
        querystring: customerImpactQuery,
        response: { 200: customerImpactReply, ...problems(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      return { success: true as const, impact: await previewCustomer(deps, request, customerId, request.query) };
    },
  );
};

/** What a change of a user's status or role, or its removal, affects: for those who may change users. */
export const userImpactRoutes = (
  app: App,
  deps: HttpDeps,
  { prefix, audience }: { prefix: '/api' | '/api/admin'; audience: readonly Audience[] },
): void => {
  app.get(
    `${prefix}/users/:userId/impact`,
    {
      config: { audience, permission: 'users:write' },
      schema: {
        summary: 'Preview what a change of a user, or its removal, affects',
        description:
          'The decision on the change is made without recording it. Names of API tokens are shown to the own tenant, with `tokens:read`.',
        tags: ['Users'],
        params: z.strictObject({ userId }),
        querystring: userImpactQuery,
        response: { 200: userImpactReply, ...problems(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const user = await visibleUser(request, request.params.userId);
      return { success: true as const, impact: await previewUser(deps, request, user, request.query) };
    },
  );
};

/** What suspending, churning or deleting a service integrator affects. */
export const integratorImpactRoutes = (app: App, deps: HttpDeps): void => {
  app.get(
    '/api/admin/service-integrators/:integratorId/impact',
    {
      config: { audience: ['admin'], permission: 'integrators:read' },
      schema: {
        summary: 'Preview what suspending, churning or deleting a service integrator affects',
        description:
          'With the fields of a change, the decision on it is made without recording it: which users can no longer sign in, how many API ' +
          'tokens stop working, and what of the brand ends. Names of users need `users:read`, those of customers `customers:read`.',
        tags: ['Service integrators'],
        params: z.strictObject({ integratorId }),
        querystring: integratorImpactQuery,
        response: { 200: integratorImpactReply, ...problems(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const impact = await previewIntegrator(deps, request, request.params.integratorId, request.query);
      return { success: true as const, impact };
    },
  );
};

const teamAudience = ['admin', 'integrator', 'customer'] as const;

/** What a change of the role of a named user of the own tenant, or its removal, affects. */
export const memberImpactRoutes = (app: App, deps: HttpDeps): void => {
  app.get(
    '/api/team/members/:userId/impact',
    {
      config: { audience: teamAudience, permission: 'members:write' },
      schema: {
        summary: 'Preview what a change of the role of a named user, or its removal, affects',
        description: 'The decision on the change is made without recording it. Names of API tokens need `tokens:read`.',
        tags: ['Named users'],
        params: z.strictObject({ userId }),
        querystring: memberImpactQuery,
        response: { 200: memberImpactReply, ...problems(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const principal = principalAs(request, ...teamAudience);
      const member = { teamId: teamOf(principal), userId: request.params.userId, by: principal.userId ?? null };
      return { success: true as const, impact: await previewMember(deps, request, member, request.query) };
    },
  );
};
