import type { Logger } from 'pino';
import { abandonHalfEnrolments } from '../commands/policies/abandonHalfEnrolments.ts';
import { eraseDeletedCustomers } from '../commands/policies/eraseDeletedCustomers.ts';
import { eraseDeletedIntegrators } from '../commands/policies/eraseDeletedIntegrators.ts';
import { expireCredentials } from '../commands/policies/expireCredentials.ts';
import { fallBackFromDeletedThemes } from '../commands/policies/fallBackFromDeletedThemes.ts';
import { forgetSignIns } from '../commands/policies/forgetSignIns.ts';
import { createPolicyRunner, type PolicyRunner } from '../commands/policies/runner.ts';
import type { ProveDomain } from '../http/customDomains/proof.ts';
import { watchDomains } from '../http/customDomains/watchDomains.ts';
import { endSessions } from '../http/endSessions.ts';
import { forgetRepliesOf } from '../http/requests/idempotency.ts';
import { customerOwner, integratorOwner, type Owner, signInDayOwner } from '../security/owner.ts';
import type { Product } from './product.ts';

/** Sessions live on every api node and end over the database; everything else a policy does is a command. */
export const startPolicies = (product: Product, { proveDomain, log }: { proveDomain: ProveDomain; log: Logger }): PolicyRunner => {
  const { dispatch, events, vault, db, pool, sessions, queries, now, newId, random } = product;
  const erase = async (owner: Owner): Promise<void> => {
    await vault.destroy(owner);
    await forgetRepliesOf(db, owner);
  };
  const runner = createPolicyRunner({
    policies: [
      abandonHalfEnrolments({ dispatch }),
      endSessions({ sessions }),
      eraseDeletedCustomers({ dispatch, events, destroyKey: (customerId) => erase(customerOwner(customerId)) }),
      eraseDeletedIntegrators({ destroyKey: (integratorId) => erase(integratorOwner(integratorId)) }),
      expireCredentials({ dispatch }),
      fallBackFromDeletedThemes({ dispatch }),
      forgetSignIns({ events, destroyKey: (day) => vault.destroy(signInDayOwner(day)) }),
      watchDomains({ integrators: queries.integrators, dispatch, prove: proveDomain }),
    ],
    events,
    db,
    pool,
    now,
    newId,
    random,
    onError: (policy, err) => log.warn({ err, policy }, 'A policy failed; retrying'),
  });
  runner.start();
  return runner;
};
