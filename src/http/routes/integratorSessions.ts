import { integratorLogin, integratorLoginReply, integratorSessionReply } from '../../contracts/auth.ts';
import { done } from '../../contracts/replies.ts';
import { teamIdOf } from '../../domain/team/teamId.ts';
import { completeSignIn } from '../completeSignIn.ts';
import type { Routes } from '../deps.ts';
import { evaluateGuess, right, wrong } from '../guesses.ts';
import { integratorRefusal } from '../memberSignIn.ts';
import { admitKey } from '../notices.ts';
import { grantsOf, principalAs, shownMember } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';
import { found, problems, tag } from '../replies.ts';
import { forgetSite } from '../requests/securityHeaders.ts';
import { nameAccount } from '../requests/signIns.ts';

/** Service integrators sign in with their master license key and send their token with every call. */
export const integratorSessionRoutes: Routes = (app, deps) => {
  const { sessions, systemQueries, commands, keys } = deps;

  app.post(
    '/api/auth/service-integrator/login',
    {
      config: { audience: ['public'], idempotent: false, signIn: 'integrator' },
      schema: {
        summary: 'Sign in as service integrator',
        tags: ['Sessions'],
        body: integratorLogin,
        response: { 200: integratorLoginReply, ...problems(400, 401, 403, 429) },
      },
    },
    async (request) => {
      const digest = keys.digest(request.body.masterLicenseKey);
      const { integratorId } = await evaluateGuess(request, deps, {
        evaluate: async () => {
          const integrator = await systemQueries.integrators.byMasterKey(digest);
          return integrator ? right(integrator) : wrong('unknown_master_license_key');
        },
      });
      nameAccount(request, { integratorId });
      const check = async (): Promise<void> => {
        const refusal = await integratorRefusal(deps, integratorId, 'unknown_master_license_key');
        if (refusal) throw new HttpProblem(refusal);
        const { state } = await commands.integrators.load(integratorId);
        const isItsKey = state.status === 'active' && keys.digest(state.masterLicenseKey).compare(digest) === 0;
        if (!isItsKey) throw new HttpProblem('unknown_master_license_key');
        await admitKey(deps, request, teamIdOf({ kind: 'integrator', integratorId }));
      };
      const owner = { kind: 'integrator', integratorId } as const;
      const { token, session } = await completeSignIn(deps, request, { owner, method: 'key', check });
      const { serviceIntegrator } = found(await systemQueries.integrators.get(integratorId), 'unknown_master_license_key');
      return { success: true as const, token, serviceIntegrator, ...grantsOf(session, null) };
    },
  );

  app.post(
    '/api/auth/service-integrator/logout',
    {
      config: { audience: ['integrator'], permission: 'ownSession:end', idempotent: false },
      schema: { summary: 'Sign out', tags: ['Sessions'], response: { 200: done, ...problems(401, 403) } },
    },
    async (request, reply) => {
      await sessions.end({ hash: found(request.session, 'session_required').hash }, 'signed_out');
      forgetSite(reply);
      return { success: true as const };
    },
  );

  app.get(
    '/api/auth/service-integrator/session',
    {
      config: { audience: ['integrator'], permission: 'ownSession:read' },
      schema: { summary: 'Get the session', tags: ['Sessions'], response: { 200: integratorSessionReply, ...problems(401, 403) } },
    },
    async (request, reply) => {
      const { integratorId } = principalAs(request, 'integrator');
      const { serviceIntegrator, revision } = found(await request.queries.integrators.get(integratorId), 'session_required');
      tag(reply, revision);
      const session = found(request.session, 'session_required');
      return {
        success: true as const,
        serviceIntegrator,
        ...grantsOf(session, (await shownMember(request, request.queries))?.name ?? null),
      };
    },
  );
};
