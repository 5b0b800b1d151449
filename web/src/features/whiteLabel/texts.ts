export const whiteLabelTexts = {
  title: 'White-Label Settings',
  sub: 'Use your own domain and logo.',
  loading: 'Loading settings',
  loadFailed: 'Failed to load settings',
  form: 'Branding',
  state: 'White-label',
  none: 'None',
  fields: {
    whiteLabelEnabled: 'Enable White-Label',
    customDomain: 'Custom Domain',
    logoUrl: 'Logo URL',
  },
  enabledHint: 'Customers see your logo and name on your own domain.',
  domainPlaceholder: 'licenses.your-company.com',
  domainHint: 'Where your customers sign in.',
  logoPlaceholder: 'https://your-company.com/logo.svg',
  logoHint: 'HTTPS URL of a PNG, SVG or JPG file of at most 256 KiB.',
  preview: 'Logo preview',
  logoAlt: 'Your logo',
  save: 'Save changes',
  saving: 'Saving...',
  saved: 'Saved!',
  saveFailed: 'Failed to save white-label settings',

  features: 'What your customers see',
  featureList: [
    'Your logo and company name on every page',
    'The color of your default theme on buttons',
    'Sign-in on your own domain',
    'Your custom themes in the command-line tool',
  ],

  dns: 'DNS Setup',
  dnsIntro: 'Add these records at your DNS provider. Propagation can take up to 48 hours.',
  dnsColumns: { type: 'Type', name: 'Name', value: 'Value' },
  dnsPurpose: { cname: 'Routes your domain here', txt: 'Verifies ownership' },
  copyName: (type: string): string => `Copy name of the ${type} record`,
  copyValue: (type: string): string => `Copy value of the ${type} record`,
  verified: 'Verified',
  /** `day` is formatted. */
  expires: (day: string): string => `Not verified yet. Verify the domain by ${day}, or your claim to it expires.`,
  released: (domain: string, day: string, reason: 'expired' | 'verified_by_other'): string =>
    reason === 'expired'
      ? `Your claim to ${domain} expired on ${day} because the domain was not verified within 7 days. To use it, add the DNS records and save the domain again.`
      : `Your claim to ${domain} ended on ${day} because another service integrator verified the domain.`,
  waiting: 'Waiting for the TXT record',
  unsaved: 'Not saved yet',
  check: 'Check now',
  checking: 'Checking…',
  verifyFailed: 'Failed to check the domain',
} as const;
