/** Texts of the dialogs, in a module of their own because dialogs are loaded on demand. */
export const customerDialogTexts = {
  fields: {
    name: 'Customer name',
    contactEmail: 'Contact email',
    company: 'Company name',
    serviceIntegratorId: 'Service integrator',
    theme: 'Theme',
    status: 'Status',
    developerSeats: 'Developer seats',
    stakeholderSeats: 'Stakeholder seats',
    seatLimitsEnforced: 'Enforce seat limits',
  },
  placeholders: { name: 'Northwind Traders', contactEmail: 'it@northwind.example' },
  seatsHint: '-1 means unlimited',
  seatLimitsHint: 'Reject new users when all seats are taken.',
  searchIntegrators: 'Search by name',
  integratorSearch: {
    none: 'No service integrators found',
    searching: 'Searching…',
    more: (count: number): string => `${count} more. Type to search.`,
  },
  noIntegrator: 'A customer belongs to a service integrator. Create the first one, then continue with the customer.',
  noTheme: 'None',
  builtinThemes: 'Built-in themes',
  customThemes: 'Custom themes',

  createTitle: 'Create customer',
  createDescription: 'A license key is generated automatically.',
  creating: 'Creating…',
  created: 'Customer created successfully! License key generated automatically.',

  save: 'Save changes',
  saving: 'Saving…',
  updated: 'Customer updated successfully!',
  subject: 'this customer',

  deleteTitle: 'Delete customer',
  deleteQuestion: (name: string): string => `Are you sure you want to delete "${name}"? This action cannot be undone.`,
  deleteWarning: 'All usage logs and credentials of this customer are removed permanently.',
  deleteConfirm: 'Delete customer',
  deleting: 'Deleting…',
} as const;
