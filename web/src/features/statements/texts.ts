const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The texts of monthly statements. */
export const statementTexts = {
  open: 'Monthly statement',
  title: 'Monthly statement',
  description: 'Seats and API calls of a month in UTC, by service, user and day.',
  ofCustomers: 'Seats and API calls of all customers in a month in UTC, a row for each customer.',
  fields: { month: 'Month', format: 'Format' } as const,
  monthName: (name: string, isCurrent: boolean): string =>
    `${month.format(new Date(`${name}-01T00:00:00Z`))}${isCurrent ? ' (up to now)' : ''}`,
  formats: { json: 'JSON', csv: 'CSV', html: 'Page to print' } as const,
  formatHint: 'Each file is signed: latchkey-admin statement verify shows if it was changed.',
  submit: 'Download',
  submitting: 'Creating…',
  failed: 'Failed to create the statement',
  fileName: (name: string): string => `statement-${name}.json`,
} as const;
