import { z } from 'zod';
import { customerId, integratorId, themeId, userId } from '../../contracts/fields.ts';
import {
  customerImpactQuery,
  customerImpactReply,
  integratorImpactQuery,
  integratorImpactReply,
  memberImpactQuery,
  memberImpactReply,
  ownIntegratorImpactReply,
  themeImpactReply,
  userImpactQuery,
  userImpactReply,
} from '../../contracts/impact.ts';
import type { App, HttpDeps } from '../deps.ts';
import { visibleCustomer, visibleUser } from '../ownership.ts';
import {
  previewCustomer,
  previewIntegrator,
  previewMasterKeyRotation,
  previewMember,
  previewThemeDeletion,
  previewUser,
} from '../previews.ts';
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
        summary: 'Preview what a change or the deletion of a customer, a rotation of its key or a reset of its password affects',
        description:
          'With the fields of a change, the decision on it is made without recording it: who can no longer sign in, and which users ' +
          'hold more seats than the limit. With `keyRotation` or `passwordReset`, `ended` has the sign-ins that end and how many keep ' +
          'working. Names of users and their sessions need `users:read`.',
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
          'tokens stop working, what of the brand ends, and which sign-ins a rotation of the key ends. Names of users need `users:read`, those of customers `customers:read`.',
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

/** What replacing the own master license key, and deleting an own theme, affects. */
export const ownIntegratorImpactRoutes = (app: App, deps: HttpDeps): void => {
  app.get(
    '/api/service-integrator/impact',
    {
      config: { audience: ['integrator'], permission: 'masterKey:rotate' },
      schema: {
        summary: 'Preview which sign-ins a rotation of the own master license key ends',
        description: 'Sessions need `sessions:read`, names of API tokens `tokens:read`.',
        tags: ['Service integrator account'],
        response: { 200: ownIntegratorImpactReply, ...problems(401, 403) },
      },
    },
    async (request) => {
      const { integratorId } = principalAs(request, 'integrator');
      return { success: true as const, impact: { ended: await previewMasterKeyRotation(deps, request, integratorId) } };
    },
  );

  app.get(
    '/api/service-integrator/themes/:themeId/impact',
    {
      config: { audience: ['integrator'], permission: 'themes:write' },
      schema: {
        summary: 'Preview what the deletion of a custom theme affects',
        description: 'The decision is made without recording it. Names of customers need `customers:read`.',
        tags: ['Themes'],
        params: z.strictObject({ themeId }),
        response: { 200: themeImpactReply, ...problems(401, 403, 404) },
      },
    },
    async (request) => {
      const { integratorId } = principalAs(request, 'integrator');
      const impact = await previewThemeDeletion(deps, request, { integratorId, themeId: request.params.themeId });
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
        summary: 'Preview what a change of the role of a named user, its removal or signing it out affects',
        description:
          'The decision on the change is made without recording it. Names of API tokens need `tokens:read`, sessions `sessions:read`.',
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
