import { z } from 'zod';
import { adminSessionReply, customerLoginReply, integratorLoginReply } from '../../contracts/auth.ts';
import { passkeyCreationReply, passkeyId, passkeyLogin, passkeyReply, passkeyRequestReply } from '../../contracts/passkeys.ts';
import { done } from '../../contracts/replies.ts';
import { addPasskey, confirmChange as confirmBody, openInvitation } from '../../contracts/team.ts';
import type { TeamCommand } from '../../domain/team/commands.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { evaluateInvitation, loadMember } from '../memberSignIn.ts';
import { revocationOfOthers } from '../otherSessions.ts';
import {
  addition,
  additionOf,
  confirmChange,
  confirmOptions,
  creationOptions,
  joiningOf,
  signInByPasskey,
  signInOptions,
} from '../passkeys.ts';
import { ownMember } from '../principal.ts';
import { accepted, found, problems } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';
import type { Origins } from '../requests/origins.ts';
import { replyToAdmin, replyToCustomer, replyToIntegrator } from './memberSessions.ts';

const config = { audience: ['admin', 'integrator', 'customer'], permission: 'ownSession:read', idempotent: false } as const;
const params = z.strictObject({ passkeyId });

/** Named users sign in with passkeys, and add and remove their own. */
export const passkeyRoutes: Routes<HttpDeps & { origins: Origins }> = (app, deps) => {
  const { commands, sessions, settle } = deps;

  app.post(
    '/api/auth/passkey/options',
    {
      config: { audience: ['public'], idempotent: false },
      schema: {
        summary: 'Get options to sign in with a passkey',
        description: 'The challenge is valid for 5 minutes and can be answered once.',
        tags: ['Sessions'],
        response: { 200: passkeyRequestReply, ...problems(409) },
      },
    },
    async (request) => ({ success: true as const, options: signInOptions(deps, request) }),
  );

  app.post(
    '/api/auth/admin/passkey-login',
    {
      config: { audience: ['public'], idempotent: false, signIn: 'admin' },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Sign in as a named user of the administration with a passkey',
        tags: ['Sessions'],
        body: passkeyLogin,
        response: { 200: adminSessionReply, ...problems(400, 401, 403, 409, 429) },
      },
    },
    async (request, reply) => {
      const member = await signInByPasskey(deps, request, 'administration', request.body.assertion);
      return replyToAdmin(deps, request, reply, member, 'passkey');
    },
  );

  app.post(
    '/api/auth/service-integrator/passkey-login',
    {
      config: { audience: ['public'], idempotent: false, signIn: 'integrator' },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Sign in as a named user of a service integrator with a passkey',
        tags: ['Sessions'],
        body: passkeyLogin,
        response: { 200: integratorLoginReply, ...problems(400, 401, 403, 409, 429) },
      },
    },
    async (request) => {
      const member = await signInByPasskey(deps, request, 'integrator', request.body.assertion);
      return replyToIntegrator(deps, request, member, 'passkey');
    },
  );

  app.post(
    '/api/auth/customer/passkey-login',
    {
      config: { audience: ['public'], idempotent: false, signIn: 'customer' },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Sign in as a named user of a customer with a passkey',
        tags: ['Sessions'],
        body: passkeyLogin,
        response: { 200: customerLoginReply, ...problems(400, 401, 403, 409, 429) },
      },
    },
    async (request) => {
      const member = await signInByPasskey(deps, request, 'customer', request.body.assertion);
      return replyToCustomer(deps, request, member, 'passkey');
    },
  );

  app.post(
    '/api/auth/join/passkey-options',
    {
      config: { audience: ['public'], idempotent: false },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Get options to accept an invitation with a passkey',
        tags: ['Sessions'],
        body: openInvitation,
        response: { 200: passkeyCreationReply, ...problems(400, 404, 409, 429) },
      },
    },
    async (request) => {
      const { member } = await evaluateInvitation(deps, request, request.body.token);
      const { invitationId } = found(member.invitation, 'invitation_not_found');
      return { success: true as const, options: creationOptions(deps, request, joiningOf(invitationId), member) };
    },
  );

  app.post(
    '/api/account/passkeys/creation-options',
    {
      config,
      schema: {
        summary: 'Get options to add a passkey',
        tags: ['Named users'],
        response: { 200: passkeyCreationReply, ...problems(401, 403, 409) },
      },
    },
    async (request) => {
      const { teamId, userId } = ownMember(request);
      const { member } = found(await loadMember(deps, teamId, userId), 'member_required');
      return { success: true as const, options: creationOptions(deps, request, additionOf(request), member) };
    },
  );

  app.post(
    '/api/account/passkeys/confirmation-options',
    {
      config,
      schema: {
        summary: 'Get options to confirm a change of your sign-in with a passkey',
        tags: ['Named users'],
        response: { 200: passkeyRequestReply, ...problems(401, 403, 409) },
      },
    },
    async (request) => {
      const { teamId, userId } = ownMember(request);
      const { member } = found(await loadMember(deps, teamId, userId), 'member_required');
      return { success: true as const, options: confirmOptions(deps, request, member) };
    },
  );

  app.post(
    '/api/account/passkeys',
    {
      config,
      bodyLimit: BODY_LIMIT.secrets,
      schema: {
        summary: 'Add a passkey',
        description: 'It signs in on the host name on which it was added.',
        tags: ['Named users'],
        body: addPasskey,
        response: { 201: passkeyReply, ...problems(400, 401, 403, 409, 429) },
      },
    },
    async (request, reply) => {
      const own = ownMember(request);
      const { passkey, ...confirmation } = request.body;
      await confirmChange(deps, request, own, confirmation);
      const command = { ...(await addition(deps, request, additionOf(request), own, passkey)), meta: metaOf(request) };
      const { position } = accepted(await commands.teams.handle(command));
      await settle(reply, position);
      const { passkeyId: added, name, host, isBackedUp } = command.data;
      reply.code(201);
      const addedAt = command.meta.at;
      return { success: true as const, passkey: { passkeyId: added, name, host, isBackedUp, addedAt, lastUsedAt: null } };
    },
  );

  app.post(
    '/api/account/passkeys/:passkeyId/remove',
    {
      config,
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Remove a passkey; other sessions end',
        tags: ['Named users'],
        params,
        body: confirmBody,
        response: { 200: done, ...problems(400, 401, 403, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      const own = ownMember(request);
      await confirmChange(deps, request, own, request.body);
      const data = { ...own, passkeyId: request.params.passkeyId };
      const { hash, owner } = found(request.session, 'session_required');
      const removal: TeamCommand = { type: 'RemovePasskey', data, meta: metaOf(request) };
      const kinds = owner.kind === 'customer' ? (['customer', 'cli'] as const) : [owner.kind];
      const ending = await revocationOfOthers(deps, request, own, kinds);
      const { position } = accepted(await commands.teams.handle([removal, ...ending]));
      await sessions.end({ userId: own.userId, except: hash }, 'passkey_removed');
      await settle(reply, position);
      return { success: true as const };
    },
  );
};
