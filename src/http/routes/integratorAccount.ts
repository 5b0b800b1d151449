import { ownIntegratorReply, updateIntegratorProfile, updateWhiteLabel, verifyDomainReply } from '../../contracts/integrators.ts';
import type { Routes } from '../deps.ts';
import { changeIntegrator, rotateMasterKey, showIntegrator } from '../integratorWrites.ts';
import { BODY_LIMIT } from '../limits.ts';
import { principalAs } from '../principal.ts';
import { found, problems, tag } from '../replies.ts';

const audience = ['integrator'] as const;
const tags = ['Service integrator account'];
const response = { 200: ownIntegratorReply, ...problems(400, 401, 403, 404, 409, 412) };

/** An integrator's own account and brand. */
export const integratorAccountRoutes: Routes = (app, deps) => {
  app.get(
    '/api/service-integrator/profile',
    { config: { audience, permission: 'profile:read' }, schema: { summary: 'Get the account', tags, response } },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      const { serviceIntegrator, revision } = found(await request.queries.integrators.get(integratorId), 'session_required');
      tag(reply, revision);
      return { success: true as const, serviceIntegrator };
    },
  );

  app.put(
    '/api/service-integrator/profile',
    {
      config: { audience, permission: 'settings:write', reauthentication: 'contactEmail' },
      bodyLimit: BODY_LIMIT.form,
      schema: { summary: 'Update the account', tags, body: updateIntegratorProfile, response },
    },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      const { position } = await changeIntegrator(deps, request, integratorId, request.body);
      return { success: true as const, serviceIntegrator: await showIntegrator(deps, request, reply, integratorId, position) };
    },
  );

  app.put(
    '/api/service-integrator/white-label',
    {
      config: { audience, permission: 'settings:write' },
      bodyLimit: BODY_LIMIT.form,
      schema: { summary: 'Update the white-label settings', tags, body: updateWhiteLabel, response },
    },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      const { position } = await changeIntegrator(deps, request, integratorId, request.body);
      return { success: true as const, serviceIntegrator: await showIntegrator(deps, request, reply, integratorId, position) };
    },
  );

  app.post(
    '/api/service-integrator/white-label/verify',
    {
      config: { audience, permission: 'settings:write' },
      schema: {
        summary: 'Check the TXT record of the custom domain',
        description: 'The record `latchkey-verify=<id of the service integrator>` at the domain or at `_latchkey.` below it.',
        tags,
        response: { 200: verifyDomainReply, ...problems(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      const shown = async () => found(await request.queries.integrators.get(integratorId), 'session_required');
      const { customDomain } = (await shown()).serviceIntegrator;
      if (customDomain === null) return { success: false as const, error: 'There is no custom domain to verify. Save one first.' };
      const { verified, detail } = await deps.verifyDomain(integratorId, customDomain);
      if (!verified) return { success: false as const, error: detail };
      const { serviceIntegrator, revision } = await shown();
      tag(reply, revision);
      return { success: true as const, serviceIntegrator };
    },
  );

  app.post(
    '/api/service-integrator/rotate-key',
    {
      config: { audience, permission: 'masterKey:rotate', reauthentication: true },
      schema: { summary: 'Rotate the master license key and end its sessions, including this one', tags, response },
    },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      const { position } = await rotateMasterKey(deps, request, integratorId);
      return { success: true as const, serviceIntegrator: await showIntegrator(deps, request, reply, integratorId, position) };
    },
  );
};
