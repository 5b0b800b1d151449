import { z } from 'zod';
import { userId } from '../../contracts/fields.ts';
import { issueOfflineLicense, offlineLicenseReply, signingKeySet } from '../../contracts/offlineLicenses.ts';
import { customerOwner } from '../../security/owner.ts';
import type { App, HttpDeps, Settle } from '../deps.ts';
import { ownUserOf } from '../machineChanges.ts';
import { answerOfflineLicense } from '../offlineLicenses.ts';
import { visibleUser } from '../ownership.ts';
import { problems } from '../replies.ts';

const tags = ['Offline licenses'];
/** How long caches may keep the public keys, in seconds: a rotated key is found after that. */
const KEYS_MAX_AGE_S = 60;

const issue = {
  summary: 'Issue an offline license for a machine of a user',
  description:
    'A compact JWS by which `latchkey` proves the license on that machine without a connection. It is valid for as many days as the plan of the license says, else 7, and no longer than ' +
    'the license. A request within an hour for the same machine gets the same one again.',
  tags,
  body: issueOfflineLicense,
  response: { 200: offlineLicenseReply, ...problems(400, 401, 403, 404, 409) },
};

/** Offline licenses of users, and the public keys that verify them. */
export const offlineLicenseRoutes = (app: App, deps: HttpDeps & { settle: Settle }): void => {
  for (const [prefix, audience] of [
    ['/api', ['customer', 'integrator']],
    ['/api/admin', ['admin']],
  ] as const) {
    app.post(
      `${prefix}/users/:userId/offline-licenses`,
      {
        config: { audience, permission: 'machines:approve', idempotent: false },
        schema: { ...issue, params: z.strictObject({ userId }) },
      },
      async (request, reply) =>
        answerOfflineLicense(deps, request, reply, await visibleUser(request, request.params.userId), request.body),
    );
  }

  for (const [prefix, audience] of [
    ['/api/cli', ['cli']],
    ['/api/customer', ['customer']],
  ] as const) {
    app.post(
      `${prefix}/offline-licenses`,
      {
        config: { audience, permission: 'ownMachines:approve', idempotent: false },
        schema: { ...issue, summary: 'Issue an offline license for a machine of the signed-in user' },
      },
      async (request, reply) => {
        const owner = await ownUserOf(deps, request, { asSignedIn: true });
        request.dataOwner = customerOwner(owner.customerId);
        return answerOfflineLicense(deps, request, reply, owner, request.body);
      },
    );
  }

  app.get(
    '/.well-known/jwks.json',
    {
      config: { audience: ['public'] },
      schema: {
        summary: 'Get the public keys that verify offline licenses and statements of usage, the active one first',
        tags,
        response: { 200: signingKeySet },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${KEYS_MAX_AGE_S}`);
      return { keys: await deps.signingKeys.publicKeys() };
    },
  );
};
