import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { RevokedReply, SessionsReply } from '../../../../../src/contracts/sessions.ts';
import type { SessionId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { sessionTexts as texts } from '../texts.ts';

/** Whose sessions: those of the user, or all of the tenant. */
export type SessionScope = 'own' | 'tenant';

/** Where the sessions are. */
export const SESSIONS_ROOT = { own: '/api/account/sessions', tenant: '/api/sessions' } as const satisfies Record<
  SessionScope,
  string
>;
const KEY = 'open sessions';
/** The list shows sign-ins elsewhere without a reload. */
const REFETCH_MS = 30_000;

/** The open sessions, the one used last first. */
export const sessionsQuery = (scope: SessionScope) =>
  queryOptions({
    queryKey: [KEY, scope],
    queryFn: ({ signal }) => api.get<SessionsReply>(SESSIONS_ROOT[scope], { signal, fallback: texts.loadFailed }),
    staleTime: 0,
    refetchInterval: REFETCH_MS,
  });

const useRevocation = <Input, Reply>(revoke: (input: Input) => Promise<Reply>) => {
  const queries = useQueryClient();
  return useMutation({ mutationFn: revoke, onSettled: () => queries.invalidateQueries({ queryKey: [KEY] }) });
};

/** Ends one session. */
export const useRevokeSession = (scope: SessionScope) =>
  useRevocation((id: SessionId) => api.delete(`${SESSIONS_ROOT[scope]}/${id}`, { fallback: texts.signOutFailed }));

/** Ends all sessions of the scope but this one. */
export const useRevokeOthers = (scope: SessionScope) =>
  useRevocation((_: undefined) =>
    api.post<RevokedReply>(`${SESSIONS_ROOT[scope]}/revoke-others`, undefined, { fallback: texts.signOutFailed }),
  );
