/** What the dialogs say, which are fetched when somebody wants to open one. */
export const customerDialogTexts = {
  fields: {
    name: 'Customer Name',
    contactEmail: 'Contact Email',
    company: 'Company Name',
    serviceIntegratorId: 'Service Integrator',
    theme: 'Theme',
    status: 'Status',
    developerSeats: 'Developer Seats',
    stakeholderSeats: 'Stakeholder Seats',
    seatLimitsEnforced: 'Enforce seat limits',
  },
  placeholders: { name: 'Northwind Traders', contactEmail: 'it@northwind.example' },
  seatsHint: '-1 means unlimited',
  seatLimitsHint: 'Refuse new users once all seats are taken.',
  chooseIntegrator: 'Choose…',
  noIntegrator: 'A customer belongs to a service integrator, and there is none yet.',
  createIntegrator: 'Create one first',
  noTheme: 'None',

  createTitle: 'Create Customer',
  createDescription: 'A license key is generated automatically.',
  creating: 'Creating…',
  created: 'Customer created successfully! License key generated automatically.',

  save: 'Save Changes',
  saving: 'Saving…',
  updated: 'Customer updated successfully!',
  subject: 'This customer',

  deleteTitle: 'Delete Customer',
  deleteQuestion: (name: string): string => `Are you sure you want to delete "${name}"? This action cannot be undone.`,
  deleteWarning: 'All usage logs and credentials of this customer are removed permanently.',
  deleteConfirm: 'Delete Customer',
  deleting: 'Deleting…',
} as const;
