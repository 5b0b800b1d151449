import { Map as ImmutableMap } from 'immutable';
import type { CustomerId, IntegratorId } from '../ids.ts';
import type { IntegratorEvent, IntegratorRegistered } from './events.ts';

/** The status of a service integrator. It does not affect the status of its customers. */
export type IntegratorStatus = 'active' | 'suspended' | 'churned';

/** A registered service integrator: its account, master license key, brand and customers. */
export type Integrator = Readonly<{
  status: IntegratorStatus;
  integratorId: IntegratorId;
  companyName: string;
  contactEmail: string;
  billingEmail: string;
  masterLicenseKey: string;
  whiteLabelEnabled: boolean;
  customDomain: string | null;
  logoUrl: string | null;
  /** Enrolled and not withdrawn, whatever their status. */
  customers: ImmutableMap<CustomerId, true>;
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
});

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
      return { ...integrator, customers: integrator.customers.set(event.data.customerId, true) };
    case 'CustomerWithdrawn':
      return { ...integrator, customers: integrator.customers.delete(event.data.customerId) };
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
