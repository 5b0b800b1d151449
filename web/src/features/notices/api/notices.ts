import { queryOptions } from '@tanstack/react-query';
import type { DismissNoticesBody, NoticesReply } from '../../../../../src/contracts/notices.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/useChange.ts';
import type { OwnTeam } from '../../team/index.ts';
import { noticeTexts as texts } from '../texts.ts';

const ROOT = '/api/account/notices';

/** The notices of the session's named user that were not dismissed. */
export const noticesQuery = ({ id }: OwnTeam) =>
  queryOptions({
    queryKey: [...topic.team(id), 'notices'],
    queryFn: ({ signal }) => api.get<NoticesReply>(ROOT, { signal, fallback: texts.loadFailed }),
  });

/** `POST /api/account/notices/dismiss`. */
export const useDismissNotices = ({ id }: OwnTeam) =>
  useChange(
    (body: DismissNoticesBody) => api.post(`${ROOT}/dismiss`, body, { fallback: texts.dismissFailed }),
    () => [topic.team(id)],
  );
