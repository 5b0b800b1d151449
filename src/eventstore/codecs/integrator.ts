import { z } from 'zod';
import type { CustomerMoveBegun, IntegratorEvent } from '../../domain/integrator/events.ts';
import { type CategoryCodec, eventCodec, first, formerShape, shape } from './codec.ts';
import { customerId, integratorId, noData, sealedReason, text, textOrNull } from './fields.ts';

const externalId = z.strictObject({ customerId, externalId: text });
const moveBegun = { customerId, move: z.int().min(1), records: z.enum(['keep', 'clear']) };

/** The external id of a customer is sealed by the customer's data key, so that it is erased with the customer. */
export const integratorCodec: CategoryCodec<IntegratorEvent> = {
  ownerOf: (id, data) => ('externalId' in data ? `customer:${data.customerId}` : `integrator:${id}`),
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
    CustomerMoveBegun: eventCodec<CustomerMoveBegun['data']>({
      1: formerShape(z.strictObject(moveBegun), [], (former) => ({ ...former, commandId: null })),
      2: shape(z.strictObject({ ...moveBegun, commandId: textOrNull })),
    }),
    CustomerWithdrawn: first(z.strictObject({ customerId })),
    ExternalIdClaimed: first(externalId, ['externalId']),
    ExternalIdReleased: first(externalId, ['externalId']),
    MasterLicenseKeyRotated: first(z.strictObject({ masterLicenseKey: text }), ['masterLicenseKey']),
    IntegratorDeleted: first(noData),
  },
};
