import { timingSafeEqual } from 'node:crypto';
import { profileReply } from '../../contracts/customers.ts';
import { changePassword, updateProfile } from '../../contracts/profile.ts';
import { done } from '../../contracts/replies.ts';
import { instancesReply, ownUsageQuery, usageQuery, usageReply } from '../../contracts/usage.ts';
import { isRegistered } from '../../domain/customer/state.ts';
import { expectRecentForCustomer, showCustomer } from '../customerWrites.ts';
import type { Routes } from '../deps.ts';
import { evaluateGuess, right, wrong } from '../guesses.ts';
import { answerInstances } from '../instances.ts';
import { BODY_LIMIT } from '../limits.ts';
import { FILE_DESCRIPTION } from '../listExport.ts';
import { principalAs } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';
import { accepted, found, ifMatch, problems, tag } from '../replies.ts';
import { metaOf } from '../requests/meta.ts';
import { answerUsage, USAGE_DESCRIPTION } from '../usage.ts';

const audience = ['customer'] as const;
const tags = ['Customer account'];

/** A customer's own account. */
export const customerAccountRoutes: Routes = (app, deps) => {
  const { commands, settle, sessions, passwords, keys, now } = deps;

  app.get(
    '/api/customer/profile',
    {
      config: { audience, permission: 'profile:read' },
      schema: { summary: 'Get the profile', tags, response: { 200: profileReply, ...problems(401, 403) } },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      const { customer, revision } = found(await request.queries.customers.get(customerId), 'session_required');
      tag(reply, revision);
      return { success: true as const, profile: customer };
    },
  );

  app.put(
    '/api/customer/profile',
    {
      config: { audience, permission: 'settings:write', reauthentication: 'contactEmail' },
      bodyLimit: BODY_LIMIT.form,
      schema: {
        summary: 'Update name, email address and company',
        tags,
        body: updateProfile,
        response: { 200: profileReply, ...problems(400, 401, 403, 412) },
      },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      const { name, contactEmail, company } = request.body;
      await expectRecentForCustomer(deps, request, customerId, contactEmail);
      const command = {
        type: 'ChangeCustomerDetails',
        data: { customerId, name, contactEmail, company },
        meta: metaOf(request),
      } as const;
      const { position } = accepted(await commands.customers.handle(command, ifMatch(request)));
      return { success: true as const, profile: await showCustomer(deps, request, reply, customerId, position) };
    },
  );

  app.post(
    '/api/customer/change-password',
    {
      config: { audience, permission: 'password:change' },
      schema: {
        summary: "Change the password and end the customer's other sessions by key",
        tags,
        body: changePassword,
        response: { 200: done, ...problems(400, 401, 403, 429) },
      },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      const { currentPassword, newPassword } = request.body;
      const { state } = await commands.customers.load(customerId);
      if (!isRegistered(state)) throw new HttpProblem('session_required');
      const { passwordHash, licenseKey } = state;
      await evaluateGuess(request, deps, {
        kind: 'password',
        bucket: `password:${customerId}`,
        evaluate: async () => {
          const isRight =
            passwordHash === null
              ? timingSafeEqual(keys.digest(currentPassword), keys.digest(licenseKey))
              : await passwords.verify(passwordHash, currentPassword, customerId);
          return isRight ? right(true) : wrong('wrong_current_password');
        },
      });
      const { name, contactEmail, company } = state;
      const context = [name, contactEmail, company ?? '', licenseKey, deps.settings.productName];
      if (await passwords.isGuessable(newPassword, context)) {
        const refusal = new HttpProblem('password_too_weak');
        throw new HttpProblem('password_too_weak', { issues: [{ path: 'newPassword', message: refusal.message }] });
      }
      const { hash } = found(request.session, 'session_required');
      const newHash = await passwords.hash(newPassword);
      // Before the change too, so that no session outlives the former password should the process be killed in between.
      const endOthers = () => sessions.end({ customerId, kind: 'customer', isByKey: true, except: hash }, 'password_changed');
      await endOthers();
      const outcome = await commands.customers.handle({
        type: 'ChangePassword',
        data: { customerId, passwordHash: newHash, verifiedAgainst: passwordHash },
        meta: metaOf(request),
      });
      const { position } = accepted(outcome);
      await endOthers();
      await settle(reply, position);
      return { success: true as const };
    },
  );

  app.get(
    '/api/customer/usage',
    {
      config: { audience, permission: 'usage:read' },
      schema: {
        summary: 'Get the API usage',
        description: USAGE_DESCRIPTION,
        tags,
        querystring: usageQuery,
        response: { 200: usageReply, ...problems(400, 401, 403, 503) },
      },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      return answerUsage(request, reply, { customerId }, request.query, now(), deps);
    },
  );

  app.get(
    '/api/customer/own-usage',
    {
      config: { audience, permission: 'ownUsage:read' },
      schema: {
        summary: 'Get the API usage of the named user of the session',
        description: USAGE_DESCRIPTION,
        tags,
        querystring: ownUsageQuery,
        response: { 200: usageReply, ...problems(400, 401, 403, 503) },
      },
    },
    async (request, reply) => {
      const { customerId, userId } = principalAs(request, 'customer');
      const user = { customerId, userId: found(userId, 'member_required') };
      return answerUsage(request, reply, user, request.query, now(), deps);
    },
  );

  app.get(
    '/api/customer/instances',
    {
      config: { audience, permission: 'usage:read' },
      schema: {
        summary: 'List the called instances',
        description: FILE_DESCRIPTION,
        tags,
        response: { 200: instancesReply, ...problems(401, 403) },
      },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      return answerInstances(request, reply, customerId);
    },
  );

  const deletion = { 200: profileReply, ...problems(400, 401, 403, 412) };
  for (const [method, type, summary, asks] of [
    ['POST', 'RequestAccountDeletion', 'Request account deletion', { reauthentication: true }],
    ['DELETE', 'WithdrawAccountDeletion', 'Withdraw the account deletion request', {}],
  ] as const) {
    app.route({
      method,
      url: '/api/customer/request-deletion',
      config: { audience, permission: 'account:delete', ...asks },
      schema: { summary, tags, response: deletion },
      handler: async (request, reply) => {
        const { customerId } = principalAs(request, 'customer');
        const { position } = accepted(
          await commands.customers.handle({ type, data: { customerId }, meta: metaOf(request) }, ifMatch(request)),
        );
        return { success: true as const, profile: await showCustomer(deps, request, reply, customerId, position) };
      },
    });
  }
};
