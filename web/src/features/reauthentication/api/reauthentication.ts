import { queryOptions } from '@tanstack/react-query';
import type { BeginOpenIdReply } from '../../../../../src/contracts/identityProvider.ts';
import type { PasskeyRequestReply } from '../../../../../src/contracts/passkeys.ts';
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

/** `POST /api/account/passkeys/confirmation-options`. */
export const passkeyOptions = (): Promise<PasskeyRequestReply> =>
  api.post<PasskeyRequestReply>('/api/account/passkeys/confirmation-options', undefined, { fallback: texts.failed });

/** `POST /api/auth/reauthenticate/openid`. Returns the address of the identity provider. */
export const beginProof = async (): Promise<string> =>
  (await api.post<BeginOpenIdReply>(`${PATH}/openid`, undefined, { fallback: texts.failed })).url;
