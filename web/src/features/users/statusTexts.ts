/** Texts of the dialog before a user is deactivated or suspended, which is loaded on demand. */
export const statusTexts = {
  title: (action: string, username: string): string => `${action} ${username}?`,
  question: (username: string): string => `${username} can't sign in until you activate the user again.`,
} as const;

/** Texts of the dialogs before a seat is released. */
export const releaseTexts = {
  title: (username: string): string => `Release the seat of ${username}?`,
  deactivates: (username: string): string => `${username} becomes inactive, and can't sign in until you activate the user again.`,
  stays: (username: string): string => `${username} stays active, and takes a seat again with the next use.`,
  disconnects: 'The connected CLI will be disconnected.',
} as const;
