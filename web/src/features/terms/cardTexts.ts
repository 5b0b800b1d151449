/** Texts of the card on a customer's screen, and of the fields of a new customer. */
export const termCardTexts = {
  title: 'License term',
  facts: { state: 'State', start: 'Start', expires: 'Expires', grace: 'Grace', trial: 'Trial' },
  none: 'This license is perpetual: it does not expire.',
  graceUntil: (days: string, day: string): string => `${days}, until ${day}`,
  noGrace: 'None',
  yes: 'Yes',
  no: 'No',
  active: 'Active',
  set: 'Set term',
  change: 'Change',
  renew: 'Renew',
  extend: 'Extend',
  remove: 'Make perpetual',
  graceDays: 'Days of grace',
  graceHint: 'The license works for so many days after its expiry.',
  expiresHint: 'At the end of this day in UTC. Leave it empty for a perpetual license.',
} as const;

/** "1 day", "14 days" */
export const countedDays = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`;
