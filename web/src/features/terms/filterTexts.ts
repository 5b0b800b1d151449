import type { TermFilter } from '../../../../src/contracts/terms.ts';

/** Texts of the filter of lists of customers. */
export const termFilterTexts = {
  label: 'Filter by term',
  all: 'All terms',
  active: 'Active term',
  expiring: 'Expires in 30 days',
  grace: 'In grace',
  expired: 'Expired',
  trial: 'Trial',
  perpetual: 'Perpetual',
} as const satisfies Record<TermFilter | 'label' | 'all', string>;
