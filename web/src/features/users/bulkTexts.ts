import type { UserStatus } from '../../../../src/domain/enumerations.ts';

const counted = (n: number): string => (n === 1 ? '1 user' : `${n} users`);

/** Texts of what is done with selected users. */
export const userBulkTexts = {
  titles: { active: 'Activate users', inactive: 'Deactivate users', suspended: 'Suspend users' } satisfies Record<
    UserStatus,
    string
  >,
  confirm: {
    active: (n: number): string => `Activate ${counted(n)}`,
    inactive: (n: number): string => `Deactivate ${counted(n)}`,
    suspended: (n: number): string => `Suspend ${counted(n)}`,
  } satisfies Record<UserStatus, (n: number) => string>,
  becomes: 'becomes',
  reason: 'Reason',
  reasonHint: 'Recorded in the history of each customer.',
  exportCsv: 'Export CSV',
  exportName: (day: string): string => `users-${day}.csv`,
} as const;

/** Texts of what is done with selected seats. */
export const seatBulkTexts = {
  title: 'Release seats',
  confirm: (n: number): string => (n === 1 ? 'Release 1 seat' : `Release ${n} seats`),
  becomes: 'becomes',
  becomesFree: 'Becomes free',
  exportCsv: 'Export CSV',
  exportName: (day: string): string => `seats-${day}.csv`,
} as const;
