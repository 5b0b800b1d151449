export const searchTexts = {
  open: 'Search',
  shortcut: { apple: 'Cmd K', others: 'Ctrl K' },
  title: 'Search',
  close: 'Close search',
  placeholder: {
    admin: 'Screens, customers, service integrators',
    integrator: 'Screens and your customers',
    portal: 'Screens',
  },
  results: 'Results',
  groups: { screens: 'Screens', customers: 'Customers', integrators: 'Service integrators' },
  searching: 'Searching…',
  nothing: 'Nothing found',
  nothingHint: {
    admin: 'Try another name, email or full license key.',
    integrator: 'Try another name, email or full license key.',
    portal: 'Try the name of another screen.',
  },
  found: (count: number): string => (count === 1 ? '1 result' : `${count} results`),
  failed: 'The search failed',
  retry: 'Try again',
  keys: { move: 'to move', enter: 'Enter', open: 'to open', escape: 'Esc', close: 'to close' },
} as const;
