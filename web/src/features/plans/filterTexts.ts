/** Texts of the lists of customers and of a customer's facts, which load no more than these. */
export const planFilterTexts = {
  label: 'Filter by plan',
  loadFailed: 'Failed to load plans',
  all: 'All plans',
  move: 'Change plan',
  choice: ({ code, name }: { code: string; name: string }): string => `${code} · ${name}`,
} as const;
