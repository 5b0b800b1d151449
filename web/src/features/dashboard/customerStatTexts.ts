/** Texts of the cards that the dashboards of administrators and service integrators share. */
export const customerStatTexts = {
  totalCustomers: 'Total Customers',
  activeCustomers: 'Active Customers',
  totalApiCalls: 'Total API Calls',
  newThisMonth: 'new in 30 days',
  ofAllCustomers: 'of all customers',
  versusBefore: 'vs prior 30 days',
  noneBefore: 'in 30 days',
} as const;
