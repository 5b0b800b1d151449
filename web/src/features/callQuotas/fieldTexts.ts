/** Texts of the fields of a quota, which only forms load. */
export const callQuotaFieldTexts = {
  fields: { callQuota: 'API calls per month', callQuotaKind: 'Quota' },
  hint: 'Leave it empty for any number of calls.',
  kinds: { hard: 'Hard: refuse further calls', soft: 'Soft: only notify' },
} as const;
