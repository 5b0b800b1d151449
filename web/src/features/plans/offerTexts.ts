/** Texts of the changes that a plan offers to its licenses. */
export const planOfferTexts = {
  loadFailed: 'Failed to load the changes of the plan',
  offered: (code: string): string => `The plan ${code} has changed since this license copied it.`,
  review: 'Review changes',
  title: (code: string): string => `Changes of the plan ${code}`,
  description: 'Other values of the license stay, and its expiry.',
  none: 'The license has these values already, or they are for new licenses only.',
  cancel: 'Cancel',
  apply: 'Apply to license',
  applying: 'Applying…',
  applied: 'Changes of the plan applied',
  applyFailed: 'Failed to apply the changes of the plan',
} as const;
