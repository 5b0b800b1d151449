/** What a license can be renewed for, by months. */
export const renewalMonths: Readonly<Record<number, string>> = {
  1: '1 month',
  3: '3 months',
  6: '6 months',
  12: '1 year',
  24: '2 years',
  36: '3 years',
};

/** Texts of the dialogs, in a module of their own because dialogs are loaded on demand. */
export const termDialogTexts = {
  fields: { expiresAt: 'Expires on', graceDays: 'Days of grace', isTrial: 'Trial', months: 'Renew for', days: 'Days' },
  expiresHint: 'At the end of this day in UTC.',
  graceHint: 'The license works for so many days after its expiry. 0 to 365.',
  trialHint: 'A renewal ends the trial.',

  setTitle: 'Set the license term',
  save: 'Save term',
  saving: 'Saving…',
  saved: 'License term saved',
  setFailed: 'Failed to set the license term',

  renewTitle: 'Renew license',
  continues: (day: string): string => `The license continues from its expiry on ${day}.`,
  restarts: 'The license has expired. It starts again now.',
  endsTrial: 'The trial ends with the renewal.',
  renew: 'Renew license',
  renewing: 'Renewing…',
  renewed: (day: string): string => `License renewed until ${day}`,
  renewFailed: 'Failed to renew the license',

  extendTitle: 'Extend license',
  extendDescription: (day: string): string => `The expiry moves from ${day} by the given number of days.`,
  extend: 'Extend license',
  extending: 'Extending…',
  extended: (day: string): string => `License extended until ${day}`,
  extendFailed: 'Failed to extend the license',

  removeTitle: 'Make the license perpetual',
  removeQuestion: (name: string): string => `The license of "${name}" no longer expires.`,
  remove: 'Make perpetual',
  removing: 'Saving…',
  removed: 'The license is perpetual',
  removeFailed: 'Failed to make the license perpetual',
} as const;
