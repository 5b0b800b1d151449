import { z } from 'zod';
import type { IntegratorEvent } from '../../domain/integrator/events.ts';
import { type CategoryCodec, first } from './codec.ts';
import { customerId, integratorId, noData, sealedReason, text, textOrNull } from './fields.ts';

export const integratorCodec: CategoryCodec<IntegratorEvent> = {
  ownerOf: (id) => `integrator:${id}`,
  events: {
    IntegratorRegistered: first(z.strictObject({ integratorId, companyName: text, contactEmail: text, billingEmail: text }), [
      'companyName',
      'contactEmail',
      'billingEmail',
    ]),
    MasterLicenseIssued: first(z.strictObject({ masterLicenseKey: text }), ['masterLicenseKey']),
    IntegratorProfileChanged: first(z.strictObject({ companyName: text, contactEmail: text, billingEmail: text }), [
      'companyName',
      'contactEmail',
      'billingEmail',
    ]),
    IntegratorSuspended: sealedReason,
    IntegratorReactivated: sealedReason,
    IntegratorChurned: sealedReason,
    WhiteLabelEnabled: first(noData),
    WhiteLabelDisabled: first(noData),
    BrandingChanged: first(z.strictObject({ customDomain: textOrNull, logoUrl: textOrNull })),
    CustomerEnrolled: first(z.strictObject({ customerId })),
    CustomerWithdrawn: first(z.strictObject({ customerId })),
    MasterLicenseKeyRotated: first(z.strictObject({ masterLicenseKey: text }), ['masterLicenseKey']),
    IntegratorDeleted: first(noData),
  },
};
