/** Texts of the filter of lists of customers. */
export const callQuotaFilterTexts = {
  label: 'Filter by quota',
  all: 'All quotas',
  near: 'Near the quota',
  exceeded: 'Quota used up',
} as const;
