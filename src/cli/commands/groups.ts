/** The headings of the command list in help. */
export const GROUPS = { signIn: 'Signing in:', work: 'Working:', setUp: 'Setting up:' } as const;
