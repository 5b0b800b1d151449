/** The texts of the banner of a moment, which screens load without the history. */
export const bannerTexts = {
  backToNow: 'Back to now',
  subjects: { customer: 'this customer', integrator: 'this account' },
  viewing: (subject: string, moments: readonly string[]): string =>
    `You are viewing ${subject} ${moments.map((moment) => `as of ${moment}`).join(' and ')}. To change it, go back to now.`,
} as const;
