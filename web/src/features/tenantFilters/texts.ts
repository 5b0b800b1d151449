/** The texts of filters by customer, user or service integrator. */
export const tenantFilterTexts = {
  customer: { label: 'Customer', all: 'All customers', chosen: 'Chosen customer', none: 'No customers found' },
  user: { label: 'User', all: 'All users', chosen: 'Chosen user', none: 'No users found' },
  integrator: {
    label: 'Service integrator',
    all: 'All service integrators',
    chosen: 'Chosen service integrator',
    none: 'No service integrators found',
  },
  customersFailed: 'Failed to load customers',
  usersFailed: 'Failed to load users',
  search: { searching: 'Searching…', more: (count: number): string => `${count} more. Type to search.` },
} as const;
