import { z } from 'zod';
import { accountStatus, email, hostName, httpsUrl, instant, integratorId, name, reason, reverts } from './fields.ts';
import { listQuery, ok, page, statusCounts } from './replies.ts';

/** Why a claim to a custom domain ended without the integrator's doing. */
const domainRelease = z.object({ domain: z.string(), reason: z.enum(['expired', 'verified_by_other']), at: instant });
/** The claim to a custom domain that was released last, with the reason. */
export type DomainRelease = z.infer<typeof domainRelease>;

export const serviceIntegrator = z.object({
  id: integratorId,
  companyName: z.string(),
  /** Equal to `companyName`. */
  name: z.string(),
  contactEmail: z.string(),
  billingEmail: z.string(),
  masterLicenseKey: z.string(),
  status: accountStatus,
  whiteLabelEnabled: z.boolean(),
  customDomain: z.string().nullable(),
  /** Branding shows under the custom domain once its TXT record was seen. */
  domainVerified: z.boolean(),
  /** When an unverified claim to the custom domain ends; null without a domain, or for a verified one. */
  domainExpiresAt: instant.nullable(),
  /** The claim that was taken away last, until another domain is set. */
  releasedDomain: domainRelease.nullable(),
  logoUrl: z.string().nullable(),
  customerCount: z.int(),
  createdAt: instant,
});
/** A service integrator as replies contain it. */
export type ServiceIntegrator = z.infer<typeof serviceIntegrator>;

/** The body of `POST /api/admin/service-integrators`. */
export const createIntegrator = z.strictObject({ companyName: name, contactEmail: email, billingEmail: email });
export type CreateIntegrator = z.infer<typeof createIntegrator>;

/** A host name in lower case without a trailing dot; absent, null and empty mean none. */
const customDomain = z.preprocess(
  (value) => (value === undefined || (typeof value === 'string' && value.trim() === '') ? null : value),
  hostName.nullable(),
);

const logoUrl = z.preprocess(
  (value) => (value === undefined || (typeof value === 'string' && value.trim() === '') ? null : value),
  httpsUrl.nullable(),
);

/** Absent fields are kept. */
export const updateIntegrator = z.strictObject({
  companyName: name,
  contactEmail: email,
  billingEmail: email,
  status: accountStatus.optional(),
  reason: reason.optional(),
  whiteLabelEnabled: z.boolean().optional(),
  customDomain: customDomain.optional(),
  logoUrl: logoUrl.optional(),
  reverts,
});
export type UpdateIntegrator = z.infer<typeof updateIntegrator>;

/** The body of `PUT /api/service-integrator/profile`. */
export const updateIntegratorProfile = z.strictObject({ companyName: name, contactEmail: email, billingEmail: email, reverts });
export type UpdateIntegratorProfile = z.infer<typeof updateIntegratorProfile>;
/** The body of `PUT /api/service-integrator/white-label`. */
export const updateWhiteLabel = z.strictObject({ whiteLabelEnabled: z.boolean(), customDomain, logoUrl, reverts });
export type UpdateWhiteLabel = z.infer<typeof updateWhiteLabel>;

const integratorSort = z.enum([
  'companyName',
  '-companyName',
  'createdAt',
  '-createdAt',
  /** Of customers of any status. */
  'customerCount',
  '-customerCount',
]);

/** The query of `GET /api/admin/service-integrators`. */
export const integratorQuery = z.strictObject({
  ...listQuery,
  status: accountStatus.optional(),
  sort: integratorSort.default('-createdAt'),
});
export type IntegratorQuery = z.infer<typeof integratorQuery>;

/** Administrators' calls say `service_integrator(s)`, an integrator's own `serviceIntegrator`. */
export const integratorsReply = page({ service_integrators: z.array(serviceIntegrator), counts: statusCounts });
export type IntegratorsReply = z.infer<typeof integratorsReply>;
/** A service integrator for administrators; its ETag is the revision for `If-Match`. */
export const integratorReply = ok({ service_integrator: serviceIntegrator });
export type IntegratorReply = z.infer<typeof integratorReply>;
/** The signed-in service integrator. */
export const ownIntegratorReply = ok({ serviceIntegrator });
export type OwnIntegratorReply = z.infer<typeof ownIntegratorReply>;
/** A domain that is not verified yet is no failed request: the status is 200 and `error` contains the result. */
export const verifyDomainReply = z.discriminatedUnion('success', [
  ownIntegratorReply,
  z.object({ success: z.literal(false), error: z.string() }),
]);
export type VerifyDomainReply = z.infer<typeof verifyDomainReply>;
