import type { Area } from '../../areas.ts';

type SignInTexts = {
  title: string;
  sub: string;
  field: string;
  missing: string;
  /** The segment of the key's format; null if the format is not shown. */
  segment: 'ENT' | 'SI' | null;
};

export const signInTexts = {
  admin: {
    title: 'Administrator sign-in',
    sub: 'Enter your admin key to continue.',
    field: 'Admin Key',
    missing: 'Please enter admin key',
    segment: null,
  },
  portal: {
    title: 'Customer sign-in',
    sub: 'Enter your license key to continue.',
    field: 'License key',
    missing: 'Please enter license key',
    segment: 'ENT',
  },
  integrator: {
    title: 'Service integrator sign-in',
    sub: 'Enter your master license key to continue.',
    field: 'Master license key',
    missing: 'Please enter master license key',
    segment: 'SI',
  },
} as const satisfies Record<Area, SignInTexts>;

export const authTexts = {
  failed: 'Login failed',
  succeeded: 'Login successful!',
  submit: 'Sign in',
  submitting: 'Signing in…',
  back: 'Back to sign-in options',
  password: 'Password',
  passwordHint: 'This account is protected by a password.',
  passwordMissing: 'Please enter password',
  withPasskey: 'Sign in with a passkey',
  withAccount: 'Sign in with your account',
  withKey: {
    admin: 'Sign in with the admin key',
    portal: 'Sign in with the license key',
    integrator: 'Sign in with the master license key',
  },
  accountSub: 'Enter your email address and password, or use a passkey.',
  email: 'Email address',
  emailMissing: 'Please enter your email address',
  accountPasswordMissing: 'Please enter your password',
  tenant: 'Sign in to',
  tenantHint: 'This password belongs to more than one account.',
  code: 'Code',
  codeHint: 'Enter the code of your authenticator app, or a recovery code.',
  codeMissing: 'Please enter the code',
  withOpenId: 'Continue with OpenID Connect',
  openIdSub: 'Enter your email address. You sign in at the identity provider of your company.',
  openIdProved: 'Return to the window where you continue. You can close this one.',
  openIdSubmit: 'Continue',
  openIdSubmitting: 'Opening…',
  keyFormat: (prefix: string, segment: string): string => `Format: ${prefix}-${segment}-XXXX-XXXXX`,
  keyPlaceholder: (prefix: string, segment: string): string => `${prefix}-${segment}-XXXX-XXXXX`,
} as const;
