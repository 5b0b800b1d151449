import type { Notice } from '../../../../src/contracts/notices.ts';

const titles = {
  break_glass: 'Emergency sign-in with the key',
  new_sign_in: 'New sign-in to your account',
  wrong_codes: 'Wrong codes for your account',
} as const satisfies Record<Notice['kind'], string>;

const advice = {
  break_glass: 'If no owner or admin did this, rotate the key and turn off sign-in with it.',
  new_sign_in: 'If this was not you, change your password. That signs out all other sessions.',
  wrong_codes: 'Someone entered your password and then several wrong codes. If this was not you, change your password now.',
} as const satisfies Record<Notice['kind'], string>;

export const noticeTexts = {
  region: 'Notices',
  title: ({ kind }: Notice): string => titles[kind],
  advice: ({ kind }: Notice): string => advice[kind],
  from: ({ address, browser }: Notice): string => [browser, address].filter((part) => part !== null).join(', '),
  dismiss: 'Dismiss',
  dismissOne: (notice: Notice): string => `Dismiss: ${titles[notice.kind]}`,
  dismissAll: (count: number): string => `Dismiss all ${count}`,
  dismissing: 'Dismissing…',
  dismissFailed: 'Failed to dismiss the notice',
  loadFailed: 'Failed to load notices',
  more: (count: number): string => (count === 1 ? '1 older notice' : `${count} older notices`),
} as const;
