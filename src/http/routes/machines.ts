import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { profileReply } from '../../contracts/customers.ts';
import { userId } from '../../contracts/fields.ts';
import {
  changeMachineApproval,
  type MachinesReply,
  machineRequestId,
  machineRequestsReply,
  machinesReply,
  publicMachineId,
  renameMachine,
} from '../../contracts/machines.ts';
import type { MachineCommand } from '../../domain/customer/commands.ts';
import type { CustomerId, PublicMachineId, UserId } from '../../domain/ids.ts';
import { showCustomer } from '../customerWrites.ts';
import type { App, HttpDeps, Routes, Settle } from '../deps.ts';
import { machineIdOf, showMachine, showRequest } from '../machines.ts';
import { visibleUser } from '../ownership.ts';
import { type Audience, principalAs } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';
import { accepted, found, ifMatch, problems } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';
import { workable } from '../tool.ts';

const tags = ['Machines'];
type Deps = HttpDeps & { settle: Settle };
type Decides = Readonly<{ customerId: CustomerId; userId: UserId; approvingMachineId: string | null }>;

const ofUser = z.strictObject({ userId });
const ofRequest = z.strictObject({ requestId: machineRequestId });
const ofMachine = z.strictObject({ machineId: publicMachineId });

const changed = { 200: machinesReply, ...problems(400, 401, 403, 404, 409, 412) };

/** A user's machines and requests as they are shown after a change. `current` is the machine that asks. */
const shown = async (
  { sessions }: Deps,
  { queries, receivedAt }: FastifyRequest,
  user: UserId,
  current: PublicMachineId | null = null,
): Promise<MachinesReply> => {
  const [machines, requests, uses] = await Promise.all([
    queries.machines.approved([user]),
    queries.machines.pending({ userId: user }, new Date(receivedAt).toISOString()),
    sessions.machineUses([user]),
  ]);
  return {
    success: true,
    machines: machines.map((machine) => {
      const shownMachine = showMachine(machine, uses);
      return { ...shownMachine, current: shownMachine.id === current };
    }),
    requests: requests.map(showRequest),
  };
};

const COMMANDS = { approve: 'ApproveMachine', reject: 'RejectMachine' } as const;
const SUMMARIES = { approve: 'Approve a machine', reject: 'Reject a machine' } as const;

/** The machine id of one of the user's machines. Throws `machine_not_found`. */
const machineOf = async ({ commands }: Deps, { customerId, userId: id }: Decides, machine: PublicMachineId): Promise<string> => {
  const { state } = await commands.customers.load(customerId);
  const user = 'users' in state ? state.users.get(id) : undefined;
  return found(user && machineIdOf(user, machine), 'machine_not_found');
};

const perform = async (
  { commands, settle }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  command: MachineCommand,
): Promise<void> => {
  const outcome = await commands.customers.handle(command, ifMatch(request));
  await settle(reply, accepted(outcome).position);
};

/** Machines of a user: for its customer, its integrator and administrators. */
export const machineRoutes = (
  app: App,
  deps: Deps,
  { prefix, audience }: { prefix: '/api' | '/api/admin'; audience: readonly Audience[] },
): void => {
  const ownerOf = async (request: FastifyRequest, id: UserId): Promise<Decides> => ({
    ...(await visibleUser(request, id)),
    approvingMachineId: null,
  });

  app.get(
    `${prefix}/users/machine-requests`,
    {
      config: { audience, permission: 'machines:read' },
      schema: {
        summary: 'List the machines waiting for approval, oldest first',
        tags,
        response: { 200: machineRequestsReply, ...problems(401, 403) },
      },
    },
    async (request) => {
      const owner = request.session?.owner;
      const filter =
        owner?.kind === 'customer'
          ? { customerIds: [owner.customerId] }
          : owner?.kind === 'integrator'
            ? { integratorId: owner.integratorId }
            : {};
      principalAs(request, 'customer', 'integrator', 'admin');
      const requests = await request.queries.machines.pending(filter, new Date(request.receivedAt).toISOString());
      return { success: true as const, requests: requests.map(showRequest) };
    },
  );

  app.get(
    `${prefix}/users/:userId/machines`,
    {
      config: { audience, permission: 'machines:read' },
      schema: {
        summary: 'List the machines of a user',
        tags,
        params: ofUser,
        response: { 200: machinesReply, ...problems(400, 401, 403, 404) },
      },
    },
    async (request) => {
      const { userId: id } = await ownerOf(request, request.params.userId);
      return shown(deps, request, id);
    },
  );

  for (const action of ['approve', 'reject'] as const) {
    app.post(
      `${prefix}/users/:userId/machine-requests/:requestId/${action}`,
      {
        config: { audience, permission: 'machines:approve' },
        schema: { summary: SUMMARIES[action], tags, params: ofUser.extend(ofRequest.shape), response: changed },
      },
      async (request, reply) => {
        const decides = await ownerOf(request, request.params.userId);
        const data = { ...decides, requestId: request.params.requestId };
        await perform(deps, request, reply, { type: COMMANDS[action], data, meta: metaOf(request) });
        return shown(deps, request, decides.userId);
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
      await perform(deps, request, reply, { type: 'RenameMachine', data, meta: metaOf(request) });
      return shown(deps, request, decides.userId);
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
      await perform(deps, request, reply, { type: 'RemoveMachine', data: { ...decides, machineId }, meta: metaOf(request) });
      return shown(deps, request, decides.userId);
    },
  );
};

/** A user's own machines: for the command-line tool on one of them, and for the named user in the portal. */
export const ownMachineRoutes = (
  app: App,
  deps: Deps,
  { prefix, audience }: { prefix: '/api/cli' | '/api/customer'; audience: readonly ['cli'] | readonly ['customer'] },
): void => {
  const { commands } = deps;

  /** The user, and the approved machine that a tool's session is on. Throws `machine_not_approved`. */
  const decidesFor = async (request: FastifyRequest): Promise<Decides & { machine: PublicMachineId | null }> => {
    const owner = principalAs(request, 'cli', 'customer');
    if (owner.kind === 'customer') {
      const id = found(owner.userId, 'member_required');
      return { customerId: owner.customerId, userId: id, approvingMachineId: null, machine: null };
    }
    const { customerId, userId: id, machine } = owner;
    const { user } = workable((await commands.customers.load(customerId)).state, id);
    const approvingMachineId = machineIdOf(user, machine);
    if (approvingMachineId === undefined) throw new HttpProblem('machine_not_approved');
    return { customerId, userId: id, approvingMachineId, machine };
  };

  app.get(
    `${prefix}/machines`,
    {
      config: { audience, permission: 'ownMachines:read' },
      schema: { summary: 'List the machines of the user', tags, response: { 200: machinesReply, ...problems(401, 403) } },
    },
    async (request) => {
      const { userId: id, machine } = await decidesFor(request);
      return shown(deps, request, id, machine);
    },
  );

  for (const action of ['approve', 'reject'] as const) {
    app.post(
      `${prefix}/machine-requests/:requestId/${action}`,
      {
        config: { audience, permission: 'ownMachines:approve' },
        schema: { summary: SUMMARIES[action], tags, params: ofRequest, response: changed },
      },
      async (request, reply) => {
        const { machine, ...decides } = await decidesFor(request);
        const data = { ...decides, requestId: request.params.requestId };
        await perform(deps, request, reply, { type: COMMANDS[action], data, meta: metaOf(request) });
        return shown(deps, request, decides.userId, machine);
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
      const { machine, ...decides } = await decidesFor(request);
      const machineId = await machineOf(deps, decides, request.params.machineId);
      const data = { ...decides, machineId, machineName: request.body.name };
      await perform(deps, request, reply, { type: 'RenameMachine', data, meta: metaOf(request) });
      return shown(deps, request, decides.userId, machine);
    },
  );

  app.delete(
    `${prefix}/machines/:machineId`,
    {
      config: { audience, permission: 'ownMachines:approve' },
      schema: { summary: 'Remove a machine and end its sessions', tags, params: ofMachine, response: changed },
    },
    async (request, reply) => {
      const { machine, ...decides } = await decidesFor(request);
      const machineId = await machineOf(deps, decides, request.params.machineId);
      await perform(deps, request, reply, { type: 'RemoveMachine', data: { ...decides, machineId }, meta: metaOf(request) });
      return shown(deps, request, decides.userId, machine);
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
