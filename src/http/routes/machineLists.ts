import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ListedMachine, listedMachinesReply } from '../../contracts/machines.ts';
import { userQuery } from '../../contracts/users.ts';
import type { UserId } from '../../domain/ids.ts';
import type { ApprovedMachine } from '../../projections/machines/queries.ts';
import type { UserFilter } from '../../projections/users/queries.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { customerNameOf } from '../exportNames.ts';
import { exportList, MACHINES } from '../listExport.ts';
import { showMachine } from '../machines.ts';
import { principalAs } from '../principal.ts';
import { problems } from '../replies.ts';

type MachinePage = Readonly<{ rows: ListedMachine[]; nextCursor: string | null }>;

const schema = {
  summary: 'List the approved machines of users',
  description:
    'The machines of a page of users, who are chosen and sorted as in the list of users. With `Accept: text/csv` or ' +
    '`application/x-ndjson` the machines of all chosen users are streamed as a file; `limit` and `cursor` are ignored.',
  tags: ['Machines'],
  querystring: userQuery,
  response: { 200: listedMachinesReply, ...problems(400, 401, 403) },
};

/** The machines of all users that the session may see. */
export const machineListRoutes: Routes<Pick<HttpDeps, 'sessions'>> = (app, { sessions }) => {
  const pageOf = async ({ queries }: FastifyRequest, filter: UserFilter): Promise<MachinePage> => {
    const { users, nextCursor } = await queries.users.list(filter);
    const ids = users.map(({ id }) => id);
    const [approved, uses] = await Promise.all([queries.machines.approved(ids), sessions.machineUses(ids)]);
    const machinesOf = new Map<UserId, ApprovedMachine[]>(ids.map((id) => [id, []]));
    for (const machine of approved) machinesOf.get(machine.userId)?.push(machine);
    const rows = users.flatMap(({ id: userId, username, customerId, customerName }) =>
      (machinesOf.get(userId) ?? []).map((machine) => ({
        ...showMachine(machine, uses),
        userId,
        username,
        customerId,
        customerName,
      })),
    );
    return { rows, nextCursor };
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply, filter: UserFilter) => {
    const isSent = await exportList(
      request,
      reply,
      MACHINES,
      (page) => pageOf(request, { ...filter, ...page }),
      async () => filter.customerId && customerNameOf(request, filter.customerId),
    );
    if (isSent) return reply;
    const { rows: machines, nextCursor } = await pageOf(request, filter);
    return { success: true as const, machines, nextCursor };
  };

  app.get(
    '/api/users/machines',
    { config: { audience: ['customer', 'integrator'], permission: 'machines:read' }, schema },
    async (request, reply) => {
      const owner = principalAs(request, 'customer', 'integrator');
      const own = owner.kind === 'customer' ? { customerId: owner.customerId } : { integratorId: owner.integratorId };
      return answer(request, reply, { ...request.query, ...own });
    },
  );

  app.get(
    '/api/admin/users/machines',
    { config: { audience: ['admin'], permission: 'machines:read' }, schema },
    async (request, reply) => answer(request, reply, request.query),
  );
};
