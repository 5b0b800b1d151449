import { queryOptions } from '@tanstack/react-query';
import type { ApiTokensReply, CreateApiTokenBody, CreateApiTokenReply } from '../../../../../src/contracts/apiTokens.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { ApiTokenId, TeamId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/useChange.ts';
import { apiTokenTexts as texts } from '../texts.ts';

/** The path of the calls on API tokens. */
export const TOKENS_ROOT = '/api/tokens';

/** The API tokens of the session's own tenant. */
export const apiTokensQuery = (teamId: TeamId) =>
  queryOptions({
    queryKey: [...topic.team(teamId), 'tokens'],
    queryFn: ({ signal }) => api.get<ApiTokensReply>(TOKENS_ROOT, { signal, fallback: texts.loadFailed }),
  });

/** `POST /api/tokens`. The reply has the token, which is shown once. */
export const useCreateApiToken = (teamId: TeamId) =>
  useChange(
    (body: CreateApiTokenBody) => api.post<CreateApiTokenReply>(TOKENS_ROOT, body, { fallback: texts.createFailed }),
    () => [topic.team(teamId)],
  );

/** `DELETE /api/tokens/:tokenId`. */
export const useRevokeApiToken = (teamId: TeamId) =>
  useChange(
    (tokenId: ApiTokenId) => api.delete(`${TOKENS_ROOT}/${tokenId}`, { fallback: texts.revokeFailed }),
    () => [topic.team(teamId)],
  );
