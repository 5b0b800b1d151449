import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { profileReply } from '../../contracts/customers.ts';
import { userId } from '../../contracts/fields.ts';
import {
  changeMachineApproval,
  type MachineRequest,
  machineRequestId,
  machineRequestsReply,
  machinesReply,
  publicMachineId,
  renameMachine,
} from '../../contracts/machines.ts';
import type { UserId } from '../../domain/ids.ts';
import { showCustomer } from '../customerWrites.ts';
import type { App, HttpDeps, Routes, Settle } from '../deps.ts';
import { csvWith } from '../export.ts';
import { type ExportedList, exportRows, FILE_DESCRIPTION } from '../listExport.ts';
import { type MachineOwner, machineOf, performOnMachine, showMachines } from '../machineChanges.ts';
import { showRequest } from '../machines.ts';
import { visibleUser } from '../ownership.ts';
import { type Audience, principalAs } from '../principal.ts';
import { accepted, ifMatch, problems } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';

const tags = ['Machines'];
type Deps = HttpDeps & { settle: Settle };

/** The codes are compared on both screens, so no file has them. */
const MACHINE_REQUESTS: ExportedList<MachineRequest> = {
  name: 'machine-requests',
  secret: ['code'],
  csv: csvWith({
    id: ({ id }) => id,
    user_id: ({ userId: id }) => id,
    user: ({ username }) => username,
    customer_id: ({ customerId }) => customerId,
    customer: ({ customerName }) => customerName,
    machine: ({ machineId }) => machineId,
    machine_name: ({ name }) => name,
    requested_at: ({ requestedAt }) => requestedAt,
    expires_at: ({ expiresAt }) => expiresAt,
  }),
};

const ofUser = z.strictObject({ userId });
const ofRequest = z.strictObject({ requestId: machineRequestId });
const ofMachine = z.strictObject({ machineId: publicMachineId });

const changed = { 200: machinesReply, ...problems(400, 401, 403, 404, 409, 412) };

/** What is decided on a machine that waits for approval. */
export const DECISIONS = [
  { action: 'approve', type: 'ApproveMachine', summary: 'Approve a machine' },
  { action: 'reject', type: 'RejectMachine', summary: 'Reject a machine' },
] as const;

/** Machines of a user: for its customer, its integrator and administrators. */
export const machineRoutes = (
  app: App,
  deps: Deps,
  { prefix, audience }: { prefix: '/api' | '/api/admin'; audience: readonly Audience[] },
): void => {
  const ownerOf = async (request: FastifyRequest, id: UserId): Promise<MachineOwner> => ({
    ...(await visibleUser(request, id)),
    approvingMachineId: null,
  });

  app.get(
    `${prefix}/users/machine-requests`,
    {
      config: { audience, permission: 'machines:read' },
      schema: {
        summary: 'List the machines waiting for approval, oldest first',
        description: FILE_DESCRIPTION,
        tags,
        response: { 200: machineRequestsReply, ...problems(401, 403) },
      },
    },
    async (request, reply) => {
      const owner = request.session?.owner;
      const filter =
        owner?.kind === 'customer'
          ? { customerIds: [owner.customerId] }
          : owner?.kind === 'integrator'
            ? { integratorId: owner.integratorId }
            : {};
      principalAs(request, 'customer', 'integrator', 'admin');
      const requests = await request.queries.machines.pending(filter, new Date(request.receivedAt).toISOString());
      const shown = requests.map(showRequest);
      return (await exportRows(request, reply, MACHINE_REQUESTS, shown)) ? reply : { success: true as const, requests: shown };
    },
  );

  app.get(
    `${prefix}/users/:userId/machines`,
    {
      config: { audience, permission: 'machines:read' },
      schema: {
        summary: 'List the machines of a user, with the valid offline licenses',
        tags,
        params: ofUser,
        response: { 200: machinesReply, ...problems(400, 401, 403, 404) },
      },
    },
    async (request) => {
      return showMachines(deps, request, await ownerOf(request, request.params.userId));
    },
  );

  for (const { action, type, summary } of DECISIONS) {
    app.post(
      `${prefix}/users/:userId/machine-requests/:requestId/${action}`,
      {
        config: { audience, permission: 'machines:approve' },
        schema: { summary, tags, params: ofUser.extend(ofRequest.shape), response: changed },
      },
      async (request, reply) => {
        const decides = await ownerOf(request, request.params.userId);
        const data = { ...decides, requestId: request.params.requestId };
        await performOnMachine(deps, request, reply, { type, data, meta: metaOf(request) });
        return showMachines(deps, request, decides);
      },
    );
  }

  app.put(
    `${prefix}/users/:userId/machines/:machineId/name`,
    {
      config: { audience, permission: 'machines:approve' },
      schema: {
        summary: 'Rename a machine',
        tags,
        params: ofUser.extend(ofMachine.shape),
        body: renameMachine,
        response: changed,
      },
    },
    async (request, reply) => {
      const decides = await ownerOf(request, request.params.userId);
      const machineId = await machineOf(deps, decides, request.params.machineId);
      const data = { ...decides, machineId, machineName: request.body.name };
      await performOnMachine(deps, request, reply, { type: 'RenameMachine', data, meta: metaOf(request) });
      return showMachines(deps, request, decides);
    },
  );

  app.delete(
    `${prefix}/users/:userId/machines/:machineId`,
    {
      config: { audience, permission: 'machines:approve' },
      schema: {
        summary: 'Remove a machine and end its sessions',
        tags,
        params: ofUser.extend(ofMachine.shape),
        response: changed,
      },
    },
    async (request, reply) => {
      const decides = await ownerOf(request, request.params.userId);
      const machineId = await machineOf(deps, decides, request.params.machineId);
      await performOnMachine(deps, request, reply, {
        type: 'RemoveMachine',
        data: { ...decides, machineId },
        meta: metaOf(request),
      });
      return showMachines(deps, request, decides);
    },
  );
};

/** Whether a customer's new machines need approval. */
export const machineApprovalRoutes: Routes = (app, deps) => {
  app.put(
    '/api/customer/machine-approval',
    {
      config: { audience: ['customer'], permission: 'settings:write' },
      schema: {
        summary: 'Turn approval of new machines on or off',
        tags,
        body: changeMachineApproval,
        response: { 200: profileReply, ...problems(400, 401, 403, 412) },
      },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      const type = request.body.enforced ? 'EnforceMachineApproval' : 'RelaxMachineApproval';
      const outcome = await deps.commands.customers.handle({ type, data: { customerId }, meta: metaOf(request) }, ifMatch(request));
      const { position } = accepted(outcome);
      return { success: true as const, profile: await showCustomer(deps, request, reply, customerId, position) };
    },
  );
};
