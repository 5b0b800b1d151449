import type { EndedSignIns, EndingSessions } from '../../../../src/contracts/impact.ts';
import { format } from '../../lib/format.ts';
import { counted, joined } from './texts.ts';

/** The texts of which sign-ins end, which only their dialogs load. */
export const signInTexts = {
  session: ({ user, machine, browser, lastSeenAt }: EndingSessions['sessions'][number]): string => {
    const details = [machine, browser, `used ${format.ago(lastSeenAt)}`];
    return `${user ?? 'Key'} (${details.filter((detail) => detail !== null).join(', ')})`;
  },
  consoleEnded: (n: number): string => `${counted(n, 'session', 'sessions')} will be signed out.`,
  toolsEnded: (n: number): string => `${counted(n, 'CLI sign-in', 'CLI sign-ins')} will end.`,
  nothingEnds: 'No session, CLI sign-in or API token ends.',
  kept: ({ console, tools, apiTokens }: EndedSignIns['kept']): string | null => {
    const parts = [
      ...(console > 0 ? [counted(console, 'other session', 'other sessions')] : []),
      ...(tools > 0 ? [counted(tools, 'CLI sign-in', 'CLI sign-ins')] : []),
      ...(apiTokens > 0 ? [counted(apiTokens, 'API token', 'API tokens')] : []),
    ];
    if (parts.length === 0) return null;
    return `${joined(parts)} ${console + tools + apiTokens === 1 ? 'keeps' : 'keep'} working.`;
  },
} as const;
