import type {
  BrandingChanged,
  CustomerEnrolled,
  CustomerMoveBegun,
  CustomerWithdrawn,
  ExternalIdClaimed,
  ExternalIdReleased,
  IntegratorChurned,
  IntegratorDeleted,
  IntegratorProfileChanged,
  IntegratorReactivated,
  IntegratorRegistered,
  IntegratorSuspended,
  MasterLicenseIssued,
  MasterLicenseKeyRotated,
  WhiteLabelDisabled,
  WhiteLabelEnabled,
} from '../../../src/domain/integrator/events.ts';
import { metaOf } from './command.ts';
import { customerIdOf, integratorIdOf } from './ids.ts';

export const integratorRegistered = (overrides: Partial<IntegratorRegistered['data']> = {}): IntegratorRegistered => ({
  type: 'IntegratorRegistered',
  data: {
    integratorId: integratorIdOf(),
    companyName: 'Partner',
    contactEmail: 'tech@partner.example',
    billingEmail: 'bills@partner.example',
    ...overrides,
  },
});
export const masterLicenseIssued = (masterLicenseKey = 'LK-SI-AAAA-BBBBB'): MasterLicenseIssued => ({
  type: 'MasterLicenseIssued',
  data: { masterLicenseKey },
});
export const integratorProfileChanged = (overrides: Partial<IntegratorProfileChanged['data']> = {}): IntegratorProfileChanged => ({
  type: 'IntegratorProfileChanged',
  data: { companyName: 'Partner', contactEmail: 'tech@partner.example', billingEmail: 'bills@partner.example', ...overrides },
});
export const integratorSuspended = (reason: string | null = null): IntegratorSuspended => ({
  type: 'IntegratorSuspended',
  data: { reason },
});
export const integratorReactivated = (reason: string | null = null): IntegratorReactivated => ({
  type: 'IntegratorReactivated',
  data: { reason },
});
export const integratorChurned = (reason: string | null = null): IntegratorChurned => ({
  type: 'IntegratorChurned',
  data: { reason },
});
export const whiteLabelEnabled = (): WhiteLabelEnabled => ({ type: 'WhiteLabelEnabled', data: {} });
export const whiteLabelDisabled = (): WhiteLabelDisabled => ({ type: 'WhiteLabelDisabled', data: {} });
export const brandingChanged = (overrides: Partial<BrandingChanged['data']> = {}): BrandingChanged => ({
  type: 'BrandingChanged',
  data: { customDomain: 'licenses.partner.example', logoUrl: 'https://partner.example/logo.svg', ...overrides },
});
export const customerEnrolled = (customer = 'acme'): CustomerEnrolled => ({
  type: 'CustomerEnrolled',
  data: { customerId: customerIdOf(customer) },
});
export const customerMoveBegun = (customer = 'acme', overrides: Partial<CustomerMoveBegun['data']> = {}): CustomerMoveBegun => ({
  type: 'CustomerMoveBegun',
  data: { customerId: customerIdOf(customer), move: 1, records: 'keep', commandId: metaOf().commandId, ...overrides },
});
export const customerWithdrawn = (customer = 'acme'): CustomerWithdrawn => ({
  type: 'CustomerWithdrawn',
  data: { customerId: customerIdOf(customer) },
});
export const externalIdClaimed = (customer = 'acme', externalId = 'crm-17'): ExternalIdClaimed => ({
  type: 'ExternalIdClaimed',
  data: { customerId: customerIdOf(customer), externalId },
});
export const externalIdReleased = (customer = 'acme', externalId = 'crm-17'): ExternalIdReleased => ({
  type: 'ExternalIdReleased',
  data: { customerId: customerIdOf(customer), externalId },
});
export const masterLicenseKeyRotated = (masterLicenseKey = 'LK-SI-CCCC-DDDDD'): MasterLicenseKeyRotated => ({
  type: 'MasterLicenseKeyRotated',
  data: { masterLicenseKey },
});
export const integratorDeleted = (): IntegratorDeleted => ({ type: 'IntegratorDeleted', data: {} });
