/** Texts of the lists, which load no more than these. */
export const termTexts = {
  badges: { expiring: 'Expires soon', grace: 'In grace', expired: 'Expired', trial: 'Trial', trialEnds: 'Trial ends soon' },
  inDays: (isTrial: boolean, days: number): string => `${isTrial ? 'Trial ends' : 'Expires'} in ${days} days`,
  column: 'Expires',
  perpetual: 'Perpetual',
} as const;
