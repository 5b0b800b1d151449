import { z } from 'zod';
import { customerReply, updateCustomer } from '../../contracts/customers.ts';
import { customerId } from '../../contracts/fields.ts';
import { asOfQuery, asOfReply } from '../../contracts/history.ts';
import { revertReply } from '../../contracts/reverts.ts';
import { instancesReply, usageQuery, usageReply } from '../../contracts/usage.ts';
import { isRegistered } from '../../domain/customer/state.ts';
import { DEFAULT_PLAN } from '../../domain/limits.ts';
import { showAsOf } from '../asOf.ts';
import { changeCustomer, showCustomer, unusedLicenseKey } from '../customerWrites.ts';
import type { App, HttpDeps, Settle } from '../deps.ts';
import { readerOf } from '../historyReader.ts';
import { answerInstances } from '../instances.ts';
import { BODY_LIMIT } from '../limits.ts';
import { FILE_DESCRIPTION } from '../listExport.ts';
import { visibleCustomer } from '../ownership.ts';
import { allowKeySignIn } from '../portalMembers.ts';
import { principalAs } from '../principal.ts';
import { accepted, found, ifMatch, problems, tag } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';
import { previewRevert } from '../reverts.ts';
import { answerUsage, USAGE_DESCRIPTION } from '../usage.ts';

const params = z.strictObject({ customerId });
const tags = ['Customers'];

/** What administrators may do with every customer, and an integrator with its own. */
export const customerRoutes = (
  app: App,
  deps: HttpDeps & { settle: Settle },
  { prefix, audience }: { prefix: '/api/admin' | '/api/service-integrator'; audience: 'admin' | 'integrator' },
): void => {
  const { commands, now } = deps;

  app.get(
    `${prefix}/customers/:customerId`,
    {
      config: { audience: [audience], permission: 'customers:read' },
      schema: { summary: 'Get a customer', tags, params, response: { 200: customerReply, ...problems(401, 403, 404) } },
    },
    async (request, reply) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      const { customer, revision } = found(await request.queries.customers.get(customerId), 'customer_not_found');
      tag(reply, revision);
      return { success: true as const, customer };
    },
  );

  app.put(
    `${prefix}/customers/:customerId`,
    {
      config: { audience: [audience], permission: 'customers:write', reauthentication: 'contactEmail' },
      bodyLimit: BODY_LIMIT.records,
      schema: {
        summary: 'Update a customer',
        tags,
        params,
        body: updateCustomer,
        response: { 200: customerReply, ...problems(400, 401, 403, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      const owned = await visibleCustomer(request, request.params.customerId);
      const { position } = await changeCustomer(deps, request, owned, request.body);
      return { success: true as const, customer: await showCustomer(deps, request, reply, owned.customerId, position) };
    },
  );

  app.get(
    `${prefix}/customers/:customerId/usage`,
    {
      config: { audience: [audience], permission: 'usage:read' },
      schema: {
        summary: 'Get the API usage of a customer',
        description: USAGE_DESCRIPTION,
        tags,
        params,
        querystring: usageQuery,
        response: { 200: usageReply, ...problems(400, 401, 403, 404, 503) },
      },
    },
    async (request, reply) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      return answerUsage(request, reply, { customerId }, request.query, now(), deps);
    },
  );

  app.get(
    `${prefix}/customers/:customerId/instances`,
    {
      config: { audience: [audience], permission: 'usage:read' },
      schema: {
        summary: 'List the instances that a customer called',
        description: FILE_DESCRIPTION,
        tags,
        params,
        response: { 200: instancesReply, ...problems(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      return answerInstances(request, reply, customerId);
    },
  );

  app.post(
    `${prefix}/customers/:customerId/rotate-key`,
    {
      config: { audience: [audience], permission: 'keys:rotate', reauthentication: true },
      schema: {
        summary: 'Rotate the license key and end its sessions',
        tags,
        params,
        response: { 200: customerReply, ...problems(400, 401, 403, 404, 412) },
      },
    },
    async (request, reply) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      const { state } = await commands.customers.load(customerId);
      const tier = isRegistered(state) ? state.tier : DEFAULT_PLAN;
      const data = { customerId, licenseKey: await unusedLicenseKey(deps, tier) };
      const outcome = await commands.customers.handle({ type: 'RotateLicenseKey', data, meta: metaOf(request) }, ifMatch(request));
      return { success: true as const, customer: await showCustomer(deps, request, reply, customerId, accepted(outcome).position) };
    },
  );

  app.post(
    `${prefix}/customers/:customerId/reset-password`,
    {
      config: { audience: [audience], permission: 'passwords:reset', reauthentication: true },
      schema: {
        summary: 'Reset the portal password, and allow sign-in with the license key',
        tags,
        params,
        response: { 200: customerReply, ...problems(400, 401, 403, 404, 412) },
      },
    },
    async (request, reply) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      const outcome = await commands.customers.handle(
        { type: 'ResetPassword', data: { customerId }, meta: metaOf(request) },
        ifMatch(request),
      );
      await allowKeySignIn(deps, request, customerId);
      return { success: true as const, customer: await showCustomer(deps, request, reply, customerId, accepted(outcome).position) };
    },
  );

  app.get(
    `${prefix}/customers/:customerId/reverts/:entryId`,
    {
      config: { audience: [audience], permission: 'history:read' },
      schema: {
        summary: 'Get what takes a change of a customer or one of its users back',
        description: 'The body is for `PUT` of the customer or the user, which needs the permission of that call.',
        tags,
        params: z.strictObject({ customerId, entryId: z.uuid() }),
        response: { 200: revertReply, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      return previewRevert(deps, request.queries, customerId, request.params.entryId);
    },
  );

  app.get(
    `${prefix}/customers/:customerId/as-of`,
    {
      config: { audience: [audience], permission: 'history:read' },
      schema: {
        summary: 'Get a customer at a point in time',
        tags,
        params,
        querystring: asOfQuery,
        response: { 200: asOfReply, ...problems(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const { customerId } = await visibleCustomer(request, request.params.customerId);
      return showAsOf(
        { ...deps, queries: request.queries, reader: readerOf(request), owner: principalAs(request, 'admin', 'integrator') },
        customerId,
        request.query,
      );
    },
  );
};
