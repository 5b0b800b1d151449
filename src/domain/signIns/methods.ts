/**
 * How a session was opened: by the tenant's key alone, by a customer's key and portal password, by a named user's password (with a
 * one-time password or recovery code where there is a second factor), passkey or OpenID Connect provider, or by a device code.
 */
export const SIGN_IN_METHODS = ['key', 'portal_password', 'password', 'passkey', 'openid', 'device_code'] as const;
/** How one session was opened; see `SIGN_IN_METHODS`. */
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];
