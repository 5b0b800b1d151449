/** Texts of what a license includes. */
export const entitlementTexts = {
  title: 'Entitlements',
  everything: 'This license includes all services and features.',
  complete: 'This license includes only:',
  change: 'Change',
  always: 'Included',
  from: (day: string): string => `From ${day}`,
  until: (day: string): string => `Until ${day}`,
  notStarted: 'Not started',
  ended: 'Ended',

  field: 'Entitlements',
  hint: 'One entry per line: jira, azdo, confluence or a feature code, with optional days in UTC. Leave it empty to include everything.',
  placeholder: 'jira\nconfluence until 2027-06-30\nreports from 2027-01-01 until 2027-12-31',
  save: 'Save entitlements',
  saving: 'Saving…',
  saved: 'Entitlements saved',
  saveFailed: 'Failed to save the entitlements',
} as const;
