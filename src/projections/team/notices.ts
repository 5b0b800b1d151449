import type { NoticeRow } from '../../database/tables/team.ts';
import { ERASED } from '../../domain/event.ts';
import type { TeamId, UserId } from '../../domain/ids.ts';
import type {
  BreakGlassUsed,
  NewSignInNoticed,
  NoticeKind,
  NoticesDismissed,
  WrongCodesNoticed,
} from '../../domain/team/events.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';
import { ownersOf } from './owners.ts';

type Noticed = BreakGlassUsed | NewSignInNoticed | WrongCodesNoticed;

const shown = (text: string | null): string | null => (text === ERASED ? null : text);

const put = (
  { event, subject, at }: RecordedEvent<Noticed, TeamId>,
  rows: MainRows,
  kind: NoticeKind,
  users: readonly UserId[],
): void => {
  const owners = ownersOf(rows, subject);
  if (!owners) return;
  const { noticeId, address, browser } = event.data;
  for (const userId of users) {
    const row: NoticeRow = {
      user_id: userId,
      notice_id: noticeId,
      team_id: subject,
      ...owners,
      kind,
      at,
      address: shown(address),
      browser: shown(browser),
    };
    const before = rows.notices.get(userId, noticeId);
    if (before) rows.notices.change(before, row);
    else rows.notices.put(row);
  }
};

/** One row for each notice that a member has not dismissed. */
export const notices = {
  BreakGlassUsed: (recorded: RecordedEvent<BreakGlassUsed, TeamId>, rows: MainRows): void =>
    put(recorded, rows, 'break_glass', recorded.event.data.owners),
  NewSignInNoticed: (recorded: RecordedEvent<NewSignInNoticed, TeamId>, rows: MainRows): void =>
    put(recorded, rows, 'new_sign_in', [recorded.event.data.userId]),
  WrongCodesNoticed: (recorded: RecordedEvent<WrongCodesNoticed, TeamId>, rows: MainRows): void =>
    put(recorded, rows, 'wrong_codes', [recorded.event.data.userId]),
  NoticesDismissed: ({ event: { data } }: RecordedEvent<NoticesDismissed, TeamId>, rows: MainRows): void => {
    for (const noticeId of data.noticeIds) {
      const row = rows.notices.get(data.userId, noticeId);
      if (row) rows.notices.remove(row);
    }
  },
};
