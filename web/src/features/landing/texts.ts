export const landingTexts = {
  title: 'Manage your licenses',
  sub: 'Seats, credentials, usage and themes in one place.',
  customer: { title: 'Customer Login', sub: 'Sign in with your license key.' },
  integrator: { title: 'Service Integrator Login', sub: 'Sign in with your master license key.' },
  signIn: 'Sign in',
  admin: 'Administrator Access',
} as const;
