import { z } from 'zod';
import { machineRequestId, machinesReply, publicMachineId, renameMachine } from '../../contracts/machines.ts';
import type { App, HttpDeps, Settle } from '../deps.ts';
import { machineOf, ownUserOf, performOnMachine, showMachines } from '../machineChanges.ts';
import { problems } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';
import { DECISIONS } from './machines.ts';

const tags = ['Machines'];
type Deps = HttpDeps & { settle: Settle };

const ofRequest = z.strictObject({ requestId: machineRequestId });
const ofMachine = z.strictObject({ machineId: publicMachineId });

const changed = { 200: machinesReply, ...problems(400, 401, 403, 404, 409, 412) };

/** A user's own machines: for the command-line tool on one of them, and for the named user in the portal. */
export const ownMachineRoutes = (
  app: App,
  deps: Deps,
  { prefix, audience }: { prefix: '/api/cli' | '/api/customer'; audience: readonly ['cli'] | readonly ['customer'] },
): void => {
  app.get(
    `${prefix}/machines`,
    {
      config: { audience, permission: 'ownMachines:read' },
      schema: {
        summary: 'List the machines of the user, with the valid offline licenses',
        tags,
        response: { 200: machinesReply, ...problems(401, 403) },
      },
    },
    async (request) => {
      const { machine, ...owner } = await ownUserOf(deps, request);
      return showMachines(deps, request, owner, machine);
    },
  );

  for (const { action, type, summary } of DECISIONS) {
    app.post(
      `${prefix}/machine-requests/:requestId/${action}`,
      {
        config: { audience, permission: 'ownMachines:approve' },
        schema: { summary, tags, params: ofRequest, response: changed },
      },
      async (request, reply) => {
        const { machine, ...decides } = await ownUserOf(deps, request);
        const data = { ...decides, requestId: request.params.requestId };
        await performOnMachine(deps, request, reply, { type, data, meta: metaOf(request) });
        return showMachines(deps, request, decides, machine);
      },
    );
  }

  app.put(
    `${prefix}/machines/:machineId/name`,
    {
      config: { audience, permission: 'ownMachines:approve' },
      schema: { summary: 'Rename a machine', tags, params: ofMachine, body: renameMachine, response: changed },
    },
    async (request, reply) => {
      const { machine, ...decides } = await ownUserOf(deps, request);
      const machineId = await machineOf(deps, decides, request.params.machineId);
      const data = { ...decides, machineId, machineName: request.body.name };
      await performOnMachine(deps, request, reply, { type: 'RenameMachine', data, meta: metaOf(request) });
      return showMachines(deps, request, decides, machine);
    },
  );

  app.delete(
    `${prefix}/machines/:machineId`,
    {
      config: { audience, permission: 'ownMachines:approve' },
      schema: { summary: 'Remove a machine and end its sessions', tags, params: ofMachine, response: changed },
    },
    async (request, reply) => {
      const { machine, ...decides } = await ownUserOf(deps, request);
      const machineId = await machineOf(deps, decides, request.params.machineId);
      await performOnMachine(deps, request, reply, {
        type: 'RemoveMachine',
        data: { ...decides, machineId },
        meta: metaOf(request),
      });
      return showMachines(deps, request, decides, machine);
    },
  );
};
