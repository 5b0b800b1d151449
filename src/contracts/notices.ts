import { z } from 'zod';
import { MAX_NOTICES } from '../domain/limits.ts';
import { instant, noticeId } from './fields.ts';
import { ok } from './replies.ts';

const notice = z.object({
  noticeId,
  /**
   * `break_glass`: the key signed in while only emergencies allow it. `new_sign_in`: the account signed in with a new browser or from a
   * new address. `wrong_codes`: wrong codes followed the right password.
   */
  kind: z.enum(['break_glass', 'new_sign_in', 'wrong_codes']),
  at: instant,
  /** From where, and by which browser; null where that is unknown or erased. */
  address: z.string().nullable(),
  browser: z.string().nullable(),
});
/** What a named user is notified of, until the user dismisses it. */
export type Notice = z.infer<typeof notice>;

/** The newest notices first, at most 100. */
export const noticesReply = ok({ notices: z.array(notice) });
export type NoticesReply = z.infer<typeof noticesReply>;

/** The notices that the signed-in named user dismisses: their ids, at least one. */
export const dismissNotices = z.strictObject({ noticeIds: z.array(noticeId).min(1).max(MAX_NOTICES) });
export type DismissNoticesBody = z.infer<typeof dismissNotices>;
