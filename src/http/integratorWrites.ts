import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AcceptedOutcome } from '../commands/commandHandler.ts';
import { integratorId as integratorIdOf } from '../contracts/fields.ts';
import type { CreateIntegrator, ServiceIntegrator, UpdateIntegrator } from '../contracts/integrators.ts';
import type { IntegratorId } from '../domain/ids.ts';
import type { IntegratorCommand } from '../domain/integrator/commands.ts';
import type { IntegratorState } from '../domain/integrator/evolve.ts';
import { integratorOwner } from '../security/owner.ts';
import { integratorAsWritten } from './asWritten.ts';
import type { HttpDeps, Settle } from './deps.ts';
import { checkClaim } from './domainClaims.ts';
import { HttpProblem } from './problems/problems.ts';
import { accepted, found, ifMatch, tag } from './replies.ts';
import { metaOf, metaOfRevert, newIdFor } from './requests/meta.ts';
import { expectRecentFor } from './requests/reauthentication.ts';
import { expectTenantRevert } from './tenantReverts.ts';
import { unusedKey } from './unusedKey.ts';

type Deps = HttpDeps & { settle: Settle };

/** A master license key that no service integrator has. */
const unusedMasterKey = ({ keys, systemQueries }: Pick<HttpDeps, 'keys' | 'systemQueries'>): Promise<string> =>
  unusedKey(keys.newMasterLicense, (key) => systemQueries.integrators.byMasterKey(keys.digest(key)));

/** The integrator as the read models show it after a position. */
export const showIntegrator = async (
  { settle }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  integratorId: IntegratorId,
  position: bigint | null,
): Promise<ServiceIntegrator> => {
  request.dataOwner = integratorOwner(integratorId);
  await settle(reply, position);
  const { serviceIntegrator, revision } = found(await request.queries.integrators.get(integratorId), 'integrator_not_found');
  tag(reply, revision);
  return serviceIntegrator;
};

/** Registers an integrator with a new master license key, and shows it. */
export const createIntegratorAccount = async (
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { companyName, contactEmail, billingEmail }: CreateIntegrator,
): Promise<ServiceIntegrator> => {
  const { commands, settle } = deps;
  const integratorId = integratorIdOf.parse(newIdFor(request, 'integrator'));
  const masterLicenseKey = await unusedMasterKey(deps);
  const meta = metaOf(request);
  const outcome = await commands.integrators.handle({
    type: 'RegisterIntegrator',
    data: { integratorId, companyName, contactEmail, billingEmail, masterLicenseKey },
    meta,
  });
  const { position, revision, state } = accepted(outcome);
  request.dataOwner = integratorOwner(integratorId);
  await settle(reply, position);
  reply.code(201);
  const shown = await request.queries.integrators.get(integratorId);
  const isWhole = shown !== null && shown.revision >= revision; // read models that are late may hold its first event only
  tag(reply, isWhole ? shown.revision : revision);
  if (isWhole) return shown.serviceIntegrator;
  if (state.status === 'unregistered' || state.status === 'deleted') throw new HttpProblem('integrator_not_found');
  return integratorAsWritten(state, meta.at);
};

const statusCommand = { active: 'ReactivateIntegrator', suspended: 'SuspendIntegrator', churned: 'ChurnIntegrator' } as const;

/** Changes an integrator: all of the body or nothing. Absent fields are kept. Throws problems. */
export const changeIntegrator = async (
  deps: Deps,
  request: FastifyRequest,
  integratorId: IntegratorId,
  body: Partial<UpdateIntegrator>,
): Promise<AcceptedOutcome<IntegratorState>> => {
  const meta = metaOfRevert(request, body.reverts);
  await expectTenantRevert.integrator(deps, integratorId, body);
  const { companyName, contactEmail, billingEmail, status, reason = null, whiteLabelEnabled, customDomain, logoUrl } = body;
  const { state: now } = await deps.commands.integrators.load(integratorId);
  const before = 'contactEmail' in now ? now.contactEmail : null;
  await expectRecentFor(deps, request, 'contactEmail', { before, after: contactEmail });
  const statusChange: IntegratorCommand[] = status ? [{ type: statusCommand[status], data: { integratorId, reason }, meta }] : [];
  const profile: IntegratorCommand = {
    type: 'ChangeIntegratorProfile',
    data: { integratorId, companyName, contactEmail, billingEmail },
    meta,
  };
  const brand: IntegratorCommand[] = [];
  if (whiteLabelEnabled !== undefined) {
    brand.push({ type: whiteLabelEnabled ? 'EnableWhiteLabel' : 'DisableWhiteLabel', data: { integratorId }, meta });
  }
  if (customDomain !== undefined || logoUrl !== undefined) {
    brand.push({ type: 'ChangeBranding', data: { integratorId, customDomain, logoUrl }, meta });
  }
  // An integrator that churns loses its brand; one that is reactivated may get a new one with the same request.
  const changes = status === 'churned' ? [profile, ...statusChange] : [...statusChange, profile, ...brand];
  if (customDomain && status !== 'churned') await checkClaim({ ...deps, queries: deps.systemQueries }, integratorId, customDomain);
  const outcome = accepted(await deps.commands.integrators.handle(changes, ifMatch(request)));
  const { state } = outcome;
  if ('customDomain' in state) await deps.systemQueries.integrators.startClaim(integratorId, state.customDomain);
  return outcome;
};

/** Gives an integrator a new master license key; a policy ends the sessions of the old one. */
export const rotateMasterKey = async (
  deps: Deps,
  request: FastifyRequest,
  integratorId: IntegratorId,
): Promise<AcceptedOutcome<IntegratorState>> => {
  const masterLicenseKey = await unusedMasterKey(deps);
  const data = { integratorId, masterLicenseKey };
  return accepted(
    await deps.commands.integrators.handle({ type: 'RotateMasterLicenseKey', data, meta: metaOf(request) }, ifMatch(request)),
  );
};
