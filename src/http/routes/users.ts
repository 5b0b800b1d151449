import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { userId } from '../../contracts/fields.ts';
import { done } from '../../contracts/replies.ts';
import { changeUserStatus, type UpdateUser, updateUser, userQuery, userReply, usersReply } from '../../contracts/users.ts';
import type { UserCommand } from '../../domain/customer/commands.ts';
import { isRegistered } from '../../domain/customer/state.ts';
import type { EventMeta } from '../../domain/event.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
import type { UserFilter } from '../../projections/users/queries.ts';
import type { App, HttpDeps, Settle } from '../deps.ts';
import { endLease } from '../floatingSeats.ts';
import { BODY_LIMIT } from '../limits.ts';
import { exportList, LIST_DESCRIPTION, USERS } from '../listExport.ts';
import { visibleUser } from '../ownership.ts';
import { keepOwners, userStatusCommand } from '../portalMembers.ts';
import { type Audience, principalAs } from '../principal.ts';
import { accepted, found, ifMatch, problems } from '../replies.ts';
import { metaOf, metaOfRevert } from '../requests/meta.ts';
import { expectRecentFor } from '../requests/reauthentication.ts';
import { expectUserRevert } from '../reverts.ts';

const params = z.strictObject({ userId });
const tags = ['Users'];

/** The command that rejects a change of a user that was changed since the client read it. */
const expecting = (
  user: { customerId: CustomerId; userId: UserId },
  expected: UpdateUser['expected'],
  meta: EventMeta,
): UserCommand[] => (expected ? [{ type: 'ExpectUser', data: { ...user, ...expected }, meta }] : []);

/** Lists of users: those of a customer, of all customers of an integrator, or of all customers. */
export const userListRoutes = (app: App): void => {
  const response = { 200: usersReply, ...problems(400, 401, 403) };

  const answer = async (request: FastifyRequest, reply: FastifyReply, filter: UserFilter) => {
    const isSent = await exportList(
      request,
      reply,
      USERS,
      async (page) => {
        const { users: rows, nextCursor } = await request.queries.users.list({ ...filter, ...page });
        return { rows, nextCursor };
      },
      async () => filter.customerId && (await request.queries.customers.get(filter.customerId))?.customer.name,
    );
    return isSent ? reply : { success: true as const, ...(await request.queries.users.list(filter)) };
  };
  const description = LIST_DESCRIPTION;

  app.get(
    '/api/users/with-connections',
    {
      config: { audience: ['customer'], permission: 'users:read' },
      schema: {
        summary: 'List the users of the customer',
        description,
        tags,
        querystring: userQuery.omit({ customerId: true }),
        response,
      },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      return answer(request, reply, { ...request.query, customerId });
    },
  );

  app.get(
    '/api/users',
    {
      config: { audience: ['integrator'], permission: 'users:read' },
      schema: {
        summary: 'List the users of all customers of the service integrator',
        description,
        tags,
        querystring: userQuery,
        response,
      },
    },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      return answer(request, reply, { ...request.query, integratorId });
    },
  );

  app.get(
    '/api/admin/users',
    {
      config: { audience: ['admin'], permission: 'users:read' },
      schema: { summary: 'List users', description, tags, querystring: userQuery, response },
    },
    async (request, reply) => answer(request, reply, request.query),
  );
};

/** What may be done with a user: by its customer, its integrator and administrators alike. */
export const userRoutes = (
  app: App,
  deps: HttpDeps & { settle: Settle },
  { prefix, audience }: { prefix: '/api' | '/api/admin'; audience: readonly Audience[] },
): void => {
  const { commands, settle } = deps;
  const response = { 200: userReply, ...problems(400, 401, 403, 404, 409, 412) };

  app.put(
    `${prefix}/users/:userId`,
    {
      config: { audience, permission: 'users:write', reauthentication: 'role' },
      bodyLimit: BODY_LIMIT.form,
      schema: { summary: 'Update a user', tags, params, body: updateUser, response },
    },
    async (request, reply) => {
      const { userId, customerId } = await visibleUser(request, request.params.userId);
      const { username, email, role, status, reason = null, expected, reverts } = request.body;
      const meta = metaOfRevert(request, reverts);
      if (reverts !== undefined) await expectUserRevert(deps, { customerId, userId }, reverts, request.body);
      const { state } = await commands.customers.load(customerId);
      const before = isRegistered(state) ? (state.users.get(userId)?.role ?? null) : null;
      await expectRecentFor(deps, request, 'role', { before, after: role });
      const isLeaving = status !== undefined && status !== 'active';
      const isDemotion = role !== undefined && role !== before;
      if (isLeaving || isDemotion) {
        const isSuspension = status === 'suspended' && !isDemotion;
        await keepOwners(deps, metaOf(request), { customerId, userId, role: isLeaving ? null : (role ?? null), isSuspension });
      }
      const statusChange: UserCommand[] = status
        ? [{ type: userStatusCommand[status], data: { customerId, userId, reason }, meta }]
        : [];
      const outcome = await commands.customers.handle(
        [
          ...expecting({ customerId, userId }, expected, meta),
          { type: 'ChangeUserDetails', data: { customerId, userId, username, email }, meta },
          { type: 'ChangeUserRole', data: { customerId, userId, role }, meta },
          ...statusChange,
        ],
        ifMatch(request),
      );
      await settle(reply, accepted(outcome).position);
      return { success: true as const, user: found(await request.queries.users.get(userId), 'user_not_found').user };
    },
  );

  app.put(
    `${prefix}/users/:userId/status`,
    {
      config: { audience, permission: 'users:write' },
      bodyLimit: BODY_LIMIT.form,
      schema: { summary: 'Activate, deactivate or suspend a user', tags, params, body: changeUserStatus, response },
    },
    async (request, reply) => {
      const { userId, customerId } = await visibleUser(request, request.params.userId);
      const { status, reason = null, expected } = request.body;
      const meta = metaOf(request);
      if (status !== 'active')
        await keepOwners(deps, metaOf(request), { customerId, userId, role: null, isSuspension: status === 'suspended' });
      const outcome = await commands.customers.handle(
        [
          ...expecting({ customerId, userId }, expected, meta),
          { type: userStatusCommand[status], data: { customerId, userId, reason }, meta },
        ],
        ifMatch(request),
      );
      await settle(reply, accepted(outcome).position);
      return { success: true as const, user: found(await request.queries.users.get(userId), 'user_not_found').user };
    },
  );

  app.post(
    `${prefix}/users/:userId/seat/release`,
    {
      config: { audience, permission: 'users:write' },
      schema: {
        summary: 'Release the floating seat of a user',
        description:
          'Disconnects the tool of the user, which stays signed in and may take a seat again. Does nothing if the user holds no floating seat. ' +
          'Refused while an offline license of the user holds the seat.',
        tags,
        params,
        response: { 200: done, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const owner = await visibleUser(request, request.params.userId);
      await settle(reply, await endLease(deps, owner, 'released', metaOf(request)));
      return { success: true as const };
    },
  );

  app.delete(
    `${prefix}/users/:userId`,
    {
      config: { audience, permission: 'users:delete', reauthentication: true },
      schema: {
        summary: 'Remove a user, with name and email address',
        description:
          'Releases the seat, ends the machines, sessions and API tokens of the user, and erases name and email address. Recorded calls stay counted.',
        tags,
        params,
        response: { 200: done, ...problems(400, 401, 403, 404, 409, 412) },
      },
    },
    async (request, reply) => {
      const { userId, customerId } = await visibleUser(request, request.params.userId);
      await keepOwners(deps, metaOf(request), { customerId, userId, role: null });
      const command = { type: 'RemoveUser', data: { customerId, userId }, meta: metaOf(request) } as const;
      await settle(reply, accepted(await commands.customers.handle(command, ifMatch(request))).position);
      return { success: true as const };
    },
  );
};
