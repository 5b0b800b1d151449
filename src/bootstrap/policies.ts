import type { Logger } from 'pino';
import {
  auditLogProbe,
  databaseProbe,
  eventStoreProbe,
  examine,
  policyProbe,
  projectionProbes,
  roundTrip,
} from '../http/health.ts';
import { publicIdOf } from '../http/machines.ts';
import { forgetRepliesOf } from '../http/requests/idempotency.ts';
import { createSmtpSender } from '../outbound/smtp.ts';
import type { VerifyDomain } from '../outbound/verifyDomain.ts';
import { abandonHalfEnrolments } from '../policies/abandonHalfEnrolments.ts';
import { advanceTerms } from '../policies/advanceTerms.ts';
import { measuring } from '../policies/alerts/measure.ts';
import { watchAlerts } from '../policies/alerts/watchAlerts.ts';
import { announceCallQuotas } from '../policies/announceCallQuotas.ts';
import { brands } from '../policies/emails/brand.ts';
import { sendEmails } from '../policies/emails/sendEmails.ts';
import { endSeatLeases } from '../policies/endSeatLeases.ts';
import { endSessions } from '../policies/endSessions.ts';
import { policyFailures } from '../policies/engine/failures.ts';
import { createPolicyRunner, type PolicyRunner } from '../policies/engine/runner.ts';
import { eraseDeletedCustomers } from '../policies/eraseDeletedCustomers.ts';
import { eraseDeletedIntegrators } from '../policies/eraseDeletedIntegrators.ts';
import { eraseMembers } from '../policies/eraseMembers.ts';
import { expireCredentials } from '../policies/expireCredentials.ts';
import { fallBackFromDeletedThemes } from '../policies/fallBackFromDeletedThemes.ts';
import { finishMoves } from '../policies/finishMoves.ts';
import { followUsers } from '../policies/followUsers.ts';
import { forgetSignIns } from '../policies/forgetSignIns.ts';
import { releaseIdleSeats } from '../policies/releaseIdleSeats.ts';
import { revokeApiTokens } from '../policies/revokeApiTokens.ts';
import { watchDomains } from '../policies/watchDomains.ts';
import { forgetCallClaims } from '../projections/callQuotas/claims.ts';
import { idleSeatsOf } from '../projections/seats/idle.ts';
import { forgetApiTokenUses } from '../security/apiTokenUses.ts';
import { integratorOwner, type Owner, signInDayOwner } from '../security/owner.ts';
import type { Config } from './config.ts';
import type { Product } from './product.ts';
import { VERSION } from './version.ts';

/** The health checks that every node can run, and that alert rules count. */
const checksOf = ({ db, events, vault, queries, auditLog, now }: Product, log: Logger) => {
  const probes = {
    database: databaseProbe(db),
    eventStore: eventStoreProbe(events),
    vault: roundTrip(() => vault.check()),
    policies: policyProbe(() => policyFailures(db)),
    auditLog: auditLogProbe(auditLog.status, now),
    ...projectionProbes(queries, now),
  };
  const onError = (err: unknown): void => log.warn({ err }, 'a health check failed');
  return async () => (await examine(probes, { uptime: 0, version: VERSION, onError })).checks;
};

/** Sessions live on every api node and end over the database; everything else a policy does is a command. */
export const startPolicies = async (
  product: Product,
  {
    config: { email, productName },
    verifyDomain,
    log,
  }: { config: Pick<Config, 'email' | 'productName'>; verifyDomain: VerifyDomain; log: Logger },
): Promise<PolicyRunner> => {
  const {
    commands,
    events,
    vault,
    db,
    pool,
    seatUses,
    sessions,
    passkeys,
    apiTokens,
    emailDomains,
    queries,
    signInLocations,
    signInRetentionDays,
    secretFor,
    fingerprint,
    now,
    newId,
    random,
  } = product;
  const erase = async (owner: Owner): Promise<void> => {
    await vault.destroy(owner);
    await forgetRepliesOf(db, owner);
  };
  const runner = createPolicyRunner({
    policies: [
      abandonHalfEnrolments({ commands }),
      advanceTerms({ commands }),
      announceCallQuotas({ commands, callQuotas: queries.callQuotas }),
      endSeatLeases({ commands, seatUses }),
      endSessions({ sessions, publicMachineIdOf: publicIdOf }),
      eraseDeletedCustomers({
        commands,
        events,
        destroyKey: erase,
        forgetClaims: (customerId) => forgetCallClaims(db, customerId),
      }),
      eraseDeletedIntegrators({ destroyKey: (integratorId) => erase(integratorOwner(integratorId)) }),
      eraseMembers({
        teamOf: async (teamId) => (await commands.teams.load(teamId)).state,
        destroyKey: erase,
        forgetTokenUses: (teamId) => forgetApiTokenUses(db, teamId),
        forgetSignInLocations: signInLocations.forget,
        forgetPasskeyUses: passkeys.forget,
        releaseDomains: (teamId) => emailDomains.keepOnly(teamId, []),
        forgetClients: (match) => sessions.eraseClients(match),
        forgetReplies: (owner) => forgetRepliesOf(db, owner),
      }),
      expireCredentials({ commands }),
      fallBackFromDeletedThemes({ commands }),
      finishMoves({ commands }),
      followUsers({ commands }),
      releaseIdleSeats({ commands, idleSeats: (...asked) => idleSeatsOf(db, ...asked) }),
      revokeApiTokens({ commands, apiTokens }),
      forgetSignIns({
        events,
        destroyKey: async (day) => {
          await vault.destroy(signInDayOwner(day));
          await vault.destroyAll(signInDayOwner(''), signInDayOwner(day));
        },
        retentionDays: signInRetentionDays,
      }),
      sendEmails({
        send: email && createSmtpSender(email.server, email),
        commands,
        events,
        brandOf: brands({ productName, origin: email?.origin ?? '', integrators: queries.integrators, commands }),
        invitationSecret: secretFor('invitations v1'),
        fingerprint,
        random,
      }),
      watchAlerts({ commands, measure: measuring({ queries, checks: checksOf(product, log) }) }),
      watchDomains({ integrators: queries.integrators, commands, verifyDomain }),
    ],
    events,
    db,
    pool,
    now,
    newId,
    random,
    onError: (policy, err) => log.warn({ err, policy }, 'A policy failed; retrying'),
  });
  await runner.start();
  return runner;
};
