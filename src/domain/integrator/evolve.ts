import { Map as ImmutableMap } from 'immutable';
import type { AccountStatus } from '../enumerations.ts';
import { ERASED } from '../event.ts';
import type { CustomerId, IntegratorId } from '../ids.ts';
import type {
  CustomerMoveBegun,
  CustomerWithdrawn,
  ExternalIdClaimed,
  ExternalIdReleased,
  IntegratorEvent,
  IntegratorRegistered,
  MovedRecords,
} from './events.ts';

/** Who has an external id, and how often it was claimed for this customer. */
type ExternalIdClaim = Readonly<{ customerId: CustomerId; claims: number }>;

/** The move by which a customer came here, or is about to; 0 where it was registered here. */
type Enrolment = Readonly<{ move: number; records: MovedRecords; commandId: string | null }>;

/** A registered service integrator: its account, master license key, brand and customers. */
export type Integrator = Readonly<{
  status: AccountStatus;
  integratorId: IntegratorId;
  companyName: string;
  contactEmail: string;
  billingEmail: string;
  masterLicenseKey: string;
  whiteLabelEnabled: boolean;
  customDomain: string | null;
  logoUrl: string | null;
  /** Enrolled and not withdrawn, whatever their status. */
  customers: ImmutableMap<CustomerId, Enrolment>;
  /** Claimed external ids. */
  externalIds: ImmutableMap<string, ExternalIdClaim>;
  /** The external ids that each customer has claimed. */
  externalIdsOf: ImmutableMap<CustomerId, readonly string[]>;
}>;

/** The state of a service integrator's stream, before its registration and after its deletion too. */
export type IntegratorState = Integrator | Readonly<{ status: 'unregistered' }> | Readonly<{ status: 'deleted' }>;

const registered = ({ data }: IntegratorRegistered): Integrator => ({
  status: 'active',
  integratorId: data.integratorId,
  companyName: data.companyName,
  contactEmail: data.contactEmail,
  billingEmail: data.billingEmail,
  masterLicenseKey: '',
  whiteLabelEnabled: false,
  customDomain: null,
  logoUrl: null,
  customers: ImmutableMap(),
  externalIds: ImmutableMap(),
  externalIdsOf: ImmutableMap(),
});

/** An erased external id is one of a deleted customer. */
const withClaim = (integrator: Integrator, { data: { customerId, externalId } }: ExternalIdClaimed): Integrator => {
  if (externalId === ERASED) return integrator;
  const { claims = 0 } = integrator.externalIds.get(externalId) ?? {};
  const own = integrator.externalIdsOf.get(customerId) ?? [];
  return {
    ...integrator,
    externalIds: integrator.externalIds.set(externalId, { customerId, claims: claims + 1 }),
    externalIdsOf: claims > 0 ? integrator.externalIdsOf : integrator.externalIdsOf.set(customerId, [...own, externalId]),
  };
};

const withoutClaim = (integrator: Integrator, { data: { customerId, externalId } }: ExternalIdReleased): Integrator => {
  const rest = (integrator.externalIdsOf.get(customerId) ?? []).filter((own) => own !== externalId);
  const { externalIdsOf } = integrator;
  return {
    ...integrator,
    externalIds: integrator.externalIds.delete(externalId),
    externalIdsOf: rest.length > 0 ? externalIdsOf.set(customerId, rest) : externalIdsOf.delete(customerId),
  };
};

const withoutCustomer = (integrator: Integrator, { data: { customerId } }: CustomerWithdrawn | CustomerMoveBegun): Integrator => ({
  ...integrator,
  customers: integrator.customers.delete(customerId),
  externalIds: integrator.externalIds.deleteAll(integrator.externalIdsOf.get(customerId) ?? []),
  externalIdsOf: integrator.externalIdsOf.delete(customerId),
});

const REGISTERED: Enrolment = { move: 0, records: 'keep', commandId: null };

/** Claims from before, when the customer was here already, are released. */
const withMove = (integrator: Integrator, event: CustomerMoveBegun): Integrator => {
  const { customerId, move, records, commandId } = event.data;
  const without = withoutCustomer(integrator, event);
  return { ...without, customers: without.customers.set(customerId, { move, records, commandId }) };
};

const evolveIntegrator = (integrator: Integrator, event: IntegratorEvent): IntegratorState => {
  switch (event.type) {
    case 'IntegratorRegistered':
      return registered(event);
    case 'MasterLicenseIssued':
    case 'MasterLicenseKeyRotated':
      return { ...integrator, masterLicenseKey: event.data.masterLicenseKey };
    case 'IntegratorProfileChanged':
      return {
        ...integrator,
        companyName: event.data.companyName,
        contactEmail: event.data.contactEmail,
        billingEmail: event.data.billingEmail,
      };
    case 'IntegratorSuspended':
      return { ...integrator, status: 'suspended' };
    case 'IntegratorReactivated':
      return { ...integrator, status: 'active' };
    case 'IntegratorChurned':
      return { ...integrator, status: 'churned' };
    case 'WhiteLabelEnabled':
      return { ...integrator, whiteLabelEnabled: true };
    case 'WhiteLabelDisabled':
      return { ...integrator, whiteLabelEnabled: false };
    case 'BrandingChanged':
      return { ...integrator, customDomain: event.data.customDomain, logoUrl: event.data.logoUrl };
    case 'CustomerEnrolled':
      return { ...integrator, customers: integrator.customers.set(event.data.customerId, REGISTERED) };
    case 'CustomerMoveBegun':
      return withMove(integrator, event);
    case 'CustomerWithdrawn':
      return withoutCustomer(integrator, event);
    case 'ExternalIdClaimed':
      return withClaim(integrator, event);
    case 'ExternalIdReleased':
      return withoutClaim(integrator, event);
    case 'IntegratorDeleted':
      return { status: 'deleted' };
  }
};

/** Total. Only a registration changes an unregistered integrator, and nothing changes a deleted one. */
export const evolve = (state: IntegratorState, event: IntegratorEvent): IntegratorState => {
  switch (state.status) {
    case 'unregistered':
      return event.type === 'IntegratorRegistered' ? registered(event) : state;
    case 'deleted':
      return state;
    case 'active':
    case 'suspended':
    case 'churned':
      return evolveIntegrator(state, event);
  }
};
