import type { FastifyRequest } from 'fastify';
import { checkLicenseKey, cliLogin, cliLoginReply, cliSessionReply, cliThemeReply } from '../../contracts/cli.ts';
import { userId as userIdOf } from '../../contracts/fields.ts';
import { done } from '../../contracts/replies.ts';
import { ownUsageQuery, usageReply } from '../../contracts/usage.ts';
import { licenseRefusalOf } from '../../domain/customer/decideUsers.ts';
import { findUser, isRegistered, maySignInOn } from '../../domain/customer/state.ts';
import { teamIdOf } from '../../domain/team/teamId.ts';
import type { HttpDeps, Routes } from '../deps.ts';
import { endLease, expectFreeSeat } from '../floatingSeats.ts';
import { evaluateGuess, right, wrong } from '../guesses.ts';
import { BODY_LIMIT } from '../limits.ts';
import { publicIdOf, requireApproval } from '../machines.ts';
import { admitKey } from '../notices.ts';
import { principalAs } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';
import { found, problems } from '../replies.ts';
import { metaOf, newIdFor } from '../requests/meta.ts';
import type { Counters } from '../requests/metrics.ts';
import { nameAccount } from '../requests/signIns.ts';
import { noteSeatDenial } from '../seatDenials.ts';
import { themeForTerminal } from '../themeChoice.ts';
import { describeTool, signInProblemOf, workable } from '../tool.ts';
import { completeToolSignIn } from '../toolSignIn.ts';
import { answerUsage, USAGE_DESCRIPTION } from '../usage.ts';

const audience = ['cli'] as const;
const tags = ['Command-line tool'];
const KEY_OFF = 'Sign-in with the license key is turned off for this customer. Run latchkey login without a key.';

/** Sessions of the command-line tool. */
export const cliRoutes: Routes<HttpDeps & { counters: Counters }> = (app, deps) => {
  const { sessions, systemQueries, commands, keys, now } = deps;

  /** Finds the customer of a license key within the limits of guesses. Throws if its users may not sign in with it. */
  const customerOfKey = async (request: FastifyRequest, digest: Buffer) => {
    const customer = await evaluateGuess(request, deps, {
      evaluate: async () => {
        const found = await systemQueries.customers.byLicenseKey(digest);
        return found ? right(found) : wrong('unknown_license_key');
      },
    });
    const { customerId } = customer;
    nameAccount(request, { customerId });
    const teamId = teamIdOf({ kind: 'customer', customerId });
    // Before the user is registered and takes a seat; `admitKey` decides.
    const { policy } = (await commands.teams.load(teamId)).state;
    if (policy.keySignIn === 'off') throw new HttpProblem('key_sign_in_off', { text: KEY_OFF });
    return { ...customer, teamId };
  };

  app.post(
    '/api/cli/license-key/check',
    {
      config: { audience: ['public'], idempotent: false, signIn: 'cli', isSignInCheck: true },
      schema: {
        summary: 'Check a license key before the user enters a name and an email address',
        description:
          'Rejects what `POST /api/cli/login` would reject for every user: an unknown key, a suspended or expired license, and a ' +
          'customer without sign-in by key. The limits of sign-ins apply. Nobody is signed in or registered.',
        tags,
        body: checkLicenseKey,
        response: { 200: done, ...problems(400, 401, 403, 429) },
      },
    },
    async (request) => {
      const { customerId } = await customerOfKey(request, keys.digest(request.body.licenseKey));
      const { state } = await commands.customers.load(customerId);
      const refusal = isRegistered(state) ? licenseRefusalOf(state, metaOf(request).at) : 'unknown_license_key';
      if (refusal) throw new HttpProblem(signInProblemOf(refusal));
      return { success: true as const };
    },
  );

  app.post(
    '/api/cli/login',
    {
      bodyLimit: BODY_LIMIT.form,
      config: { audience: ['public'], idempotent: false, signIn: 'cli' },
      schema: {
        summary: 'Sign in a user; the first sign-in registers the user and claims a seat',
        tags,
        body: cliLogin,
        response: { 200: cliLoginReply, ...problems(400, 401, 403, 409, 429) },
      },
    },
    async (request, reply) => {
      const { licenseKey, username, email, machineId, machineName = null } = request.body;
      const digest = keys.digest(licenseKey);
      const { customerId, integratorId, teamId } = await customerOfKey(request, digest);
      const newUserId = userIdOf.parse(newIdFor(request, 'user'));
      const { state: customer } = await commands.customers.load(customerId);
      const known = findUser(customer, { username, email, machineId });
      const meta = metaOf(request, { kind: 'user', id: known?.userId ?? newUserId, method: 'key' });
      if (!known && isRegistered(customer)) {
        await expectFreeSeat(deps, customer, meta).catch((error: unknown) => {
          if (error instanceof HttpProblem) noteSeatDenial(deps, { customerId, userId: undefined, username }, error.code);
          throw error;
        });
      }
      const command = {
        type: 'SignInUser',
        data: { customerId, userId: newUserId, username, email, machineId, machineName },
        meta,
      } as const;
      let outcome = await commands.customers.handle(command);
      if (!outcome.accepted && outcome.refusal === 'machine_approval_required') {
        const { state } = await commands.customers.load(customerId);
        const { userId } = found(findUser(state, command.data), 'machine_approval_required');
        await requireApproval(deps, request, { customerId, userId, machineId, machineName });
        outcome = await commands.customers.handle(command);
      }
      if (!outcome.accepted) {
        const refusal = signInProblemOf(outcome.refusal);
        noteSeatDenial(deps, { customerId, userId: known?.userId, username }, refusal);
        throw new HttpProblem(refusal);
      }
      const { userId } = found(findUser(outcome.state, { username, email, machineId }), 'session_required');
      nameAccount(request, { userId });

      const machine = publicIdOf(userId, machineId);
      const check = async () => {
        const found = workable((await commands.customers.load(customerId)).state, userId);
        if (!maySignInOn(found.customer, found.user, machineId)) throw new HttpProblem('machine_not_approved');
        if (keys.digest(found.customer.licenseKey).compare(digest) !== 0) throw new HttpProblem('unknown_license_key');
        await admitKey(deps, request, teamId);
        return found;
      };
      const owner = { kind: 'cli', userId, customerId, integratorId, machine } as const;
      return completeToolSignIn(deps, request, reply, { owner, method: 'key', check, meta });
    },
  );

  app.post(
    '/api/cli/logout',
    {
      config: { audience, permission: 'ownSession:end', idempotent: false },
      schema: { summary: 'Sign out', tags, response: { 200: done, ...problems(401, 403) } },
    },
    async (request) => {
      const { customerId, userId } = principalAs(request, 'cli');
      await sessions.end({ hash: found(request.session, 'session_required').hash }, 'signed_out');
      // Tools of the user on other machines take a seat again by themselves.
      if ((await systemQueries.customers.recording(customerId)).isFloating)
        await endLease(deps, { customerId, userId }, 'signed_out', metaOf(request));
      return { success: true as const };
    },
  );

  app.post(
    '/api/cli/seat/release',
    {
      config: { audience, permission: 'ownSession:end', idempotent: false },
      schema: {
        summary: 'Give the floating seat of the user back',
        description:
          'The tool stays signed in, and takes a seat again when it is used. Does nothing where seats are named. Refused while an offline license holds the seat.',
        tags,
        response: { 200: done, ...problems(401, 403, 409) },
      },
    },
    async (request, reply) => {
      const { customerId, userId } = principalAs(request, 'cli');
      await deps.settle(reply, await endLease(deps, { customerId, userId }, 'released', metaOf(request)));
      return { success: true as const };
    },
  );

  app.get(
    '/api/cli/session',
    {
      config: { audience, permission: 'ownSession:read' },
      schema: {
        summary: 'Get the signed-in user, customer and seat',
        tags,
        response: { 200: cliSessionReply, ...problems(401, 403) },
      },
    },
    async (request) => ({
      success: true as const,
      ...(await describeTool(
        { ...deps, queries: request.queries },
        principalAs(request, 'cli'),
        new Date(request.receivedAt).toISOString(),
      )),
    }),
  );

  app.get(
    '/api/cli/theme',
    {
      config: { audience, permission: 'themes:read' },
      schema: { summary: 'Get the terminal theme', tags, response: { 200: cliThemeReply, ...problems(401, 403) } },
    },
    async (request) => {
      const { customerId, userId } = principalAs(request, 'cli');
      const { customer } = workable((await commands.customers.load(customerId)).state, userId);
      return { success: true as const, theme: await themeForTerminal(request.queries, customer.theme?.theme ?? null) };
    },
  );

  app.get(
    '/api/cli/usage',
    {
      config: { audience, permission: 'ownUsage:read' },
      schema: {
        summary: 'Get the API usage of the signed-in user',
        description: USAGE_DESCRIPTION,
        tags,
        querystring: ownUsageQuery,
        response: { 200: usageReply, ...problems(400, 401, 403, 503) },
      },
    },
    async (request, reply) => {
      const { customerId, userId } = principalAs(request, 'cli');
      return answerUsage(request, reply, { customerId, userId }, request.query, now(), deps);
    },
  );
};
