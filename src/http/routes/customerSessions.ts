import { customerLogin, customerLoginReply, customerSessionReply } from '../../contracts/auth.ts';
import { done } from '../../contracts/replies.ts';
import type { Routes } from '../deps.ts';
import { principalAs } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';
import { found, problems, tag } from '../replies.ts';
import { withinBudget } from './signIn.ts';

/** Customers sign in with their license key and send their token with every call. */
export const customerSessionRoutes: Routes = (app, { sessions, budget, queries, dispatch, keys }) => {
  app.post(
    '/api/auth/customer/login',
    {
      config: { audience: ['public'], idempotent: false },
      schema: {
        summary: 'Sign in as customer',
        tags: ['Sessions'],
        body: customerLogin,
        response: { 200: customerLoginReply, ...problems(400, 401, 403, 429) },
      },
    },
    async (request) => {
      const { customerId, integratorId } = await withinBudget(request, budget, {
        wrong: 'unknown_license_key',
        attempt: () => queries.customers.byLicenseKey(keys.digest(request.body.licenseKey)),
      });
      const { token, session } = await sessions.open({ kind: 'customer', customerId, integratorId });
      // Asked of the write side, and after the session is there: a suspension either is seen here or ends the session.
      const { state } = await dispatch.load('customer', customerId);
      if (state.status !== 'active' || keys.digest(state.licenseKey).compare(keys.digest(request.body.licenseKey)) !== 0) {
        await sessions.end({ hash: session.hash }, 'signed_out');
        if (state.status === 'suspended') throw new HttpProblem('customer_suspended');
        throw new HttpProblem(state.status === 'churned' ? 'customer_churned' : 'unknown_license_key');
      }
      const { customer } = found(await queries.customers.get(customerId), 'unknown_license_key');
      return { success: true as const, token, customer };
    },
  );

  app.post(
    '/api/auth/customer/logout',
    {
      config: { audience: ['customer'], idempotent: false },
      schema: { summary: 'Sign out', tags: ['Sessions'], response: { 200: done, ...problems(401, 403) } },
    },
    async (request) => {
      await sessions.end({ hash: found(request.session, 'session_required').hash }, 'signed_out');
      return { success: true as const };
    },
  );

  app.get(
    '/api/auth/customer/session',
    {
      config: { audience: ['customer'] },
      schema: { summary: 'The session', tags: ['Sessions'], response: { 200: customerSessionReply, ...problems(401, 403) } },
    },
    async (request, reply) => {
      const { customerId } = principalAs(request, 'customer');
      const { customer, revision } = found(await queries.customers.get(customerId), 'session_required');
      tag(reply, revision);
      return { success: true as const, customer };
    },
  );
};
