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
export type Branding = z.infer<typeof branding>;
export const brandingReply = ok({ branding });
export type BrandingReply = z.infer<typeof brandingReply>;
