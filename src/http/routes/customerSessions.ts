import { customerLogin, customerLoginReply, customerSessionReply } from '../../contracts/auth.ts';
import { done } from '../../contracts/replies.ts';
import { type CustomerState, isRegistered } from '../../domain/customer/state.ts';
import { teamIdOf } from '../../domain/team/teamId.ts';
import { networksOf } from '../../security/clientNetworks.ts';
import { completeSignIn } from '../completeSignIn.ts';
import type { Routes } from '../deps.ts';
import { evaluateGuess, right, wrong } from '../guesses.ts';
import { admitKey } from '../notices.ts';
import { grantsOf, principalAs, shownMember } from '../principal.ts';
import { HttpProblem, type ProblemCode } from '../problems/problems.ts';
import { found, problems, tag } from '../replies.ts';
import { forgetSite } from '../requests/securityHeaders.ts';
import { nameAccount } from '../requests/signIns.ts';

/** Why a customer may not hold the session that its key and the password of `verifiedHash` opened; null where it may. */
const refusalOf = (
  state: CustomerState,
  verifiedHash: string | null,
  isItsKey: (licenseKey: string) => boolean,
): ProblemCode | null => {
  if (!isRegistered(state) || !isItsKey(state.licenseKey)) return 'unknown_license_key';
  if (state.passwordHash !== null && state.passwordHash !== verifiedHash) return 'password_required';
  if (state.status === 'suspended') return 'customer_suspended';
  return state.status === 'churned' ? 'customer_churned' : null;
};

/**
 * Customers sign in with their license key, and with their password where they have set one, and send their token with every call.
 */
export const customerSessionRoutes: Routes = (app, deps) => {
  const { sessions, passwords, systemQueries, commands, keys } = deps;

  app.post(
    '/api/auth/customer/login',
    {
      config: { audience: ['public'], idempotent: false, signIn: 'customer' },
      schema: {
        summary: 'Sign in as customer',
        tags: ['Sessions'],
        body: customerLogin,
        response: { 200: customerLoginReply, ...problems(400, 401, 403, 429) },
      },
    },
    async (request) => {
      const { licenseKey, password } = request.body;
      const digest = keys.digest(licenseKey);
      const { account, passwordHash, isPasswordMissing } = await evaluateGuess(request, deps, {
        evaluate: async () => {
          const account = await systemQueries.customers.byLicenseKey(digest);
          if (account === null) return wrong('unknown_license_key');
          nameAccount(request, { customerId: account.customerId });
          const { state } = await commands.customers.load(account.customerId);
          const passwordHash = 'passwordHash' in state ? state.passwordHash : null;
          if (passwordHash === null || password === undefined) {
            return right({ account, passwordHash, isPasswordMissing: passwordHash !== null });
          }
          const isRight = await passwords.verify(passwordHash, password, networksOf(request.ip).address);
          return isRight ? right({ account, passwordHash, isPasswordMissing: false }) : wrong('wrong_password');
        },
      });
      if (isPasswordMissing) throw new HttpProblem('password_required');
      const { customerId, integratorId } = account;
      const check = async (): Promise<void> => {
        const { state } = await commands.customers.load(customerId);
        const refusal = refusalOf(state, passwordHash, (key) => keys.digest(key).compare(digest) === 0);
        if (refusal) throw new HttpProblem(refusal);
        await admitKey(deps, request, teamIdOf({ kind: 'customer', customerId }));
      };
      const owner = { kind: 'customer', customerId, integratorId } as const;
      const method = passwordHash === null ? 'key' : 'portal_password';
      const { token, session } = await completeSignIn(deps, request, { owner, method, check });
      const { customer } = found(await systemQueries.customers.get(customerId), 'unknown_license_key');
      return { success: true as const, token, customer, ...grantsOf(session, null) };
    },
  );

  app.post(
    '/api/auth/customer/logout',
    {
      config: { audience: ['customer'], permission: 'ownSession:end', idempotent: false },
      schema: { summary: 'Sign out', tags: ['Sessions'], response: { 200: done, ...problems(401, 403) } },
    },
    async (request, reply) => {
      await sessions.end({ hash: found(request.session, 'session_required').hash }, 'signed_out');
      forgetSite(reply);
      return { success: true as const };
    },
  );

  app.get(
    '/api/auth/customer/session',
    {
      config: { audience: ['customer'], permission: 'ownSession:read' },
      schema: { summary: 'Get the session', tags: ['Sessions'], response: { 200: customerSessionReply, ...problems(401, 403) } },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      const { customer, revision } = found(await request.queries.customers.get(customerId), 'session_required');
      tag(reply, revision);
      const session = found(request.session, 'session_required');
      return {
        success: true as const,
        customer,
        ...grantsOf(session, (await shownMember(request, request.queries))?.name ?? null),
      };
    },
  );
};
