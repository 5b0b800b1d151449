/** Texts of the lists, which load no more than these. */
export const termTexts = {
  badges: { expiring: 'Expires soon', grace: 'In grace', expired: 'Expired', trial: 'Trial', trialEnds: 'Trial ends soon' },
  column: 'Expires',
  perpetual: 'Perpetual',
} as const;
