import { changePlan, createPlan, planChoicesQuery, planChoicesReply, planParams, plansReply } from '../../contracts/plans.ts';
import { done } from '../../contracts/replies.ts';
import type { Routes } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { exportRows, FILE_DESCRIPTION, PLANS } from '../listExport.ts';
import { HttpProblem } from '../problems/problems.ts';
import { accepted, problems } from '../replies.ts';
import { metaOf, metaOfRevert } from '../requests/meta.ts';
import { expectTenantRevert } from '../tenantReverts.ts';

const audience = ['admin'] as const;
const writing = { audience, permission: 'plans:write' } as const;
const tags = ['Plans'];

/** Plans of the installation. A license copies its plan, so that a change is only offered to it; see `planOffers.ts`. */
export const planRoutes: Routes = (app, deps) => {
  const { commands, settle } = deps;
  const { plans } = deps.systemQueries;

  app.get(
    '/api/admin/plans',
    {
      config: { audience, permission: 'customers:read' },
      schema: {
        summary: 'List plans',
        description: FILE_DESCRIPTION,
        tags,
        response: { 200: plansReply, ...problems(401, 403) },
      },
    },
    async (request, reply) => {
      const listed = await plans.list();
      return (await exportRows(request, reply, PLANS, listed)) ? reply : { success: true as const, plans: listed };
    },
  );

  app.get(
    '/api/service-integrator/plans',
    {
      config: { audience: ['integrator'], permission: 'customers:read' },
      schema: {
        summary: 'List the plans for new customers',
        description: 'With `retired=true` also those that no new customer can have, for filters of lists.',
        tags,
        querystring: planChoicesQuery,
        response: { 200: planChoicesReply, ...problems(400, 401, 403) },
      },
    },
    async ({ query }) => ({ success: true as const, plans: await plans.choices({ withRetired: query.retired === 'true' }) }),
  );

  app.post(
    '/api/admin/plans',
    {
      config: writing,
      bodyLimit: BODY_LIMIT.form,
      schema: { summary: 'Create a plan', tags, body: createPlan, response: { 201: done, ...problems(400, 401, 403, 409) } },
    },
    async (request, reply) => {
      const outcome = await commands.plans.handle({ type: 'CreatePlan', data: request.body, meta: metaOf(request) });
      if (!outcome.accepted && outcome.refusal === 'plan_exists') {
        throw new HttpProblem('plan_exists', {
          issues: [{ path: 'code', message: 'A plan with this code exists, or was retired' }],
        });
      }
      await settle(reply, accepted(outcome).position);
      return reply.code(201).send({ success: true as const });
    },
  );

  app.put(
    '/api/admin/plans/:code',
    {
      config: writing,
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Change a plan; the changes are offered to its licenses',
        tags,
        params: planParams,
        body: changePlan,
        response: { 200: done, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { code } = request.params;
      const { reverts, ...terms } = request.body;
      await expectTenantRevert.plan(deps, code, request.body);
      const data = { ...terms, code };
      const outcome = await commands.plans.handle({ type: 'ChangePlan', data, meta: metaOfRevert(request, reverts) });
      await settle(reply, accepted(outcome).position);
      return { success: true as const };
    },
  );

  app.post(
    '/api/admin/plans/:code/retire',
    {
      config: writing,
      schema: {
        summary: 'Retire a plan: no new license gets it, existing licenses keep it',
        tags,
        params: planParams,
        response: { 200: done, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { code } = request.params;
      const outcome = await commands.plans.handle({ type: 'RetirePlan', data: { code }, meta: metaOf(request) });
      await settle(reply, accepted(outcome).position);
      return { success: true as const };
    },
  );
};
