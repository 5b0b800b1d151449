import { accept, type Decider, type Decision, refuse } from '../decider.ts';
import type { CustomerId } from '../ids.ts';
import type {
  BeginCustomerMove,
  ChangeBranding,
  ChangeIntegratorProfile,
  ClaimExternalId,
  EnrolCustomer,
  IntegratorCommand,
  RegisterIntegrator,
  ReleaseExternalId,
  RotateMasterLicenseKey,
} from './commands.ts';
import type { BrandingChanged, ExternalIdClaimed, IntegratorEvent } from './events.ts';
import { evolve, type Integrator, type IntegratorState } from './evolve.ts';

/** Why a command to a service integrator is refused. */
export type IntegratorRefusal =
  | 'integrator_not_found'
  | 'integrator_deleted'
  | 'integrator_churned'
  | 'integrator_not_active'
  | 'integrator_has_customers'
  | 'external_id_taken';

type Decided<E extends IntegratorEvent = IntegratorEvent> = Decision<E, IntegratorRefusal>;

const register = ({ data }: RegisterIntegrator): Decided =>
  accept<IntegratorEvent>(
    {
      type: 'IntegratorRegistered',
      data: {
        integratorId: data.integratorId,
        companyName: data.companyName,
        contactEmail: data.contactEmail,
        billingEmail: data.billingEmail,
      },
    },
    { type: 'MasterLicenseIssued', data: { masterLicenseKey: data.masterLicenseKey } },
  );

const changeProfile = ({ data }: ChangeIntegratorProfile, integrator: Integrator): Decided => {
  const companyName = data.companyName ?? integrator.companyName;
  const contactEmail = data.contactEmail ?? integrator.contactEmail;
  const billingEmail = data.billingEmail ?? integrator.billingEmail;
  const same =
    companyName === integrator.companyName && contactEmail === integrator.contactEmail && billingEmail === integrator.billingEmail;
  return same ? accept() : accept({ type: 'IntegratorProfileChanged', data: { companyName, contactEmail, billingEmail } });
};

const branding = (integrator: Integrator, customDomain: string | null, logoUrl: string | null): BrandingChanged[] =>
  customDomain === integrator.customDomain && logoUrl === integrator.logoUrl
    ? []
    : [{ type: 'BrandingChanged', data: { customDomain, logoUrl } }];

/** A churned integrator's domain and brand are released: another integrator may use them. */
const churn = (integrator: Integrator, reason: string | null): Decided => {
  if (integrator.status === 'churned') return accept();
  return accept<IntegratorEvent>(
    { type: 'IntegratorChurned', data: { reason } },
    ...(integrator.whiteLabelEnabled ? [{ type: 'WhiteLabelDisabled' as const, data: {} }] : []),
    ...branding(integrator, null, null),
  );
};

const changeBranding = ({ data }: ChangeBranding, integrator: Integrator): Decided => {
  const customDomain = data.customDomain === undefined ? integrator.customDomain : data.customDomain;
  const logoUrl = data.logoUrl === undefined ? integrator.logoUrl : data.logoUrl;
  const changes = branding(integrator, customDomain, logoUrl);
  return changes.length > 0 && integrator.status === 'churned' ? refuse('integrator_churned') : accept(...changes);
};

const enableWhiteLabel = (integrator: Integrator): Decided => {
  if (integrator.whiteLabelEnabled) return accept();
  return integrator.status === 'churned' ? refuse('integrator_churned') : accept({ type: 'WhiteLabelEnabled', data: {} });
};

/** A suspended integrator keeps its customers and may get new ones from administrators; a churned one gets none. */
const enrol = ({ data: { customerId, externalId } }: EnrolCustomer, integrator: Integrator): Decided => {
  if (integrator.customers.has(customerId)) return accept();
  if (integrator.status === 'churned') return refuse('integrator_churned');
  if (externalId !== undefined && isTaken(integrator, customerId, externalId)) return refuse('external_id_taken');
  return accept<IntegratorEvent>(
    { type: 'CustomerEnrolled', data: { customerId } },
    ...(externalId === undefined ? [] : [externalIdClaimed(customerId, externalId)]),
  );
};

/** Beginning the same move again is a no-op. Nobody could look after a customer that moves to a suspended integrator. */
const beginMove = (
  { data: { customerId, move, records, externalId }, meta: { commandId } }: BeginCustomerMove,
  integrator: Integrator,
): Decided => {
  if ((integrator.customers.get(customerId)?.move ?? -1) >= move) return accept();
  if (integrator.status === 'churned') return refuse('integrator_churned');
  if (integrator.status === 'suspended') return refuse('integrator_not_active');
  const claimed = records === 'keep' ? externalId : null;
  if (claimed !== null && isTaken(integrator, customerId, claimed)) return refuse('external_id_taken');
  return accept<IntegratorEvent>(
    { type: 'CustomerMoveBegun', data: { customerId, move, records, commandId } },
    ...(claimed === null ? [] : [externalIdClaimed(customerId, claimed)]),
  );
};

const withdraw = (customerId: CustomerId, move: number, { customers }: Integrator): Decided => {
  const enrolment = customers.get(customerId);
  return enrolment && enrolment.move <= move ? accept({ type: 'CustomerWithdrawn', data: { customerId } }) : accept();
};

const isTaken = ({ externalIds }: Integrator, customerId: CustomerId, externalId: string): boolean =>
  (externalIds.get(externalId)?.customerId ?? customerId) !== customerId;

const externalIdClaimed = (customerId: CustomerId, externalId: string): ExternalIdClaimed => ({
  type: 'ExternalIdClaimed',
  data: { customerId, externalId },
});

/** A further claim of the same customer is recorded too, so that a release that was requested before it has no effect. */
const claimExternalId = ({ data: { customerId, externalId } }: ClaimExternalId, integrator: Integrator): Decided =>
  isTaken(integrator, customerId, externalId) ? refuse('external_id_taken') : accept(externalIdClaimed(customerId, externalId));

const releaseExternalId = ({ data }: ReleaseExternalId, { externalIds }: Integrator): Decided => {
  const { customerId, externalId, claims } = data;
  const claim = externalIds.get(externalId);
  if (claim?.customerId !== customerId || claim.claims !== claims) return accept();
  return accept({ type: 'ExternalIdReleased', data: { customerId, externalId } });
};

const rotateKey = ({ data: { masterLicenseKey } }: RotateMasterLicenseKey, integrator: Integrator): Decided =>
  masterLicenseKey === integrator.masterLicenseKey
    ? accept()
    : accept({ type: 'MasterLicenseKeyRotated', data: { masterLicenseKey } });

const decideIntegrator = (command: Exclude<IntegratorCommand, RegisterIntegrator>, integrator: Integrator): Decided => {
  switch (command.type) {
    case 'ChangeIntegratorProfile':
      return changeProfile(command, integrator);
    case 'SuspendIntegrator':
      if (integrator.status === 'suspended') return accept();
      return accept({ type: 'IntegratorSuspended', data: { reason: command.data.reason } });
    case 'ReactivateIntegrator':
      if (integrator.status === 'active') return accept();
      return accept({ type: 'IntegratorReactivated', data: { reason: command.data.reason } });
    case 'ChurnIntegrator':
      return churn(integrator, command.data.reason);
    case 'EnableWhiteLabel':
      return enableWhiteLabel(integrator);
    case 'DisableWhiteLabel':
      return integrator.whiteLabelEnabled ? accept({ type: 'WhiteLabelDisabled', data: {} }) : accept();
    case 'ChangeBranding':
      return changeBranding(command, integrator);
    case 'EnrolCustomer':
      return enrol(command, integrator);
    case 'BeginCustomerMove':
      return beginMove(command, integrator);
    case 'ClaimExternalId':
      return claimExternalId(command, integrator);
    case 'ReleaseExternalId':
      return releaseExternalId(command, integrator);
    case 'WithdrawCustomer':
      return withdraw(command.data.customerId, command.data.move ?? Number.POSITIVE_INFINITY, integrator);
    case 'RotateMasterLicenseKey':
      return rotateKey(command, integrator);
    case 'DeleteIntegrator':
      if (integrator.customers.size > 0) return refuse('integrator_has_customers');
      return accept({ type: 'IntegratorDeleted', data: {} });
  }
};

/** Deleting a deleted integrator again is a no-op; other commands do not find it. */
const decideDeleted = (command: IntegratorCommand): Decided => {
  if (command.type === 'RegisterIntegrator') return refuse('integrator_deleted');
  return command.type === 'DeleteIntegrator' || command.type === 'WithdrawCustomer' || command.type === 'ReleaseExternalId'
    ? accept()
    : refuse('integrator_not_found');
};

const decide = (command: IntegratorCommand, state: IntegratorState): Decided => {
  if (state.status === 'deleted') return decideDeleted(command);
  if (command.type === 'RegisterIntegrator') return state.status === 'unregistered' ? register(command) : accept();
  return state.status === 'unregistered' ? refuse('integrator_not_found') : decideIntegrator(command, state);
};

/** A reseller, its brand and the list of its customers. */
export const integratorDecider: Decider<IntegratorCommand, IntegratorState, IntegratorEvent, IntegratorRefusal> = {
  initial: { status: 'unregistered' },
  decide,
  evolve,
};
