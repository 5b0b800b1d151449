import type { FastifyReply } from 'fastify';
import { done } from '../../contracts/replies.ts';
import {
  accountReply,
  changeOwnPassword,
  confirmChange as confirmBody,
  enableSecondFactor,
  newSecondFactorReply,
  recoveryCodesReply,
} from '../../contracts/team.ts';
import type { TeamCommand } from '../../domain/team/commands.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { BODY_LIMIT } from '../limits.ts';
import { revocationOfOthers } from '../otherSessions.ts';
import { confirmChange } from '../passkeys.ts';
import { ownMember, principalAs, teamOf } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';
import { accepted, found, problems } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';
import type { Origins } from '../requests/origins.ts';

const tags = ['Named users'];
const audience = ['admin', 'integrator', 'customer'] as const;
const config = { audience, permission: 'ownSession:read' } as const;

/** What signs in the named user of the session. Changes need the password again, or a passkey. */
export const memberAccountRoutes: Routes<HttpDeps & { origins: Origins }> = (app, deps) => {
  const { commands, passwords, passkeys, oneTimePasswords, settings, sessions, settle } = deps;

  const change = async (reply: FastifyReply, changes: readonly TeamCommand[]): Promise<void> =>
    settle(reply, accepted(await commands.teams.handle(changes)).position);

  app.get(
    '/api/account',
    {
      config,
      schema: { summary: 'Get the named user of the session', tags, response: { 200: accountReply, ...problems(401, 403) } },
    },
    async (request) => {
      const owner = principalAs(request, ...audience);
      if (owner.userId === undefined) return { success: true as const, member: null, recoveryCodesLeft: 0, passkeys: [] };
      const teamId = teamOf(owner);
      const { state } = await commands.teams.load(teamId);
      const [added, lastUses] = await Promise.all([
        request.queries.team.passkeys(teamId, owner.userId),
        passkeys.lastUses(owner.userId),
      ]);
      return {
        success: true as const,
        member: await request.queries.team.member(teamId, owner.userId),
        recoveryCodesLeft: state.members.get(owner.userId)?.recoveryCodeHashes.length ?? 0,
        passkeys: added.map((passkey) => ({
          ...passkey,
          lastUsedAt: lastUses.get(passkey.passkeyId)?.toISOString() ?? null,
        })),
      };
    },
  );

  app.put(
    '/api/account/password',
    {
      config: { ...config, idempotent: false },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Change the own password; other sessions end',
        tags,
        body: changeOwnPassword,
        response: { 200: done, ...problems(400, 401, 403, 409, 429) },
      },
    },
    async (request, reply) => {
      const { teamId, userId } = ownMember(request);
      const { newPassword } = request.body;
      const { member } = await confirmChange(deps, request, { teamId, userId }, request.body);
      if (await passwords.isGuessable(newPassword, [member.name, member.email])) throw new HttpProblem('password_too_weak');
      const data = { teamId, userId, passwordHash: await passwords.hash(newPassword) };
      const { hash, owner } = found(request.session, 'session_required');
      const ending = await revocationOfOthers(deps, request, { teamId, userId }, [owner.kind]);
      const setting: TeamCommand = { type: 'SetMemberPassword', data, meta: metaOf(request) };
      const { position } = accepted(await commands.teams.handle([setting, ...ending]));
      await sessions.end({ kind: owner.kind, userId, except: hash }, 'password_changed');
      await settle(reply, position);
      return { success: true as const };
    },
  );

  app.post(
    '/api/account/second-factor',
    {
      config: { ...config, idempotent: false },
      schema: {
        summary: 'Get a secret for one-time passwords, which is not in use yet',
        tags,
        response: { 200: newSecondFactorReply, ...problems(401, 403, 409) },
      },
    },
    async (request) => {
      const { teamId, userId } = ownMember(request);
      const member = found(await request.queries.team.member(teamId, userId), 'member_required');
      const secret = oneTimePasswords.newSecret();
      const uri = oneTimePasswords.uriOf(secret, { issuer: settings.productName, account: member.email });
      return { success: true as const, secret, uri };
    },
  );

  app.put(
    '/api/account/second-factor',
    {
      config: { ...config, idempotent: false },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Turn on one-time passwords; the reply has the recovery codes',
        tags,
        body: enableSecondFactor,
        response: { 200: recoveryCodesReply, ...problems(400, 401, 403, 409, 429) },
      },
    },
    async (request, reply) => {
      const { teamId, userId } = ownMember(request);
      const { secret, code } = request.body;
      await confirmChange(deps, request, { teamId, userId }, request.body);
      if (!(await oneTimePasswords.proves(secret, code))) throw new HttpProblem('code_not_confirmed');
      const recoveryCodes = oneTimePasswords.newRecoveryCodes();
      const data = { teamId, userId, secret, recoveryCodeHashes: recoveryCodes.map(oneTimePasswords.hashOf) };
      await change(reply, [{ type: 'EnableSecondFactor', data, meta: metaOf(request) }]);
      return { success: true as const, recoveryCodes };
    },
  );

  app.post(
    '/api/account/second-factor/disable',
    {
      config: { ...config, idempotent: false },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Turn off one-time passwords',
        tags,
        body: confirmBody,
        response: { 200: done, ...problems(400, 401, 403, 409, 429) },
      },
    },
    async (request, reply) => {
      const { teamId, userId } = ownMember(request);
      await confirmChange(deps, request, { teamId, userId }, request.body);
      await change(reply, [{ type: 'DisableSecondFactor', data: { teamId, userId }, meta: metaOf(request) }]);
      return { success: true as const };
    },
  );

  app.post(
    '/api/account/recovery-codes',
    {
      config: { ...config, idempotent: false },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Replace the recovery codes',
        tags,
        body: confirmBody,
        response: { 200: recoveryCodesReply, ...problems(400, 401, 403, 409, 429) },
      },
    },
    async (request, reply) => {
      const { teamId, userId } = ownMember(request);
      await confirmChange(deps, request, { teamId, userId }, request.body);
      const recoveryCodes = oneTimePasswords.newRecoveryCodes();
      const data = { teamId, userId, recoveryCodeHashes: recoveryCodes.map(oneTimePasswords.hashOf) };
      await change(reply, [{ type: 'ReplaceRecoveryCodes', data, meta: metaOf(request) }]);
      return { success: true as const, recoveryCodes };
    },
  );

  app.post(
    '/api/account/identity/unlink',
    {
      config: { ...config, idempotent: false },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Unlink the own account at the identity provider; other sessions end',
        tags,
        body: confirmBody,
        response: { 200: done, ...problems(400, 401, 403, 409, 429) },
      },
    },
    async (request, reply) => {
      const { teamId, userId } = ownMember(request);
      await confirmChange(deps, request, { teamId, userId }, request.body);
      const { owner } = found(request.session, 'session_required');
      const ending = await revocationOfOthers(deps, request, { teamId, userId }, [owner.kind]);
      await change(reply, [{ type: 'UnlinkIdentity', data: { teamId, userId }, meta: metaOf(request) }, ...ending]);
      return { success: true as const };
    },
  );
};
