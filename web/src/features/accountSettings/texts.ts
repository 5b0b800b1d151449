export const accountTexts = {
  title: 'Account Settings',
  sub: 'Your company, your contacts and your master license key.',
  loading: 'Loading settings',
  loadFailed: 'Failed to load settings',
  saveFailed: 'Failed to save account settings',

  details: 'Account details',
  fields: { companyName: 'Company Name', contactEmail: 'Contact Email', billingEmail: 'Billing Email' },
  hints: {
    contactEmail: 'Primary contact for technical issues',
    billingEmail: 'Email for invoices and billing-related communication',
  },
  save: 'Save changes',
  saving: 'Saving...',
  saved: 'Saved!',

  account: 'Account information',
  facts: { masterLicenseKey: 'Master License Key', status: 'Account Status', created: 'Account Created' },
  copyKey: 'Copy master license key',

  integration: 'API integration',
  integrationSub: 'Sign in with your master license key, then send the token with each call',
  example: 'Example calls',
  copyExample: 'Copy example',
  help: 'Help',
  links: {
    documentation: { title: 'Documentation', sub: 'All API calls with requests and responses' },
    support: { title: 'Support', sub: (address: string): string => address },
    community: { title: 'Community chat', sub: 'Ask other developers' },
  },
} as const;
