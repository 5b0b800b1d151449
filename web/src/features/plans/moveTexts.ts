/** Texts of the move of licenses to another plan, and of changes of plans for several licenses. */
export const planMoveTexts = {
  title: 'Change the plan',
  description:
    'The license gets the seats, limits and entitlements of the plan. Its key stays valid; after a rotation it begins with the code of the plan.',
  plan: 'New plan',
  choose: 'Choose a plan',
  term: 'Term',
  terms: { keep: 'Keep the expiry', start: "Start the plan's term today" },
  termHint: {
    keep: 'Days of grace and trial become those of the plan. A perpetual license stays perpetual.',
    start: 'The license runs from today for the term of the plan, or becomes perpetual.',
  },
  loading: 'Loading the changes',
  loadFailed: 'Failed to load what the plan changes',
  none: 'The license has this plan already.',
  same: 'Nothing but the plan itself changes.',
  changes: 'Changes',
  cancel: 'Cancel',
  confirm: 'Change plan',
  moving: 'Changing the plan…',
  moved: (code: string): string => `The license has the plan ${code} now`,
  moveFailed: 'Failed to change the plan',
} as const;
