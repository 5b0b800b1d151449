import { format } from '../../lib/format.ts';

/** Texts of the dialogs before a machine is removed or rejected, which are loaded on demand. */
export const machineDialogTexts = {
  removeTitle: (machine: string): string => `Remove ${machine}?`,
  sessionsEnd: (machine: string, username: string | null): string =>
    username === null ? `All your sessions on ${machine} end.` : `All sessions of ${username} on ${machine} end.`,
  signsInAgain: 'If the license requires approval of new machines, this one needs a new approval to sign in again.',
  offline: 'Offline licenses keep working until they expire.',
  remove: 'Remove',
  removing: 'Removing…',
  removed: (machine: string): string => `${machine} was removed. Its sessions have ended.`,

  rejectTitle: (machine: string): string => `Reject ${machine}?`,
  staysOut: (machine: string, username: string): string => `${machine} can't sign in as ${username}.`,
  blocked: (until: string): string =>
    `It can't request approval again until ${format.dateTime(until)}, 24 hours after this request.`,
  rejecting: 'Rejecting…',
  rejected: (machine: string): string => `${machine} was rejected`,
} as const;
