import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { UserStatus } from '../../../../../src/contracts/fields.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { UpdateUser, UserReply, UsersReply } from '../../../../../src/contracts/users.ts';
import type { UserId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { sessionKey } from '../../../api/sessionKey.ts';
import { useChange } from '../../../api/useChange.ts';
import { userTexts } from '../texts.ts';

export type UserFilter = {
  search?: string;
  status?: UserStatus | undefined;
  limit?: number;
  cursor?: string;
};

/** Whose users are shown: a customer's own, or those of all of an integrator's customers. */
export type UserAudience = 'portal' | 'integrator';

const listPath = { portal: '/api/users/with-connections', integrator: '/api/users' } as const satisfies Record<
  UserAudience,
  string
>;

/** A page of users, the newest first. Who is connected is kept up to date by the live feed. */
export const usersQuery = (audience: UserAudience, filter: UserFilter) =>
  queryOptions({
    queryKey: [...topic.users(), filter],
    queryFn: ({ signal }) => api.get<UsersReply>(listPath[audience], { query: filter, signal, fallback: userTexts.loadFailed }),
    placeholderData: keepPreviousData,
  });

/** A status or a role takes or frees a seat, so everything that counts seats is fetched again. */
const touched = () => [topic.users(), topic.customers(), ['customer'], sessionKey];

export const useUpdateUser = (id: UserId) =>
  useChange((body: UpdateUser) => api.put<UserReply>(`/api/users/${id}`, body, { fallback: userTexts.updateFailed }), touched);

export const useChangeUserStatus = (id: UserId) =>
  useChange(
    (status: UserStatus) => api.put<UserReply>(`/api/users/${id}/status`, { status }, { fallback: userTexts.statusFailed }),
    touched,
  );
