import { z } from 'zod';
import { integratorId } from '../../contracts/fields.ts';
import {
  createIntegrator,
  integratorQuery,
  integratorReply,
  integratorsReply,
  updateIntegrator,
} from '../../contracts/integrators.ts';
import { done } from '../../contracts/replies.ts';
import { dashboardStatsReply } from '../../contracts/stats.ts';
import type { Routes } from '../deps.ts';
import { changeIntegrator, createIntegratorAccount, rotateMasterKey, showIntegrator } from '../integratorWrites.ts';
import { BODY_LIMIT } from '../limits.ts';
import { exportList, INTEGRATORS, LIST_DESCRIPTION } from '../listExport.ts';
import { HttpProblem } from '../problems/problems.ts';
import { accepted, found, ifMatch, problems, tag } from '../replies.ts';
import { searchedKeyFragments } from '../requests/maskedKeys.ts';
import { metaOf } from '../requests/meta.ts';

const params = z.strictObject({ integratorId });
const audience = ['admin'] as const;
const tags = ['Service integrators'];

/** Administrators run every service integrator. */
export const adminIntegratorRoutes: Routes = (app, deps) => {
  const { commands, settle, keys } = deps;

  app.get(
    '/api/admin/service-integrators',
    {
      config: { audience, permission: 'integrators:read' },
      schema: {
        summary: 'List service integrators',
        description: LIST_DESCRIPTION,
        tags,
        querystring: integratorQuery,
        response: { 200: integratorsReply, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const { query, queries } = request;
      const keyFragments = searchedKeyFragments(request, keys, { search: query.search, permission: 'masterKey:read' });
      const isSent = await exportList(request, reply, INTEGRATORS, async (asked) => {
        const { serviceIntegrators: rows, nextCursor } = await queries.integrators.list({ ...query, keyFragments, ...asked });
        return { rows, nextCursor };
      });
      if (isSent) return reply;
      const { serviceIntegrators, ...page } = await queries.integrators.list({ ...query, keyFragments });
      return { success: true as const, service_integrators: serviceIntegrators, ...page };
    },
  );

  app.post(
    '/api/admin/service-integrators',
    {
      config: { audience, permission: 'integrators:write' },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Create a service integrator and generate its master license key',
        tags,
        body: createIntegrator,
        response: { 201: integratorReply, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => ({
      success: true as const,
      service_integrator: await createIntegratorAccount(deps, request, reply, request.body),
    }),
  );

  app.get(
    '/api/admin/service-integrators/:integratorId',
    {
      config: { audience, permission: 'integrators:read' },
      schema: { summary: 'Get a service integrator', tags, params, response: { 200: integratorReply, ...problems(401, 403, 404) } },
    },
    async ({ params, queries }, reply) => {
      const { serviceIntegrator, revision } = found(await queries.integrators.get(params.integratorId), 'integrator_not_found');
      tag(reply, revision);
      return { success: true as const, service_integrator: serviceIntegrator };
    },
  );

  app.put(
    '/api/admin/service-integrators/:integratorId',
    {
      config: { audience, permission: 'integrators:write', reauthentication: 'contactEmail' },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Update a service integrator',
        tags,
        params,
        body: updateIntegrator,
        response: { 200: integratorReply, ...problems(400, 401, 403, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      const { integratorId } = request.params;
      const { position } = await changeIntegrator(deps, request, integratorId, request.body);
      return { success: true as const, service_integrator: await showIntegrator(deps, request, reply, integratorId, position) };
    },
  );

  app.delete(
    '/api/admin/service-integrators/:integratorId',
    {
      config: { audience, permission: 'integrators:delete', reauthentication: true },
      schema: {
        summary: 'Delete a service integrator without customers',
        tags,
        params,
        response: { 200: done, ...problems(400, 401, 403, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      const { integratorId } = request.params;
      const outcome = await commands.integrators.handle(
        { type: 'DeleteIntegrator', data: { integratorId }, meta: metaOf(request) },
        ifMatch(request),
      );
      if (!outcome.accepted && outcome.refusal === 'integrator_has_customers') {
        const { state } = await commands.integrators.load(integratorId);
        const count = 'customers' in state ? state.customers.size : 0;
        throw new HttpProblem(outcome.refusal, { text: `Cannot delete service integrator with ${count} active customers` });
      }
      await settle(reply, accepted(outcome).position);
      return { success: true as const };
    },
  );

  app.post(
    '/api/admin/service-integrators/:integratorId/rotate-key',
    {
      config: { audience, permission: 'masterKey:rotate', reauthentication: true },
      schema: {
        summary: 'Rotate the master license key and end its sessions',
        tags,
        params,
        response: { 200: integratorReply, ...problems(400, 401, 403, 404, 412) },
      },
    },
    async (request, reply) => {
      const { integratorId } = request.params;
      const { position } = await rotateMasterKey(deps, request, integratorId);
      return { success: true as const, service_integrator: await showIntegrator(deps, request, reply, integratorId, position) };
    },
  );

  app.get(
    '/api/admin/stats/dashboard',
    {
      config: { audience, permission: 'usage:read' },
      schema: {
        summary: 'Get the dashboard statistics',
        tags: ['Dashboards'],
        response: { 200: dashboardStatsReply, ...problems(401, 403) },
      },
    },
    async ({ queries }) => ({ success: true as const, stats: await queries.stats.admin() }),
  );
};
