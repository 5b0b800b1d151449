import { z } from 'zod';
import { MAX_KEY, MAX_PASSWORD } from '../domain/limits.ts';
import { PERMISSIONS, type Permission } from '../domain/permissions.ts';
import { customer } from './customers.ts';
import { instant, licenseKey, masterLicenseKey, text } from './fields.ts';
import { serviceIntegrator } from './integrators.ts';
import { ok } from './replies.ts';

/** The body of `POST /api/auth/admin/login`. */
export const adminLogin = z.strictObject({ adminKey: text(MAX_KEY, 'Please enter admin key') });
/** `password` is needed where the customer has set one (`password_required`); for others it is ignored. */
export const customerLogin = z.strictObject({ licenseKey, password: z.string().min(1).max(MAX_PASSWORD).optional() });
/** The body of `POST /api/auth/service-integrator/login`. */
export const integratorLogin = z.strictObject({ masterLicenseKey });

/** What the session may do, and the name of its named user. `role` and `name` are null for a sign-in with a key. */
const grants = { role: z.string().nullable(), name: z.string().nullable(), permissions: z.array(z.enum(PERMISSIONS)) };

/** What the console needs to know to offer only permitted actions. */
export type Grants = Readonly<{ role: string | null; name: string | null; permissions: Permission[] }>;

/** An administrator's session travels as a cookie; `email` is null when none is configured. */
const adminSession = z.object({ email: z.string().nullable(), expiresAt: instant, ...grants });
/** The session of an administrator, as the console shows it. */
export type AdminSession = z.infer<typeof adminSession>;
/** The reply to a sign-in and to `GET /api/auth/admin/session`; the token is in the cookie only. */
export const adminSessionReply = ok({ session: adminSession });
export type AdminSessionReply = z.infer<typeof adminSessionReply>;

/** Customers and integrators send their token as `Authorization: Bearer`. */
export const customerLoginReply = ok({ token: z.string(), customer, ...grants });
/** The form of `customerLoginReply`, with the customer that signed in. */
export type CustomerLoginReply = z.infer<typeof customerLoginReply>;
/** The reply of `GET /api/auth/customer/session`. */
export const customerSessionReply = ok({ customer, ...grants });
export type CustomerSessionReply = z.infer<typeof customerSessionReply>;
/** The reply to a service integrator's sign-in, with the token to send as `Authorization: Bearer`. */
export const integratorLoginReply = ok({ token: z.string(), serviceIntegrator, ...grants });
export type IntegratorLoginReply = z.infer<typeof integratorLoginReply>;
/** The reply of `GET /api/auth/service-integrator/session`. */
export const integratorSessionReply = ok({ serviceIntegrator, ...grants });
export type IntegratorSessionReply = z.infer<typeof integratorSessionReply>;
