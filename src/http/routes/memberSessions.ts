import type { FastifyReply, FastifyRequest } from 'fastify';
import { adminSessionReply, customerLoginReply, integratorLoginReply } from '../../contracts/auth.ts';
import { acceptInvitation, acceptInvitationReply, memberLogin, openInvitation, openInvitationReply } from '../../contracts/team.ts';
import type { SignInMethod } from '../../domain/signIns/methods.ts';
import type { TeamCommand } from '../../domain/team/commands.ts';
import { tenantOfTeam } from '../../domain/team/teamId.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { signInMember } from '../memberPassword.ts';
import { completeMemberSignIn, evaluateInvitation, type FoundMember, tenantNameOf } from '../memberSignIn.ts';
import { addition, joiningOf } from '../passkeys.ts';
import { portalMemberOf } from '../portalMembers.ts';
import { actorOfTenant, grantsOf } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';
import { accepted, found, problems } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';
import type { Origins } from '../requests/origins.ts';
import { setAdminCookie } from './adminSessions.ts';

const tags = ['Sessions'];

/** Opens the session of a named user of the administration, and returns the reply. */
export const replyToAdmin = async (
  deps: HttpDeps & { origins: Origins },
  request: FastifyRequest,
  reply: FastifyReply,
  member: FoundMember,
  method: SignInMethod,
) => {
  const { token, session } = await completeMemberSignIn(deps, request, member, method);
  setAdminCookie(request, reply, deps, token, session.expiresAt);
  const expiresAt = new Date(session.expiresAt).toISOString();
  return { success: true as const, session: { email: member.member.email, expiresAt, ...grantsOf(session, member.member.name) } };
};

/** Completes the sign-in of a named user of a service integrator: the reply with the session's token. */
export const replyToIntegrator = async (deps: HttpDeps, request: FastifyRequest, member: FoundMember, method: SignInMethod) => {
  const { token, session } = await completeMemberSignIn(deps, request, member, method);
  if (session.owner.kind !== 'integrator') throw new HttpProblem('wrong_email_or_password');
  const { integratorId } = session.owner;
  const { serviceIntegrator } = found(await deps.systemQueries.integrators.get(integratorId), 'wrong_email_or_password');
  return { success: true as const, token, serviceIntegrator, ...grantsOf(session, member.member.name) };
};

/** Completes the sign-in of a named user of a customer: the reply with the session's token. */
export const replyToCustomer = async (deps: HttpDeps, request: FastifyRequest, member: FoundMember, method: SignInMethod) => {
  const { token, session } = await completeMemberSignIn(deps, request, member, method);
  if (session.owner.kind !== 'customer') throw new HttpProblem('wrong_email_or_password');
  const { customerId } = session.owner;
  const { customer } = found(await deps.systemQueries.customers.get(customerId), 'wrong_email_or_password');
  return { success: true as const, token, customer, ...grantsOf(session, member.member.name) };
};

/** Named users join by an invitation, and sign in with their email address, a password and a code. */
export const memberSessionRoutes: Routes<HttpDeps & { origins: Origins }> = (app, deps) => {
  const { commands, passwords, oneTimePasswords, settings, settle } = deps;

  app.post(
    '/api/auth/admin/member-login',
    {
      config: { audience: ['public'], idempotent: false, signIn: 'admin' },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Sign in as a named user of the administration',
        tags,
        body: memberLogin,
        response: { 200: adminSessionReply, ...problems(400, 401, 403, 429) },
      },
    },
    async (request, reply) => {
      const member = await signInMember(deps, request, 'administration', request.body);
      return replyToAdmin(deps, request, reply, member, 'password');
    },
  );

  app.post(
    '/api/auth/service-integrator/member-login',
    {
      config: { audience: ['public'], idempotent: false, signIn: 'integrator' },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Sign in as a named user of a service integrator',
        tags,
        body: memberLogin,
        response: { 200: integratorLoginReply, ...problems(400, 401, 403, 429) },
      },
    },
    async (request) => {
      const member = await signInMember(deps, request, 'integrator', request.body);
      return replyToIntegrator(deps, request, member, 'password');
    },
  );

  app.post(
    '/api/auth/customer/member-login',
    {
      config: { audience: ['public'], idempotent: false, signIn: 'customer' },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Sign in as a named user of a customer',
        tags,
        body: memberLogin,
        response: { 200: customerLoginReply, ...problems(400, 401, 403, 429) },
      },
    },
    async (request) => {
      const member = await signInMember(deps, request, 'customer', request.body);
      return replyToCustomer(deps, request, member, 'password');
    },
  );

  app.post(
    '/api/auth/invitation',
    {
      config: { audience: ['public'], idempotent: false },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Read an invitation',
        tags,
        body: openInvitation,
        response: { 200: openInvitationReply, ...problems(400, 404, 409, 429) },
      },
    },
    async (request) => {
      const invited = await evaluateInvitation(deps, request, request.body.token);
      const { member, team, teamId } = invited;
      const secret = oneTimePasswords.newSecret();
      return {
        success: true as const,
        name: member.name,
        email: member.email,
        role: member.role,
        tenant: { kind: tenantOfTeam(teamId).kind, name: await tenantNameOf(deps, teamId) },
        expiresAt: member.invitation?.expiresAt ?? '',
        secondFactorRequired: team.policy.secondFactorRequired,
        secondFactor: { secret, uri: oneTimePasswords.uriOf(secret, { issuer: settings.productName, account: member.email }) },
      };
    },
  );

  app.post(
    '/api/auth/join',
    {
      config: { audience: ['public'], idempotent: false },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Accept an invitation: set a password, and one-time passwords if wanted or required, or add a passkey',
        tags,
        body: acceptInvitation,
        response: { 200: acceptInvitationReply, ...problems(400, 403, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      const { token, password, secondFactor, passkey } = request.body;
      const invited = await evaluateInvitation(deps, request, token);
      const { teamId, member } = invited;
      const { userId } = member;
      const tenant = tenantOfTeam(teamId);
      if (tenant.kind === 'customer') portalMemberOf((await commands.customers.load(tenant.customerId)).state, userId);
      const invitationId = found(member.invitation, 'invitation_not_found').invitationId;
      const context = [member.name, member.email, await tenantNameOf(deps, teamId)];
      if (password !== undefined && (await passwords.isGuessable(password, context))) throw new HttpProblem('password_too_weak');
      if (secondFactor && !(await oneTimePasswords.proves(secondFactor.secret, secondFactor.code))) {
        throw new HttpProblem('code_not_confirmed');
      }
      const recoveryCodes = secondFactor ? oneTimePasswords.newRecoveryCodes() : null;
      const meta = metaOf(request, actorOfTenant(tenantOfTeam(teamId), userId));
      const changes: TeamCommand[] = [{ type: 'AcceptInvitation', data: { teamId, userId, invitationId }, meta }];
      if (password !== undefined) {
        changes.push({ type: 'SetMemberPassword', data: { teamId, userId, passwordHash: await passwords.hash(password) }, meta });
      }
      if (passkey) {
        changes.push({ ...(await addition(deps, request, joiningOf(invitationId), { teamId, userId }, passkey)), meta });
      }
      if (secondFactor && recoveryCodes) {
        const recoveryCodeHashes = recoveryCodes.map(oneTimePasswords.hashOf);
        const data = { teamId, userId, secret: secondFactor.secret, recoveryCodeHashes };
        changes.push({ type: 'EnableSecondFactor', data, meta });
      }
      changes.push({ type: 'ExpectSecondFactor', data: { teamId, userId }, meta });
      const { position } = accepted(await commands.teams.handle(changes));
      await settle(reply, position);
      return { success: true as const, recoveryCodes };
    },
  );
};
