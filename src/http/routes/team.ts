import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { userId as userIdOf } from '../../contracts/fields.ts';
import { done } from '../../contracts/replies.ts';
import {
  changeMember,
  changePolicy,
  type InvitationEmail,
  invitationReply,
  inviteMember as inviteBody,
  memberReply,
  policyReply,
  type TeamMember,
  teamReply,
} from '../../contracts/team.ts';
import type { InvitationId, TeamId, UserId } from '../../domain/ids.ts';
import { INVITATION_MS } from '../../domain/limits.ts';
import type { TeamCommand } from '../../domain/team/commands.ts';
import type { Team } from '../../domain/team/evolve.ts';
import { invitationHash, invitationPath, invitationToken } from '../../security/invitations.ts';
import { userOwner } from '../../security/owner.ts';
import type { HttpDeps, Routes, Settle } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { exportRows, FILE_DESCRIPTION, MEMBERS } from '../listExport.ts';
import { principalAs, teamOf } from '../principal.ts';
import { accepted, found, problems } from '../replies.ts';
import { metaOf, metaOfRevert, newIdFor } from '../requests/meta.ts';
import { expectTenantRevert } from '../tenantReverts.ts';

const params = z.strictObject({ userId: userIdOf });
const tags = ['Named users'];
/** How long an invitation without an entry in the outbox is shown as one whose email waits, ms. */
const EMAIL_DELAY_MS = 60_000;
/** A customer's members are its portal users: they are invited, named and given a role as users. */
const inviting = ['admin', 'integrator'] as const;
const audience = [...inviting, 'customer'] as const;

const teamOfSession = (request: FastifyRequest): TeamId => teamOf(principalAs(request, ...audience));

/** Invites a member and returns the path of the link. */
export const inviteMember = async (
  { commands, settle, invitationSecret, now }: HttpDeps & { settle: Settle },
  request: FastifyRequest,
  reply: FastifyReply,
  member: Pick<TeamMember, 'userId' | 'name' | 'email' | 'role'> & { teamId: TeamId },
): Promise<string> => {
  const { teamId, userId, name, email, role } = member;
  const invitationId = newIdFor(request, 'invitation') as InvitationId;
  const tokenHash = invitationHash(invitationToken(invitationSecret, invitationId));
  const expiresAt = new Date(now() + INVITATION_MS).toISOString();
  const data = { teamId, userId, invitationId, name, email, role, tokenHash, expiresAt };
  const { position } = accepted(await commands.teams.handle({ type: 'InviteMember', data, meta: metaOf(request) }));
  await settle(reply, position);
  return invitationPath(invitationSecret, invitationId);
};

/** The named users of the caller's own tenant, and its sign-in policy. */
export const teamRoutes: Routes = (app, deps) => {
  const { commands, settle, settings } = deps;

  const change = async (reply: FastifyReply, changes: readonly TeamCommand[]): Promise<Team> => {
    const { state, position } = accepted(await commands.teams.handle(changes));
    await settle(reply, position);
    return state;
  };

  /** The member as the reply shows it. */
  const memberOf = async (request: FastifyRequest, userId: UserId): Promise<TeamMember> => {
    const member = found(await request.queries.team.member(teamOfSession(request), userId), 'member_not_found');
    request.dataOwner = userOwner(userId);
    return member;
  };

  const isInvited = ({ status, invitationExpiresAt }: TeamMember): boolean => status === 'invited' && invitationExpiresAt !== null;
  /** Whether the policy that sends emails has probably not seen the invitation yet. */
  const isAboutToBeSent = ({ invitedAt }: TeamMember): boolean =>
    settings.sendsEmails && Date.parse(invitedAt) > deps.now() - EMAIL_DELAY_MS;

  app.get(
    '/api/team',
    {
      config: { audience, permission: 'members:read' },
      schema: {
        summary: 'List the named users of your tenant, and the sign-in policy',
        description: FILE_DESCRIPTION,
        tags,
        response: { 200: teamReply, ...problems(401, 403) },
      },
    },
    async (request, reply) => {
      const teamId = teamOfSession(request);
      const [listed, policy, emails] = await Promise.all([
        request.queries.team.members(teamId),
        request.queries.team.policy(teamId),
        deps.invitationEmails(teamId),
      ]);
      const emailOf = (member: TeamMember): InvitationEmail | null =>
        isInvited(member) ? (emails.get(member.userId) ?? (isAboutToBeSent(member) ? 'waiting' : null)) : null;
      const members = listed.map((one) => ({ ...one, invitationEmail: emailOf(one) }));
      return (await exportRows(request, reply, MEMBERS, members)) ? reply : { success: true as const, members, policy };
    },
  );

  app.post(
    '/api/team/members',
    {
      config: { audience: inviting, permission: 'members:write', reauthentication: true },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Invite a named user',
        description:
          'The reply has the path of the link, which is shown once. It is valid for 7 days and can be used once. With a mail server, the user gets it by email too.',
        tags,
        body: inviteBody,
        response: { 201: invitationReply, ...problems(400, 401, 403, 409) },
      },
    },
    async (request, reply) => {
      const userId = userIdOf.parse(newIdFor(request, 'member'));
      const path = await inviteMember(deps, request, reply, { teamId: teamOfSession(request), userId, ...request.body });
      reply.code(201);
      return { success: true as const, member: await memberOf(request, userId), path, emailed: settings.sendsEmails };
    },
  );

  app.post(
    '/api/team/members/:userId/invitation',
    {
      config: { audience: inviting, permission: 'members:write', reauthentication: true },
      schema: {
        summary: 'Invite a named user again, with a new link',
        tags,
        params,
        response: { 201: invitationReply, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { userId } = request.params;
      const { name, email, role } = await memberOf(request, userId);
      const path = await inviteMember(deps, request, reply, { teamId: teamOfSession(request), userId, name, email, role });
      reply.code(201);
      return { success: true as const, member: await memberOf(request, userId), path, emailed: settings.sendsEmails };
    },
  );

  app.delete(
    '/api/team/members/:userId/invitation',
    {
      config: { audience, permission: 'members:write' },
      schema: { summary: 'Withdraw an invitation', tags, params, response: { 200: done, ...problems(400, 401, 403, 404, 409) } },
    },
    async (request, reply) => {
      const data = { teamId: teamOfSession(request), userId: request.params.userId };
      await change(reply, [{ type: 'WithdrawInvitation', data, meta: metaOf(request) }]);
      return { success: true as const };
    },
  );

  app.put(
    '/api/team/members/:userId',
    {
      config: { audience: inviting, permission: 'members:write', reauthentication: true },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Change the name, email address or role of a named user',
        tags,
        params,
        body: changeMember,
        response: { 200: memberReply, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { userId } = request.params;
      const teamId = teamOfSession(request);
      await expectTenantRevert.member(deps, teamId, userId, request.body);
      const meta = metaOfRevert(request, request.body.reverts);
      const before = found((await commands.teams.load(teamId)).state.members.get(userId), 'member_not_found');
      const { name = before.name, email = before.email, role = before.role } = request.body;
      const { userId: by = null } = principalAs(request, ...inviting);
      await change(reply, [
        { type: 'ChangeMemberDetails', data: { teamId, userId, name, email }, meta },
        { type: 'ChangeMemberRole', data: { teamId, userId, role, by }, meta },
      ]);
      return { success: true as const, member: await memberOf(request, userId) };
    },
  );

  app.delete(
    '/api/team/members/:userId',
    {
      config: { audience, permission: 'members:write', reauthentication: true },
      schema: {
        summary: 'Remove a named user, with name and email address',
        tags,
        params,
        response: { 200: done, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const data = { teamId: teamOfSession(request), userId: request.params.userId };
      await change(reply, [{ type: 'RemoveMember', data, meta: metaOf(request) }]);
      return { success: true as const };
    },
  );

  app.post(
    '/api/team/members/:userId/revoke-sessions',
    {
      config: { audience, permission: 'sessions:revoke' },
      schema: {
        summary: 'Sign a named user out everywhere',
        tags,
        params,
        response: { 200: done, ...problems(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const data = { teamId: teamOfSession(request), userId: request.params.userId, sessionIds: null };
      await change(reply, [{ type: 'RevokeMemberSessions', data, meta: metaOf(request) }]);
      return { success: true as const };
    },
  );

  app.put(
    '/api/team/policy',
    {
      config: { audience, permission: 'policy:write', reauthentication: true },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Change the sign-in policy',
        description: 'Sign-in with the key is turned off only while two owners have a second factor.',
        tags,
        body: changePolicy,
        response: { 200: policyReply, ...problems(400, 401, 403, 409) },
      },
    },
    async (request, reply) => {
      const teamId = teamOfSession(request);
      await expectTenantRevert.policy(deps, teamId, request.body);
      const before = (await commands.teams.load(teamId)).state.policy;
      const { keySignIn = before.keySignIn, secondFactorRequired = before.secondFactorRequired } = request.body;
      const data = { teamId, keySignIn, secondFactorRequired };
      const meta = metaOfRevert(request, request.body.reverts);
      const { policy } = await change(reply, [{ type: 'ChangeSignInPolicy', data, meta }]);
      return { success: true as const, policy };
    },
  );
};
