import { z } from 'zod';
import { MAX_KEY } from '../domain/limits.ts';
import { customer } from './customers.ts';
import { instant, licenseKey, text } from './fields.ts';
import { serviceIntegrator } from './integrators.ts';
import { ok } from './replies.ts';

export const adminLogin = z.strictObject({ adminKey: text(MAX_KEY) });
export const customerLogin = z.strictObject({ licenseKey });
export const integratorLogin = z.strictObject({ masterLicenseKey: licenseKey });

/** An administrator's session travels as a cookie; `email` is null when none is configured. */
export const adminSession = z.object({ email: z.string().nullable(), expiresAt: instant });
export type AdminSession = z.infer<typeof adminSession>;
export const adminSessionReply = ok({ session: adminSession });
export type AdminSessionReply = z.infer<typeof adminSessionReply>;

/** Customers and integrators send their token as `Authorization: Bearer`. */
export const customerLoginReply = ok({ token: z.string(), customer });
export type CustomerLoginReply = z.infer<typeof customerLoginReply>;
export const customerSessionReply = ok({ customer });
export type CustomerSessionReply = z.infer<typeof customerSessionReply>;
export const integratorLoginReply = ok({ token: z.string(), serviceIntegrator });
export type IntegratorLoginReply = z.infer<typeof integratorLoginReply>;
