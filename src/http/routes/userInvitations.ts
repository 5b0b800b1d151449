import { z } from 'zod';
import { userId } from '../../contracts/fields.ts';
import { done } from '../../contracts/replies.ts';
import { invitationReply } from '../../contracts/team.ts';
import { teamIdOf } from '../../domain/team/teamId.ts';
import type { Routes } from '../deps.ts';
import { visibleUser } from '../ownership.ts';
import { portalMemberOf } from '../portalMembers.ts';
import { accepted, found, problems } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';
import { inviteMember } from './team.ts';

const params = z.strictObject({ userId });
const tags = ['Users'];
const config = { audience: ['customer', 'integrator'], permission: 'members:write' } as const;

/** Invitations of portal users to sign in by name, by their customer and its integrator. */
export const userInvitationRoutes: Routes = (app, deps) => {
  const { commands, settle } = deps;

  app.post(
    '/api/users/:userId/invitation',
    {
      config: { ...config, reauthentication: true },
      schema: {
        summary: 'Invite a user to sign in to the portal by name, or again with a new link',
        description:
          'The reply has the path of the link, which is shown once. It is valid for 7 days and can be used once. With a mail server, the user gets it by email too.',
        tags,
        params,
        response: { 201: invitationReply, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { userId: id, customerId } = await visibleUser(request, request.params.userId);
      const { name, email, role } = portalMemberOf((await commands.customers.load(customerId)).state, id);
      const teamId = teamIdOf({ kind: 'customer', customerId });
      const path = await inviteMember(deps, request, reply, { teamId, userId: id, name, email, role });
      reply.code(201);
      const member = found(await request.queries.team.member(teamId, id), 'member_not_found');
      return { success: true as const, member, path, emailed: deps.settings.sendsEmails };
    },
  );

  app.delete(
    '/api/users/:userId/invitation',
    {
      config,
      schema: {
        summary: "Withdraw a user's invitation",
        tags,
        params,
        response: { 200: done, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { userId: id, customerId } = await visibleUser(request, request.params.userId);
      const data = { teamId: teamIdOf({ kind: 'customer', customerId }), userId: id };
      const { position } = accepted(await commands.teams.handle({ type: 'WithdrawInvitation', data, meta: metaOf(request) }));
      await settle(reply, position);
      return { success: true as const };
    },
  );
};
