export const reauthenticationTexts = {
  title: 'Confirm that it is you',
  description: 'Your last sign-in is more than 10 minutes ago. Confirm it to continue; nothing that you entered is lost.',
  fields: { key: 'Key', password: 'Password', code: 'Code' },
  codeHint: 'The six digits that your authenticator app shows, or a recovery code.',
  confirm: 'Confirm',
  confirming: 'Confirming…',
  loading: 'Loading',
  loadFailed: 'Failed to load how you can confirm',
  failed: 'Failed to confirm that it is you',
  signInAgain: 'This session cannot be confirmed here. Sign out, then sign in again.',
  close: 'Close',
} as const;
