import { accept, type Decision, refuse } from '../decider.ts';
import type { NoticeCommand, RecordKeySignIn } from './commands.ts';
import type { TeamEvent } from './events.ts';
import type { Member, Team } from './evolve.ts';

/** Whether the key may sign in. In an emergency it may, and each of `owners` is notified; a repeated command is a no-op. */
export const decideKeySignIn = (
  { data: { noticeId, day, address, browser } }: RecordKeySignIn,
  { policy }: Team,
  owners: readonly Member[],
): Decision<TeamEvent, 'key_sign_in_off'> => {
  if (policy.keySignIn === 'off') return refuse('key_sign_in_off');
  if (policy.keySignIn === 'allowed' || owners.some(({ notices }) => notices.has(noticeId))) return accept();
  const data = { noticeId, owners: owners.map(({ userId }) => userId), day, address, browser };
  return accept({ type: 'BreakGlassUsed', data });
};

/** A member is notified once by the same notice. Notices that the member does not have are ignored when they are dismissed. */
export const decideNotice = (command: NoticeCommand, { userId, notices, wrongCodesNotice }: Member): Decision<TeamEvent, never> => {
  if (command.type === 'DismissNotices') {
    const noticeIds = [...new Set(command.data.noticeIds)].filter((noticeId) => notices.has(noticeId));
    return noticeIds.length === 0 ? accept() : accept({ type: 'NoticesDismissed', data: { userId, noticeIds } });
  }
  const { noticeId, address, browser } = command.data;
  if (notices.has(noticeId) || noticeId === wrongCodesNotice) return accept();
  const data = { userId, noticeId, address, browser };
  return accept({ type: command.type === 'NoticeNewSignIn' ? 'NewSignInNoticed' : 'WrongCodesNoticed', data });
};
