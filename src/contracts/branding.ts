import { z } from 'zod';
import { ok } from './replies.ts';

/** By Host: the product's own, or an integrator's if the host is its verified custom domain. */
const branding = z.object({
  productName: z.string(),
  /** Null on the product's own host. */
  companyName: z.string().nullable(),
  logoUrl: z.string().nullable(),
  primaryColor: z.string().nullable(),
  portalHost: z.string(),
  keyPrefix: z.string(),
});
/** The brand that a host shows before anyone has signed in. */
export type Branding = z.infer<typeof branding>;
/** The reply of `GET /api/branding`, which needs no session. */
export const brandingReply = ok({ branding });
export type BrandingReply = z.infer<typeof brandingReply>;
