import type { preHandlerHookHandler } from 'fastify';
import { actorOf } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';
import type { Quotas } from './limits.ts';
import type { CountLimit } from './metrics.ts';
import { createQuota } from './quota.ts';

/**
 * Rejects, before anything is changed, a request that would test a credential or an identity provider while too many are tested: each
 * holds a connection to another machine for up to five seconds. Throws `too_many_tests`.
 */
export const boundTests = (
  onRejected: CountLimit,
  quotas: Pick<Quotas, 'credentialTests' | 'credentialTestsPerTenant'>,
): preHandlerHookHandler => {
  const ofTenant = createQuota({ each: quotas.credentialTestsPerTenant });
  const everywhere = createQuota({ each: quotas.credentialTests });
  return (request, reply, next) => {
    const one = ofTenant.acquire(actorOf(request.session?.owner).id);
    const two = one && everywhere.acquire('');
    if (!two) {
      one?.();
      onRejected(one ? 'credential_tests' : 'credential_tests_per_tenant');
      return next(new HttpProblem('too_many_tests'));
    }
    reply.raw.once('close', () => {
      one();
      two();
    });
    return next();
  };
};
