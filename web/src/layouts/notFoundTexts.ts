/** Texts of the screen for addresses without a screen. */
export const notFoundTexts = {
  title: 'Page not found',
  hint: 'There is no page at this address.',
  back: 'Dashboard',
} as const;
