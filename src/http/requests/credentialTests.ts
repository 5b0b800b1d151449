import type { preHandlerHookHandler } from 'fastify';
import type { Quotas } from '../limits.ts';
import { boundBy } from './boundBy.ts';
import type { CountLimit } from './metrics.ts';

/**
 * Rejects, before anything is changed, a request that would test a credential or an identity provider while too many are tested: each
 * holds a connection to another machine for up to five seconds. Throws `too_many_tests`.
 */
export const boundTests = (
  onRejected: CountLimit,
  quotas: Pick<Quotas, 'credentialTests' | 'credentialTestsPerTenant'>,
): preHandlerHookHandler =>
  boundBy({
    ofTenant: { limit: 'credential_tests_per_tenant', each: quotas.credentialTestsPerTenant },
    ofNode: { limit: 'credential_tests', each: quotas.credentialTests },
    problem: 'too_many_tests',
    onRejected,
  });
