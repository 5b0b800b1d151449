/** Under which headings help lists the commands. */
export const GROUPS = { signIn: 'Signing in:', work: 'Working:', setUp: 'Setting up:' } as const;
