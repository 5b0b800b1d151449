export const firstStepTexts = {
  title: 'Record your first API call',
  sub: 'Run these commands on a computer with the command-line tool.',
  login: 'Sign in',
  withKey: 'Add --with-key to sign in with the license key instead of an account.',
  record: 'Record an API call',
  usage: 'Show your figures',
  copy: (what: string): string => `Copy the command: ${what}`,
  waiting: 'Waiting for the first call. It is shown here as soon as it arrives.',
} as const;
