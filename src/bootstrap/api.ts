import { fileURLToPath } from 'node:url';
import { recordUserActivity } from '../commands/activity.ts';
import { customerAsOf, customerChange, integratorAsOf, tenantChanges } from '../commands/asOf.ts';
import { seatUse } from '../commands/seatUse.ts';
import { tenantKindOf } from '../domain/team/teamId.ts';
import { createApp } from '../http/app.ts';
import type { App, HttpDeps, HttpSettings } from '../http/deps.ts';
import { auditLogProbe, diskProbe, emailProbe, eventStoreProbe, policyProbe, rolesProbe, roundTrip } from '../http/health.ts';
import type { Quotas } from '../http/limits.ts';
import { createConnections } from '../live/connections.ts';
import { serveLive } from '../live/live.ts';
import { probeCredential } from '../outbound/credentialProbe.ts';
import type { ResolveTxt } from '../outbound/domainVerification.ts';
import { fetchLogo } from '../outbound/logo.ts';
import { createOpenId } from '../outbound/openId.ts';
import type { VerifyDomain } from '../outbound/verifyDomain.ts';
import { emailDomainVerifier } from '../outbound/verifyEmailDomain.ts';
import { invitationEmails, outboxCounts } from '../policies/emails/outbox.ts';
import { policyFailures } from '../policies/engine/failures.ts';
import { listenForChanges } from '../projections/engine/changes.ts';
import type { ReadPosition } from '../projections/engine/readPosition.ts';
import { adminKeyOf } from '../security/adminKey.ts';
import { createDeviceRequests } from '../security/deviceRequests.ts';
import { newLicenseKey, newMasterLicenseKey } from '../security/keys.ts';
import { createOpenIdStates } from '../security/openIdStates.ts';
import type { Config } from './config.ts';
import type { EmbeddedStores } from './embeddedStores.ts';
import type { Product } from './product.ts';
import { retireAdminKey } from './retireAdminKey.ts';
import { VERSION } from './version.ts';

const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url));

/**
 * Creates the API with the live feed; it does not listen yet. `say` gets lines for the operator. `renderMetrics` resolves to the text of
 * `/metrics`.
 */
export const createApi = async (
  config: Config,
  product: Product,
  {
    stores,
    waitUntil,
    verifyDomain,
    resolveTxt,
    quotas,
    logoRoots,
    say,
  }: {
    stores: EmbeddedStores;
    waitUntil: ReadPosition['waitUntil'];
    verifyDomain: VerifyDomain;
    resolveTxt: ResolveTxt;
    quotas: Partial<Quotas>;
    logoRoots: string | undefined;
    say: (line: string) => void;
  },
): Promise<{ app: App; renderMetrics: () => Promise<string> }> => {
  const { db, notices, passwords, events, emailDomains, node, newId } = product;
  const allow = config.credentialTestAllow.map(([address, bits]) => `${address}/${bits}`);
  const adminKey = adminKeyOf({ db, passwords, prefix: config.keyPrefix, given: config.adminKey });
  const generated = await adminKey.ensure(() => retireAdminKey(product));
  if (generated) say(`Admin key (shown only once, keep it safe): ${generated}`);
  const settings: HttpSettings = {
    productName: config.productName,
    keyPrefix: config.keyPrefix,
    portalHost: config.portalHost,
    adminEmail: config.adminEmail,
    sendsEmails: config.email !== null,
    signInRetentionDays: config.signInRetentionDays,
    publicOrigins: config.publicOrigins,
    hosts: [config.host],
    trustProxy: config.trustProxy,
    version: VERSION,
    metricsToken: config.metricsToken,
    apiDocs: config.apiDocs,
    webRoot: WEB_ROOT,
    logLevel: config.logLevel,
  };
  const deps: HttpDeps = {
    settings,
    ...product,
    systemQueries: product.queries,
    waitUntil,
    listenForChanges: (onChanges) => listenForChanges(notices, onChanges),
    seatUse: (...asked) => seatUse(events, ...asked),
    customerAsOf: (customerId, at) => customerAsOf(events, customerId, at),
    integratorAsOf: (integratorId, at) => integratorAsOf(events, integratorId, at),
    customerChange: (customerId, eventId) => customerChange(events, customerId, eventId),
    tenantChanges: tenantChanges(events),
    recordUserActivity: (...rest) => recordUserActivity(events, ...rest),
    verifyAdminKey: adminKey.verify,
    testCredential: (credential) => probeCredential(credential, { allow, clock: () => performance.now() }),
    verifyDomain,
    emailDomains,
    verifyEmailDomain: emailDomainVerifier({
      domains: { ...emailDomains, holderOf: (teamId, domain) => emailDomains.holderOf(tenantKindOf(teamId), domain) },
      resolveTxt,
    }),
    openId: createOpenId({ allow, now: product.now }),
    openIdStates: createOpenIdStates({ db, key: product.secretFor('openid states v1'), now: product.now }),
    deviceRequests: createDeviceRequests({ db, key: product.secretFor('device requests v1'), now: product.now }),
    quotas,
    fetchLogo: (url) => fetchLogo(url, { allow, ca: logoRoots }),
    keys: {
      newLicense: (tier) => newLicenseKey(config.keyPrefix, tier),
      newMasterLicense: () => newMasterLicenseKey(config.keyPrefix),
      digest: product.digest,
    },
    storedAt: events.storedAt,
    downloadSecret: product.secretFor('downloads v1'),
    replySecret: product.secretFor('idempotency replies v1'),
    outboxCounts: () => outboxCounts(db),
    invitationEmails: (teamId) => invitationEmails(db, teamId),
    invitationSecret: product.secretFor('invitations v1'),
    probes: {
      eventStore: eventStoreProbe(events),
      databaseRoles: rolesProbe(
        product.roleFindings
          .filter(({ code }) => code !== 'no_owner' || config.roles.has('projector'))
          .map(({ message }) => message),
      ),
      vault: roundTrip(() => product.vault.check()),
      policies: policyProbe(() => policyFailures(db)),
      auditLog: auditLogProbe(product.auditLog.status, product.now),
      ...(config.email && { emails: emailProbe(() => outboxCounts(db)) }),
      ...(stores.names.length > 0 && { disk: diskProbe(config.dataDir) }),
    },
    newId,
  };
  return createApp(deps, (app, edge) => {
    const onError = (error: unknown): void => app.log.error({ err: error }, 'background');
    return serveLive(app, { ...edge, connections: createConnections({ db, notices, node, onError }) });
  });
};
