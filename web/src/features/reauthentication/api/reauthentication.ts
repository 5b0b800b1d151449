import { queryOptions } from '@tanstack/react-query';
import type { ReauthenticateBody, ReauthenticationReply } from '../../../../../src/contracts/sessions.ts';
import { api } from '../../../api/client.ts';
import { reauthenticationTexts as texts } from '../texts.ts';

const PATH = '/api/auth/reauthenticate';

/** What the session can be confirmed with. It may have changed since the dialog was opened last. */
export const proofsQuery = () =>
  queryOptions({
    queryKey: ['reauthentication'],
    queryFn: ({ signal }) => api.get<ReauthenticationReply>(PATH, { signal, fallback: texts.loadFailed }),
    staleTime: 0,
    gcTime: 0,
  });

/** `POST /api/auth/reauthenticate`. A wrong key or code does not sign out. */
export const confirmSession = (body: ReauthenticateBody): Promise<ReauthenticationReply> =>
  api.post<ReauthenticationReply>(PATH, body, { fallback: texts.failed, unauthorized: 'throw' });
